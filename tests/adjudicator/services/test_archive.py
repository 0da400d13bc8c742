"""A game as static pages: whole, in two languages, asking nobody for anything, and never more than public (1.10)."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import html as tree

from adjudicator.services import archive, games
from adjudicator.services.header import Header
from tests.adjudicator.services.stage import CAST, PIRATES, SPAIN, Stage, fixed_chance, maildir_stage
from tests.adjudicator.services.test_secrecy import bot_writes, process, work
from tests.servers.chromium import Chromium
from tests.servers.smtp_sink import SmtpSink

PROSE = "секрет на ухо судье"
HOSTILE = "Х<b>[x](y) *з*"


def played(stage: Stage, *, rounds: int, limit: int, header: Header, names: str = "Гроза") -> str:
    """Play a game of bots for some turns; the pirates name a ship, and both add prose and press that are secret."""
    with stage.house.unit("test") as unit:
        game = games.create(unit, "pirates", 2, options={"limit": limit}, header=header, source=fixed_chance("a"))
        for address, name, language, seat in CAST:
            invitation = games.invite(unit, game, address, name=name, language=language, seat=seat)
            games.join(unit, game, invitation, phrase=f"соль {seat}", arrival=unit.now)
        games.start(unit, game)
    work(stage)
    stage.write(game.tag, SPAIN, f"золото 2\nписьмо судье: {PROSE}\nконец письма")
    stage.write(game.tag, PIRATES, f"имя 4: {names}")
    for number in range(rounds):
        if number:
            for seat in (SPAIN, PIRATES):
                bot_writes(stage, game.tag, seat, number)
        work(stage)
        process(stage, game.tag)
    return game.tag


def files(stage: Stage, tag: str) -> dict[str, bytes]:
    with stage.house.look() as unit:
        return archive.pages(unit, unit.game(tag, lock=False))


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stage, str, dict[str, bytes]]]:
    """Give an anonymous game that is over, and its archive."""
    folder = tmp_path_factory.mktemp("over")
    with SmtpSink() as sink, maildir_stage(f"sqlite:///{folder / 'service.db'}", sink, folder) as stage:
        header = Header(names="hidden", open_orders="end")
        tag = played(stage, rounds=7, limit=6, header=header, names=HOSTILE)
        yield stage, tag, files(stage, tag)


def pages(found: dict[str, bytes]) -> dict[str, str]:
    return {name: data.decode() for name, data in found.items() if name.endswith(".html")}


def test_archive_has_index_turns_journals_dice_maps_log_and_checker(over: Any) -> None:
    _, _, found = over

    stems = ["dice", "index", "journal", *(f"turn-{number}" for number in range(7))]
    expected = [f"{stem}{ending}" for stem in stems for ending in (".html", ".en.html")]
    expected += [f"map-{number}.{language}.png" for number in range(7) for language in ("ru", "en")]
    assert sorted(found) == sorted([*expected, "check_log.py", "log.jsonl"])


def test_pages_fetch_nothing_from_outside_and_run_nothing(over: Any) -> None:
    _, _, found = over
    for name, text in pages(found).items():
        page = tree.document_fromstring(text)
        fetched = [*page.xpath("//@src"), *page.xpath("//link/@href")]
        assert [one for one in fetched if one not in found] == [], name
        assert [one for one in page.xpath("//a/@href") if one not in found] == [], name
        assert page.xpath("//script | //iframe | //object | //form") == []
        assert [one for one in page.xpath("//@*") if one.attrname.startswith("on")] == []
        assert not re.search(r"url\(|@import|https?://", text), name


def test_every_page_has_its_twin_in_the_other_language(over: Any) -> None:
    _, _, found = over
    for name, text in pages(found).items():
        page = tree.document_fromstring(text)
        (twin,) = page.xpath("//a[@hreflang]")
        assert twin.get("href") == (
            name.replace(".en.html", ".html") if ".en." in name else name.replace(".html", ".en.html")
        )
        assert page.get("lang") == ("en" if ".en." in name else "ru")


def test_players_names_and_ships_are_text_and_no_markup(over: Any) -> None:
    _, _, found = over
    page = tree.document_fromstring(found["journal.html"].decode())
    titles = [one.text_content() for one in page.iter("h2")]

    assert f"Бригантина 4 «{HOSTILE}»" in titles
    assert page.xpath("//b") == []


def test_after_the_end_names_orders_gold_and_looks_are_shown(over: Any) -> None:
    _, _, found = over
    index, turn = found["index.html"].decode(), found["turn-1.html"].decode()

    assert "Анна" in index
    assert "Борис" in index
    assert "Кто смотрел закрытое" in index
    assert "Приказы" in turn
    assert "# прислан" in turn
    assert "сыгран заново" in index
    assert "Золото — на" in turn
    assert "Кости всей партии" in found["dice.html"].decode()


def test_letters_to_the_moderator_are_in_no_page_even_after_the_end(over: Any) -> None:
    _, _, found = over

    assert [name for name, data in found.items() if PROSE.encode() in data] == []


def test_the_log_of_the_archive_is_right_by_its_own_checker(over: Any, tmp_path: Path) -> None:
    _, _, found = over
    for name in ("log.jsonl", "check_log.py"):
        (tmp_path / name).write_bytes(found[name])

    done = subprocess.run(
        [sys.executable, "-I", "check_log.py", "log.jsonl"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout.split(",")[0]) == (0, "right")


def test_the_same_game_gives_the_same_archive(over: Any) -> None:
    stage, tag, found = over

    assert archive.packed(files(stage, tag), tag) == archive.packed(found, tag)
    with zipfile.ZipFile(io.BytesIO(archive.packed(found, tag))) as packed:
        assert packed.namelist()[0].startswith("pirates-1/")
        assert packed.read("pirates-1/index.html") == found["index.html"]


@pytest.mark.parametrize(
    "secret", ["Анна", "Борис", PROSE, '"gold":2', "# прислан", "Золото — на", "Кости всей партии"]
)
def test_before_the_end_the_archive_holds_only_what_is_public(running: dict[str, bytes], secret: str) -> None:
    assert [name for name, data in running.items() if secret.encode() in data] == []


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, bytes]]:
    """Give the archive of an anonymous game under way whose orders open at the end."""
    folder = tmp_path_factory.mktemp("running")
    with SmtpSink() as sink, maildir_stage(f"sqlite:///{folder / 'service.db'}", sink, folder) as stage:
        tag = played(stage, rounds=3, limit=20, header=Header(names="hidden", open_orders="end"))
        found = files(stage, tag)
        assert b"turn-2.html" in found["index.html"]
        yield found


@pytest.mark.parametrize("width", [390, 1000])
def test_no_page_is_wider_than_the_screen(over: Any, chromium: Chromium, tmp_path: Path, width: int) -> None:
    _, _, found = over
    for name, data in found.items():
        (tmp_path / name).write_bytes(data)
    for name in ("index.html", "turn-3.html", "journal.en.html", "dice.html"):

        def look(page: Any, name: str = name) -> tuple[int, list[str]]:
            page.goto((tmp_path / name).as_uri())
            broken = page.evaluate("[...document.images].filter(one => !one.naturalWidth).map(one => one.src)")
            return page.evaluate("document.documentElement.scrollWidth"), broken

        assert chromium.visit(look, width=width, height=800) == (width, []), name

"""The whole demonstration, played once: it ends, everybody is answered, the log replays, the showpieces happen."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote

import pytest
from lxml import html as lxml_html

from adjudicator.demo.page import TurnFacts
from adjudicator.demo.play import MADE, clear
from adjudicator.demo.postbag import Item
from adjudicator.errors import ConfigError
from adjudicator.words.environment import Phrases
from tests.adjudicator.demo.conftest import Shown

pytestmark = pytest.mark.xdist_group("demo")

UNANSWERED = ("robot", "stranger", "bounce")


def players_mails(demo: Shown, scene: str = "") -> list[Item]:
    found = [item for item in demo.result.mails if item.writer != "judge"]
    return [item for item in found if not scene or item.scene == scene]


def answers(demo: Shown, mail: Item) -> list[Item]:
    return [item for item in demo.result.mails if item.writer == "judge" and item.in_reply_to == mail.message_id]


def letters(demo: Shown, kind: str) -> list[Item]:
    return [item for item in demo.result.mails if item.kind == kind]


def staged(demo: Shown, scene: str) -> Item:
    """Return the first mail of a showpiece; the seed gives a game that has room for all of them."""
    found = players_mails(demo, scene)
    assert found, f"the game was over before {scene!r}"
    return found[0]


def turn(demo: Shown, number: int) -> TurnFacts:
    assert number < len(demo.result.turns), f"the game was over before turn {number}"
    return demo.result.turns[number]


def rows(demo: Shown, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(demo.result.folder / "adjudicator.db")) as database:
        return database.execute(query).fetchall()


def phrase(demo: Shown, reader: str, group: str, key: str) -> str:
    report = next(item for item in letters(demo, "report") if item.reader == reader)
    language = str(report.head["Content-Language"])
    return str(Phrases("en" if language == "en" else "ru", "pirates")(group, key))[:20].rstrip()


# The whole ------------------------------------------------------------------------------------------------------------


def test_the_game_ends_with_the_gold_in_a_port(demo: Shown) -> None:
    assert demo.result.outcome in ("gold-home", "gold-base")


def test_the_log_is_whole_and_every_turn_replays_from_it(demo: Shown) -> None:
    check = demo.result.check
    assert [turn.verdict for turn in check.turns] == ["replayed"] * (len(demo.result.turns) + 1)
    assert (check.faults, check.finished) == ((), True)


def test_no_letter_stays_unsent_and_no_mail_without_a_verdict(demo: Shown) -> None:
    assert demo.result.unsent == 0
    assert rows(demo, "SELECT count(*) FROM mail WHERE verdict = 'new'") == [(0,)]
    assert rows(demo, "SELECT count(*) FROM mail WHERE verdict = 'quarantined'") == [(0,)]
    assert rows(demo, "SELECT count(*) FROM turn WHERE status != 'resolved'") == [(0,)]


def test_every_mail_of_a_player_gets_exactly_one_receipt(demo: Shown) -> None:
    receipts = Counter(item.in_reply_to for item in letters(demo, "receipt"))
    wanted = {mail.message_id for mail in players_mails(demo) if mail.scene not in ("join", *UNANSWERED)}
    assert receipts == Counter(dict.fromkeys(sorted(wanted), 1))


def test_every_answer_to_an_invitation_gets_a_welcome(demo: Shown) -> None:
    assert [[one.kind for one in answers(demo, mail)] for mail in players_mails(demo, "join")] == [["welcome"]] * 4


def test_every_player_gets_a_report_of_every_turn(demo: Shown) -> None:
    reports = Counter(item.reader for item in letters(demo, "report"))
    assert reports == Counter(dict.fromkeys(("anna", "boris", "oliver", "margaret"), len(demo.result.turns) + 1))


def test_players_write_with_many_programs_and_charsets(demo: Shown) -> None:
    programs = {mail.program for mail in players_mails(demo)}
    assert {"Gmail", "Mail.ru", "Outlook", "Thunderbird", "The Bat!", "iPhone", "Яндекс Почта"} <= programs
    charsets = {part.get_content_charset() for mail in players_mails(demo) for part in mail.message.walk()}
    assert {"utf-8", "koi8-r", "windows-1251"} <= charsets


# Showpieces -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scene", "mark"), [("name", "✗"), ("refused", "✗"), ("cut", "✂")])
def test_a_line_is_marked_on_the_receipt_where_it_does_not_count_as_written(demo: Shown, scene: str, mark: str) -> None:
    [receipt] = answers(demo, staged(demo, scene))
    assert mark in receipt.part("plain")


def test_press_passes_in_both_directions(demo: Shown) -> None:
    staged(demo, "press")
    there, back = letters(demo, "press")
    assert (there.reader, back.reader) == (
        players_mails(demo, "press")[1].writer,
        players_mails(demo, "press")[0].writer,
    )


def test_a_turn_locks_early_when_all_are_ready(demo: Shown) -> None:
    assert turn(demo, 2).locked < turn(demo, 2).deadline


def test_a_turn_is_kept_open_by_one_who_asks_to_wait(demo: Shown) -> None:
    asked = staged(demo, "wait")
    freed = players_mails(demo, "wait")[1]
    assert turn(demo, 3).locked > freed.at > asked.at + timedelta(hours=12)


def test_a_turn_forgotten_is_reminded_of_twice_and_played_all_the_same(demo: Shown) -> None:
    locked = turn(demo, 4).locked
    silent = {item.reader for item in letters(demo, "report")} - {m.writer for m in players_mails(demo) if m.turn == 4}
    reminded = Counter(item.reader for item in letters(demo, "reminder") if item.turn == 4)
    assert any(reminded[reader] == 2 for reader in sorted(silent))
    assert locked == turn(demo, 4).deadline


def test_a_letter_after_the_deadline_changes_nothing_and_is_told_so(demo: Shown) -> None:
    late = staged(demo, "late")
    assert late.at == turn(demo, 5).deadline + timedelta(minutes=1)
    assert rows(demo, "SELECT count(*) FROM mail WHERE verdict = 'late'") == [(1,)]
    assert [one.kind for one in answers(demo, late)] == ["receipt"]


def test_the_same_mail_ten_times_acts_once(demo: Shown) -> None:
    mail = staged(demo, "twice")
    assert len([one for one in players_mails(demo) if one.message_id == mail.message_id]) == 10
    assert rows(demo, "SELECT count(*) FROM mail WHERE twin IS NOT NULL") == [(9,)]
    assert rows(
        demo, f"SELECT count(*) FROM reading r JOIN mail m ON m.id = r.mail_id WHERE m.message_id = '{mail.message_id}'"
    ) == [(1,)]


def test_a_standing_order_plays_for_one_who_is_away(demo: Shown) -> None:
    staged(demo, "standing")
    turn(demo, 7)
    log = (demo.result.folder / "log.jsonl").read_text(encoding="utf-8")
    assert [line for line in log.splitlines() if '"from":["standing"' in line] != []


def test_restore_puts_the_first_plan_back(demo: Shown) -> None:
    first = staged(demo, "restore")
    [before] = answers(demo, first)
    after = [item for item in letters(demo, "receipt") if item.reader == first.writer and item.turn == 3][-1]
    heading = phrase(demo, first.writer, "heading", "force")
    assert in_force(after, heading) == in_force(before, heading)


def in_force(receipt: Item, heading: str) -> list[str]:
    text = receipt.part("plain").partition(f"## {heading}")[2].partition("\n## ")[0]
    return [line for line in text.splitlines() if line.startswith("    ")]


def test_a_question_is_answered_in_the_receipt(demo: Shown) -> None:
    [receipt] = answers(demo, staged(demo, "status"))
    assert "map.png" in {name.partition("@")[0] for name in receipt.files()} | set(receipt.files())


def test_an_edited_quote_is_no_order_until_its_writer_says_yes(demo: Shown) -> None:
    mail = staged(demo, "quote")
    [receipt] = answers(demo, mail)
    [agreed] = answers(demo, players_mails(demo, "quote")[1])
    heading = phrase(demo, mail.writer, "heading", "force")
    assert in_force(receipt, heading) == []
    assert in_force(agreed, heading) != []
    assert phrase(demo, mail.writer, "edited", "quote") in receipt.part("plain").replace("\n", " ")


@pytest.mark.parametrize(
    ("scene", "verdict", "why"),
    [
        ("robot", "automatic", "null-return-path"),
        ("stranger", "held", "unknown-sender"),
        ("bounce", "bounce", "delivery-report"),
    ],
)
def test_nobody_answers_a_robot_a_stranger_or_a_bounce(demo: Shown, scene: str, verdict: str, why: str) -> None:
    mail = staged(demo, scene)
    assert answers(demo, mail) == []
    assert rows(demo, f"SELECT verdict, why FROM mail WHERE message_id = '{mail.message_id}'") == [(verdict, why)]


def test_the_moderator_hears_of_a_bounce(demo: Shown) -> None:
    staged(demo, "bounce")
    assert [item.reader for item in letters(demo, "bounced")] == ["moderator"]


# The folder -----------------------------------------------------------------------------------------------------------


def test_the_folder_holds_what_was_promised(demo: Shown) -> None:
    folder = demo.result.folder
    assert {path.name for path in folder.iterdir()} <= set(MADE)
    assert len(list((folder / "mails").iterdir())) == len(demo.result.mails)
    seats = (len(demo.result.turns) + 1) * 4
    kinds = Counter(path.suffix for name in ("reports", "maps") for path in (folder / name).iterdir())
    assert kinds == {".md": seats, ".html": seats, ".png": seats, ".svg": seats}


def test_mails_are_numbered_in_order_of_time(demo: Shown) -> None:
    times = [item.at for item in demo.result.mails]
    assert times == sorted(times)
    names = sorted(path.name for path in (demo.result.folder / "mails").iterdir())
    assert names == [item.file for item in demo.result.mails]


def test_every_link_of_the_page_leads_somewhere_on_this_machine(demo: Shown) -> None:
    page = lxml_html.parse(str(demo.result.index)).getroot()
    ids = {str(found) for found in page.xpath("//@id")}
    links = [str(found) for found in page.xpath("//@href | //@src")]
    assert [link for link in links if link.startswith("#") and link[1:] and link[1:] not in ids] == []
    paths = [unquote(link) for link in links if not link.startswith(("#", "mailto:"))]
    assert [path for path in paths if not (demo.result.folder / path).exists()] == []
    assert "http://" not in demo.result.index.read_text(encoding="utf-8").replace("http://www.w3.org", "")


def test_reports_show_the_map_that_lies_beside_them(demo: Shown) -> None:
    report = lxml_html.parse(str(demo.result.folder / "reports" / "turn-01-spain-1.html")).getroot()
    [picture] = [str(found) for found in report.xpath("//img/@src")]
    assert (demo.result.folder / "reports" / picture).resolve() == demo.result.folder / "maps" / "turn-01-spain-1.png"


def test_the_screen_is_a_line_a_turn_and_says_where_to_look(demo: Shown) -> None:
    lines = demo.screen.splitlines()
    assert len([line for line in lines if line.startswith(("Ход ", "Расстановка"))]) == len(demo.result.turns)
    assert str(demo.result.index) in lines[-1]


def test_an_earlier_demonstration_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "001-judge-anna.eml").write_bytes(b"")
    (tmp_path / "index.html").write_text("", encoding="utf-8")
    clear(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_anything_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("", encoding="utf-8")
    (tmp_path / "thesis.doc").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        clear(tmp_path)
    assert (refused.value.key, refused.value.facts["name"]) == ("demo-folder", "thesis.doc")
    assert (tmp_path / "index.html").exists()

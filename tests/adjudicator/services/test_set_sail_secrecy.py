"""Nothing private of a campaign stands in any public edition: it is left out, not hidden (set-sail 1.6, P49).

Every place that can hold something private gets a word of its own, by mail, and every edition that the product makes
for people outside is read after every turn.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

import adjudicator
from adjudicator.letters import Reader
from adjudicator.services import archive, casefile, casewords, forum, history, logbook, outbox, positions
from adjudicator.services.render import Rendered, render
from adjudicator.storage.tables import Letter, Observer
from engine.core.codec import encode
from engine.core.contract import PUBLIC
from engine.set_sail.events import EffectApplied
from tests.adjudicator.services.islanders import log_of, poll
from tests.adjudicator.services.sailors import MASTER, campaign, checked, command, finish, happened, idle, play
from tests.adjudicator.services.stage import ANNA, BORIS, VERA, Stage, maildir_stage
from tests.servers.smtp_sink import SmtpSink

WATCHER = "watcher@example.org"
CREW = (ANNA, BORIS, VERA, MASTER)
DECK = """колода:
[meta]
schema = "movecards/1"
lang = "ru"
source = "своя копия, с. 12"
visibility = "private"

[[move]]
id = "ugrozhat"
name = "Угрожать насилием"
status = "ready"
trigger = "картушка, когда грозишь"
roll = { kind = "stat", stat = "der" }
[[move.option]]
id = "a"
text = "картвыбор из двух"
[move.full]
text = "картполный успех"
effects = ["note:картзаметка книги"]
choose = { n = 1, from = ["a"], by = "player" }
[move.partial]
text = "картчасть успеха"
effects = ["note:картзаметка книги"]
choose = { n = 1, from = ["a"], by = "player" }
[move.miss]
text = "картпромах и беда"
effects = ["note:картзаметка книги"]
[move.always]
effects = []
конец колоды"""
OPENING = (
    "открыть сцену: губернатор",
    "угроза губернатор",
    "тайна: трюмслух",
    "тайна: второслух",
    "узнала Вера о Flint: ухослух",
    "эффект exposed:+1:@gubernator:складслух",
    "эффект exposed:+1:@gubernator:снятослух",
    "часы рокот +2",
    *DECK.splitlines(),
)
SECRETS = {
    "a secret action": ("тайнодей", {VERA, MASTER}),
    "what came of it": ("тайноитог", {VERA, MASTER}),
    "a secret on the ship's sheet": ("трюмслух", {ANNA, BORIS, VERA, MASTER}),
    "another, used up": ("второслух", {ANNA, BORIS, VERA, MASTER}),
    "a secret that was taken back": ("снятослух", {ANNA, BORIS, VERA, MASTER}),
    "a secret one pirate learnt": ("ухослух", {VERA, MASTER}),
    "what another side knows of the crew": ("складслух", {ANNA, BORIS, VERA, MASTER}),
    "a closed clock": ("rokot", {MASTER}),
    "a goal": ("целеплан", {ANNA, BORIS, VERA, MASTER}),
    "a note to the moderator": ("шептосуд", {VERA, MASTER}),
    "a letter between players": ("шептоборис", {ANNA, BORIS}),
    "what a letter says beside its orders": ("болтомимо", {ANNA}),
    "a line that was refused": ("отказстрока", {ANNA}),
    "a bid's argument before it is opened": ("доводставка", {ANNA}),
    "a secret the moderator sealed": ("печатьтайна", {MASTER}),
    "a card's trigger": ("картушка", {ANNA, BORIS, VERA, MASTER}),
    "a card's option": ("картвыбор", {ANNA, BORIS, VERA, MASTER}),
    "a card's full success": ("картполный", {ANNA, BORIS, VERA, MASTER}),
    "a card's partial success": ("картчасть", {ANNA, BORIS, VERA, MASTER}),
    "a card's failure": ("картпромах", {ANNA, BORIS, VERA, MASTER}),
    "a card's note": ("картзаметка", {ANNA, BORIS, VERA, MASTER}),
    "an address": (ANNA.partition("@")[0] + "@", {ANNA, BORIS, VERA, MASTER}),
}
"""What is private, the word that stands for it, and whose letters may hold it."""
MAKERS = frozenset({"PUBLIC", "public_report", "retold", "observers", "observer_reader", "file_for", "boards"})
"""Names by which the service makes something for people outside."""
MADE = {
    "archive.__init__": "archive",
    "archive._tell": "archive",
    "archive.pages": "archive",
    "asking.sight": "the names in a letter that says whose decision is awaited",
    "callings.titles": "what seats are called: names of pirates, which anybody knows",
    "casefile._report": "case file",
    "casefile._verdict": "case file",
    "casefile.moderators_viewer": "case file, for a moderator who plays",
    "casefile.sees_sealed": "case file",
    "observing._tell": "letter that watching begins or ends: no matter of the game",
    "outbox.job": "log of a letter",
    "corrected._tell_public": "letters of a correction, made like the others",
    "corrected.previews": "a preview, which the operator logs a look for",
    "preview.reader": "a preview, which the operator logs a look for",
    "records.explain": "case file",
    "records.forum": "boards, report",
    "reports._send_public": "letters",
    "reports.report": "letters",
}
"""Where it does so, and which edition that is here."""
HIDDEN_ROLL = "pirate-3/o1"


@dataclass(slots=True)
class Editions:
    """All that people outside could read, edition by edition, and the letters of those inside by address."""

    public: dict[str, str] = field(default_factory=dict)
    inside: dict[str, str] = field(default_factory=dict)


def _printed(rendered: Rendered) -> str:
    """Return every word of a letter: text, page, drawings, calendar."""
    files = [data.decode() for name, _, data in rendered.files if name.endswith((".svg", ".ics"))]
    return "\n".join((rendered.subject, rendered.text, rendered.html, *files))


def gathered(stage: Stage, tag: str) -> Editions:
    """Return every edition there is now."""
    found = Editions()
    with stage.house.look() as work:
        game = work.game(tag, lock=False)
        at, turns = positions.table(game), history.resolved(work, game)
        found.public["log"] = log_of(stage, tag).decode()
        found.public["check of the log"] = str(checked(stage, tag))
        found.public |= {f"archive {name}": data.decode("utf-8", "replace") for name, data in _pages(stage, tag)}
        reader = Reader(name="", language="en", zone=at.header.zone)  # observers and the archive read Russian too
        for turn in turns:
            case = casefile.gather(work, game, turn.number, reader, PUBLIC)
            found.public[f"case file {turn.number}"] = f"{encode(case)}\n{casewords.markdown(case)}"
        for turn in turns[1::2]:
            report = history.public_report(work, at, turn, reader)
            found.public[f"report {turn.number}"] = f"{encode(report)}\n{_printed(render(report))}"
            posts = forum.editions(report, forum.boards())
            found.public |= {f"forum {name}": data.decode("utf-8", "replace") for name, _, data in posts}
    for row, value in stage.letters():
        said = f"{encode(value)}\n{_printed(render(value))}\n{_attached(stage, row)}" if row.kind != "public" else ""
        if row.address == WATCHER:
            found.public[f"letter {row.key}"] = said
        elif row.kind != "public":  # the moderator's copy, from which the posts are made
            found.inside[row.address] = found.inside.get(row.address, "") + said
    return found


def _pages(stage: Stage, tag: str) -> Iterator[tuple[str, bytes]]:
    with stage.house.look() as work:
        yield from archive.pages(work, work.game(tag, lock=False)).items()


def _attached(stage: Stage, row: Letter) -> str:
    """Return the log that goes out with a letter."""
    with stage.house.look() as work:
        envelope = work.vault.open_value(row.value, outbox.Envelope)
        if envelope.log_to == 0 or row.game_id is None:
            return ""
        game = work.game_by_id(row.game_id)
        return logbook.file_for(work, game, row.seat or None, envelope.log_after, envelope.log_to).decode()


@pytest.fixture(scope="module")
def at_sea(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stage, str]]:
    """Play turns that put something private everywhere."""
    folder = tmp_path_factory.mktemp("secrets")
    with SmtpSink() as sink, maildir_stage(f"sqlite:///{folder / 'service.db'}", sink, folder) as stage:
        tag = campaign(stage)
        with stage.house.unit("test") as work:
            game = work.game(tag)
            work.add(Observer(game_id=game.id or 0, address=WATCHER, name="Зевака", language="ru", since=work.now))
        sail(stage, tag)
        yield stage, tag


@pytest.fixture(scope="module")
def voyage(at_sea: tuple[Stage, str]) -> Editions:
    """Gather all editions while everything is still private."""
    return gathered(*at_sea)


@pytest.fixture(scope="module")
def finished(at_sea: tuple[Stage, str], voyage: Editions) -> Editions:
    """Break the campaign off, so that everything is opened, and gather what differs then."""
    stage, tag = at_sea
    finish(stage, tag)
    found = Editions(inside={"check": str(checked(stage, tag, "pirate-1"))})
    found.public = {"log": log_of(stage, tag).decode(), "check of the log": str(checked(stage, tag))}
    found.public |= {f"archive {name}": data.decode("utf-8", "replace") for name, data in _pages(stage, tag)}
    for row, value in stage.letters("report", WATCHER)[-1:]:
        found.public["last letter"] = f"{encode(value)}\n{render(value).text}\n{_attached(stage, row)}"
    found.inside["log"] = log_of(stage, tag, "pirate-1").decode()
    return found


def sail(stage: Stage, tag: str) -> None:
    """Play turns that put something private into every place; a bid is still sealed in the end."""
    sheets = {"pirate_1": "лист: имя Анна Бурая; дерзость +2", "pirate_2": "sheet: name Flint; cunning +2"}
    play(stage, tag, **sheets, pirate_3="лист: имя Вера Кок; дальновидность +2")
    command(stage, tag, *OPENING)
    stage.write(tag, "pirate-1", "письмо Boris:\nшептоборис\nконец письма")
    stage.write(tag, "pirate-3", "письмо судье:\nшептосуд\nконец письма")
    play(
        stage,
        tag,
        pirate_1="болтомимо, как обычно.\nзаявка: Угрожать насилием, дерзость — нож\nпомощь Никому o7: отказстрока",
        pirate_2="scheme: goal целеплан; secrets 2",
        pirate_3="заявка втайне: Затаиться, изворотливость — тайнодей",
    )
    play(
        stage,
        tag,
        moderator="бросок Анна o1: как заявлено\nбросок Flint o1: тайны 2\nбросок Вера o1: как заявлено\n"
        "переговоры: Анна — губернатор; угроза; тайны 1",
    )
    done = next(one for one in happened(stage, tag, 1) if isinstance(one, EffectApplied) and "снятослух" in one.effect)
    undo = msgspec.json.encode([[one.place, one.field, one.before, one.after] for one in done.changes]).decode()
    command(stage, tag, "ставка n1 слава; тайна: печатьтайна", f"снять эффект {done.effect} {undo}")
    play(
        stage,
        tag,
        pirate_1="ставка жизнь\nфарт +1 o1\nбез хода",
        pirate_2=idle("Анна o1"),
        pirate_3="не вмешиваюсь: Анна o1\nфарт +1 o1\nбез хода",
    )
    play(stage, tag, moderator="итог Анна o1: как предложено\nитог Flint o1: ничего\nитог Вера o1: заметка: тайноитог")
    stage.write(tag, "pirate-1", "ставка слава; тайна 1: доводставка")
    poll(stage)


# Every edition --------------------------------------------------------------------------------------------------------


def test_nothing_private_stands_in_any_public_edition(voyage: Editions) -> None:
    words = {kind: word for kind, (word, _) in SECRETS.items()} | {"a hidden roll": HIDDEN_ROLL}

    found = [
        (edition, kind)
        for edition, text in voyage.public.items()
        for kind, word in words.items()
        if word in text or word in json.dumps(text)
    ]
    assert found == []
    assert len(voyage.public) > 60


@pytest.mark.parametrize("kind", SECRETS)
def test_what_is_private_stands_in_letters_of_those_alone_who_may_know_it(voyage: Editions, kind: str) -> None:
    word, readers = SECRETS[kind]

    told = {address for address, text in voyage.inside.items() if word in text}
    if kind == "an address":
        told &= set(CREW)
    assert told <= readers
    assert told or not readers


def test_every_public_edition_that_the_service_makes_is_looked_at() -> None:
    made = set()
    for folder in ("services", "cli"):
        for file in sorted((Path(adjudicator.__file__).parent / folder).glob("*.py")):
            source = file.read_text(encoding="utf-8")
            functions = ast.walk(ast.parse(source)) if any(name in source for name in MAKERS) else ()
            for one in functions:
                if isinstance(one, ast.FunctionDef):
                    names = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(one)}
                    made |= {f"{file.stem}.{one.name}"} if names & MAKERS else set()

    assert made - set(MADE) == set()  # what is new must be read above, or be said to be no edition of its own


def test_texts_of_private_cards_stay_inside_when_everything_else_is_opened(finished: Editions) -> None:
    cards = [word for kind, (word, _) in SECRETS.items() if kind.startswith("a card's")]

    found = [(edition, word) for edition, text in finished.public.items() for word in cards if word in text]
    assert found == []
    assert [kind for kind in ("a goal", "a secret action") if SECRETS[kind][0] not in finished.public["log"]] == []
    assert "картушка" in finished.inside["log"]


def test_crew_replays_the_whole_campaign_and_others_check_its_dice(finished: Editions) -> None:
    assert "verdict='replayed'" in finished.inside["check"]
    assert "verdict='dice checked'" not in finished.inside["check"]
    assert "verdict='dice checked'" in finished.public["check of the log"]
    assert "verdict='broken'" not in finished.public["check of the log"]

"""The moderator's verbs, from ``create`` to ``extend``, on both databases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlmodel import col, select

from adjudicator import bootstrap
from adjudicator.config import load
from adjudicator.services import games, positions, turns
from adjudicator.services.work import Work
from adjudicator.storage.tables import Invitation, Letter, LogEntry
from engine.core.registry import rulesets
from tests.adjudicator.cli.commands import adjudicator, write_config
from tests.adjudicator.cli.conftest import Houses
from tests.rulesets import installed


def bare(folder: Path) -> None:
    """Set a house up by ``init``."""
    write_config(folder)
    assert adjudicator(folder, "init").exit_code == 0


def begun(folder: Path) -> None:
    """Set up a house with pirates-1 at its turn 0."""
    bare(folder)
    started(folder)


@pytest.fixture
def folder(tmp_path: Path, houses: Houses) -> Path:
    """Give a house set up by ``init``."""
    return houses.lay(tmp_path, bare)


@pytest.fixture
def waiting(tmp_path: Path, houses: Houses) -> Path:
    """Give a house with pirates-1 at its turn 0."""
    return houses.lay(tmp_path, begun)


@contextmanager
def look(folder: Path) -> Iterator[Work]:
    with bootstrap.opened(load(folder / "adjudicator.toml")) as house, house.look() as work:
        yield work


def join_all(folder: Path, tag: str) -> None:
    """Let everybody invited say yes."""
    with bootstrap.opened(load(folder / "adjudicator.toml")) as house, house.unit("test") as work:
        for invitation in work.session.exec(select(Invitation).order_by(col(Invitation.id))).all():
            games.join(work, work.game(tag), invitation, arrival=work.now)


def started(folder: Path, *options: str) -> None:
    """Have pirates-1 at its turn 0, with Anna and Boris."""
    assert adjudicator(folder, "game", "create", "pirates", *options).exit_code == 0
    for name in ("Anna", "Boris"):
        assert adjudicator(folder, "game", "invite", "pirates-1", f"{name} <{name.lower()}@example.org>").exit_code == 0
    join_all(folder, "pirates-1")
    assert adjudicator(folder, "game", "start", "pirates-1").exit_code == 0


def test_create_shows_tag_options_seats_anchors_and_pin(folder: Path) -> None:
    words = ("--players", "4", "--option", "limit=50", "--press", "anonymous", "--press-published")
    result = adjudicator(folder, "game", "create", "pirates", *words)

    assert result.exit_code == 0
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert lines[0] == "Game pirates-1 made: pirates, edition golitsyn, 4 players."
    rows = {tuple(line.split()) for line in lines}
    assert {("limit", "50", "*"), ("cool_off", "20min"), ("zone", "UTC")} <= rows
    assert {("press", "anonymous"), ("press_read", "False"), ("press_published", "True")} <= rows
    seats = [line.partition(" ")[0] for line in lines if re.match(r"(spain|pirates)-\d +\S", line)]
    assert seats == ["spain-1", "spain-2", "pirates-1", "pirates-2"]
    anchors = [line for line in lines if line.startswith("Anchor of the dice ")]
    assert [bool(re.fullmatch(r"Anchor of the dice (gold|main): [0-9a-f]{64}", line)) for line in anchors] == [
        True,
        True,
    ]
    with look(folder) as work:
        head = work.game("pirates-1", lock=False).head
    assert f"Pin of the log: #1 {head}" in lines


def test_create_takes_the_dice_by_the_beacon_where_the_moderator_plays(folder: Path) -> None:
    result = adjudicator(folder, "game", "create", "pirates", "--mode", "plays")
    refused = adjudicator(folder, "game", "create", "pirates", "--mode", "plays", "--dice", "salts")

    assert {("dice", "beacon"), ("moderator", "plays")} <= {tuple(line.split()) for line in result.stdout.splitlines()}
    assert (refused.exit_code, "--dice beacon" in refused.stderr) == (1, True)


def test_create_takes_the_schedule_in_russian(folder: Path) -> None:
    plan = "каждый пн, чт 21:00 Europe/Moscow"

    result = adjudicator(
        folder, "game", "create", "pirates", "--schedule", plan, "--zone", "Омск", "--remind", "12h,2h"
    )

    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert [row for row in rows if row.startswith(("schedule", "zone", "remind"))] == [
        f"schedule {plan}", "zone Asia/Omsk", "remind 12h, 2h",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["jackal-9"], f"There is no ruleset “jackal-9”. Known: {', '.join(rulesets())}."),
        (["pirates", "--players", "12"], "12 cannot play it. From and to: 2, 9."),
        (["pirates", "--edition", "none"], "There is no edition “none”. There is: alternating, by-side, golitsyn, "),
        (["pirates", "--option", "wind=no"], "There is no rule “wind” to change. There is: "),
        (["pirates", "--option", "limit=0"], "The value does not fit: "),
        (["pirates", "--option", "limit"], "“limit” is not NAME=VALUE."),
        (["pirates", "--schedule", "sometimes"], "The schedule “sometimes” cannot be read at “sometimes”."),
        (["pirates", "--press", "loud"], "A setting of the game does not fit: "),
        (["pirates", "--cool-off", "soon"], "“soon” is no span of time. For example: 24h, 2d, 90min."),
        (["pirates", "--zone", "Atlantis"], "There is no time zone “Atlantis”."),
        (["pirates", "--board", "nowhere.toml"], "The file nowhere.toml cannot be read: "),
    ],
)  # fmt: skip
def test_create_refuses_what_cannot_be_played(folder: Path, words: list[str], sentence: str) -> None:
    result = adjudicator(folder, "game", "create", *words)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.removeprefix("✗ ").startswith(sentence)
    assert "There are no games yet." in adjudicator(folder, "game", "status").stdout


def test_create_refuses_a_board_that_cannot_be_played_on(folder: Path) -> None:
    board = folder / "puddle.toml"
    board.write_text('format = "pirates-board/1"\nrows = ["#"]\n', encoding="utf-8")

    result = adjudicator(folder, "game", "create", "pirates", "--board", board)

    assert result.exit_code == 1
    assert result.stderr.startswith("✗ This board cannot be played on: ")
    assert "There are no games yet." in adjudicator(folder, "game", "status").stdout


def test_invite_writes_once_to_an_address(folder: Path) -> None:
    adjudicator(folder, "game", "create", "pirates")

    first = adjudicator(folder, "game", "invite", "pirates-1", "Anna <anna@example.org>", "--lang", "ru")
    second = adjudicator(folder, "game", "invite", "pirates-1", "ANNA@example.org")

    assert first.stdout.startswith("The invitation to pirates-1 for anna@example.org is written")
    assert second.stdout == "anna@example.org was invited to pirates-1 before; we do not write twice.\n"
    with look(folder) as work:
        assert [(one.name, one.language) for one in work.session.exec(select(Invitation))] == [("Anna", "ru")]
        assert [one.kind for one in work.session.exec(select(Letter))] == ["invitation"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["pirates-9", "anna@example.org"], "There is no game pirates-9. See: adjudicator game status."),
        (["pirates-1", "anna"], "“anna” is no mail address."),
        (["pirates-1", "anna@example.org, eve@example.org"], "“anna@example.org, eve@example.org” is no mail address."),
        (
            ["pirates-1", "anna@example.org", "--seat", "judge"],
            "There is no seat “judge”. There is: spain-1, pirates-1.",
        ),
    ],
)
def test_invite_refuses_with_a_reason(folder: Path, words: list[str], sentence: str) -> None:
    adjudicator(folder, "game", "create", "pirates")

    result = adjudicator(folder, "game", "invite", *words)

    assert (result.exit_code, result.stderr) == (1, f"✗ {sentence}\n")


def test_start_waits_for_everybody(folder: Path) -> None:
    adjudicator(folder, "game", "create", "pirates")

    result = adjudicator(folder, "game", "start", "pirates-1", language="ru")

    assert (result.exit_code, result.stderr) == (1, "✗ Пока согласились 0 из 2: начинать рано.\n")


def test_status_shows_who_has_joined(folder: Path) -> None:
    adjudicator(folder, "game", "create", "pirates")
    adjudicator(folder, "game", "invite", "pirates-1", "Anna <anna@example.org>", "--seat", "spain-1")

    lines = [" ".join(line.split()) for line in adjudicator(folder, "game", "status", "pirates-1").stdout.splitlines()]

    assert lines[0] == "Game pirates-1 has not started yet."
    assert "anna@example.org Anna spain-1 no answer yet" in lines
    assert lines[-1] == "0 of 2 have joined."


def test_status_shows_words_and_never_orders(waiting: Path) -> None:
    one = adjudicator(waiting, "game", "status", "pirates-1").stdout
    rows = [" ".join(line.split()) for line in one.splitlines()]
    assert re.fullmatch(r"Game pirates-1, turn 0: open, deadline .+ \(UTC\)\.", rows[0])
    assert [row.rpartition("@example.org ")[2] for row in rows if "@example.org" in row] == [
        "no orders",
        "owes nothing",
    ]

    every = adjudicator(waiting, "game", "status").stdout
    rows = [" ".join(line.split()) for line in every.splitlines()]
    assert [
        bool(re.fullmatch(r"pirates-1 running 0 · open .+ 0/1", row)) for row in rows if row.startswith("pirates-1")
    ] == [True]
    assert "Mailbox imap:judge@127.0.0.1/INBOX: not read yet" in rows
    assert "Waiting to be sent: 4 letters." in rows


def test_commands_name_the_turn_they_are_meant_for(waiting: Path) -> None:
    for words in (["process", "pirates-1", "3"], ["extend", "pirates-1", "3", "24h"], ["preview", "pirates-1", "3"]):
        result = adjudicator(waiting, "game", *words)
        assert (result.exit_code, result.stderr) == (1, "✗ Turn 3 is not open: it is turn 0, open. Nothing was done.\n")


def test_process_before_the_start_says_so(folder: Path) -> None:
    adjudicator(folder, "game", "create", "pirates")

    result = adjudicator(folder, "game", "process", "pirates-1", "0")

    assert result.stderr == "✗ Turn 0 is not open: the game has no turn now (gathering). Nothing was done.\n"


def test_extend_moves_the_deadline_and_tells_everybody(waiting: Path) -> None:
    result = adjudicator(waiting, "game", "extend", "pirates-1", "0", "24h")

    assert result.stdout.startswith("pirates-1: the deadline of turn 0 is now ")
    with look(waiting) as work:
        kinds = [one.kind for one in work.session.exec(select(Letter).order_by(col(Letter.id)))]
    assert kinds[-2:] == ["deadline-moved", "deadline-moved"]


def test_process_locks_and_resolves_the_named_turn(waiting: Path) -> None:
    result = adjudicator(waiting, "game", "process", "pirates-1", "0")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Turn 0 of pirates-1 is resolved;")
    assert "Game pirates-1, turn 1: open" in adjudicator(waiting, "game", "status", "pirates-1").stdout


@pytest.mark.parametrize("seat", ["moderator", "public", "spain-1"])
def test_preview_is_marked_logged_and_changes_nothing(waiting: Path, seat: str) -> None:
    result = adjudicator(waiting, "game", "preview", "pirates-1", "0", "--seat", seat)

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == lines[-1] == "════ Preview. TRIAL DICE: the true ones will fall otherwise. ════"
    assert len(lines) > 10
    with look(waiting) as work:
        last = work.session.exec(select(LogEntry).order_by(col(LogEntry.seq).desc()).limit(1)).one()
        event = json.loads(last.event)
    assert (event["type"], event["what"]) == ("look", "preview")
    assert "Game pirates-1, turn 0: open" in adjudicator(waiting, "game", "status", "pirates-1").stdout


def test_preview_refuses_a_viewer_there_is_not(waiting: Path) -> None:
    result = adjudicator(waiting, "game", "preview", "pirates-1", "0", "--seat", "eve")

    assert result.stderr == "✗ There is no seat “eve”. There is: spain-1, pirates-1, moderator, public.\n"


def test_a_game_lives_on_postgresql_too(tmp_path: Path, database_url: str) -> None:
    write_config(tmp_path, database=f'url = "{database_url}"')
    assert adjudicator(tmp_path, "init").exit_code == 0

    started(tmp_path)

    assert adjudicator(tmp_path, "game", "process", "pirates-1", "0").exit_code == 0
    assert "turn 1: open" in adjudicator(tmp_path, "game", "status", "pirates-1").stdout


def test_dead_address_is_changed_and_the_moderator_named_at_create(folder: Path) -> None:
    made = adjudicator(folder, "game", "create", "pirates", "--moderator", "Vera <vera@example.org>", "--entry", "open")
    assert "Moderator: vera@example.org" in made.stdout
    for name in ("Anna", "Boris"):
        adjudicator(folder, "game", "invite", "pirates-1", f"{name} <{name.lower()}@example.org>")
    join_all(folder, "pirates-1")
    adjudicator(folder, "game", "start", "pirates-1")

    result = adjudicator(folder, "game", "address", "pirates-1", "spain-1", "new@example.org")

    assert result.stdout.strip() == "Seat spain-1 of pirates-1: letters go to new@example.org from now on."
    assert adjudicator(folder, "game", "address", "pirates-1", "spain-1", "nowhere").exit_code == 1


def test_second_invitation_to_one_address_takes_a_word(folder: Path) -> None:
    assert adjudicator(folder, "game", "create", "pirates").exit_code == 0
    for switch in ((), ("--second",)):
        adjudicator(folder, "game", "invite", "pirates-1", "anna@example.org", *switch)

    with look(folder) as work:
        assert [one.second for one in work.session.exec(select(Invitation).order_by(col(Invitation.id)))] == [
            False,
            True,
        ]


def test_create_takes_the_switches_of_time(folder: Path) -> None:
    result = adjudicator(
        folder,
        *("game", "create", "pirates", "--missed", "wait", "--grace", "12h", "--absence-days", "7"),
        *("--absences-shown", "--phase", "set-up=12h", "--phase", "turn=36h"),
    )

    assert result.exit_code == 0
    with look(folder) as work:
        header = positions.table(work.game("pirates-1", lock=False)).header
    assert (header.missed, header.grace, header.absence_days, header.absences_shown) == ("wait", 12 * 3600, 7, True)
    assert header.phases == {"set-up": 12 * 3600, "turn": 36 * 3600}


@pytest.mark.parametrize("given", ["window", "week=12h", "window=long"])
def test_phase_that_is_none_is_refused_with_what_there_is(folder: Path, given: str) -> None:
    result = adjudicator(folder, "game", "create", "pirates", "--phase", given)

    assert result.exit_code != 0
    assert given.partition("=")[2 if given == "window=long" else 0] in result.output


def test_retry_is_refused_where_nothing_is_stuck(waiting: Path) -> None:
    result = adjudicator(waiting, "game", "retry", "pirates-1")

    assert result.exit_code != 0
    assert "Nothing is stuck in pirates-1." in result.output


def test_retry_resolves_a_stuck_turn_and_says_so(waiting: Path) -> None:
    with bootstrap.opened(load(waiting / "adjudicator.toml")) as house, house.unit("test") as work:
        turn = turns.process(work, work.game("pirates-1"), 0)
        turn.status, turn.trouble, turn.attempts = "stuck", "ValueError: ship 12", 4
        work.session.add(turn)

    result = adjudicator(waiting, "game", "retry", "pirates-1")

    assert (result.exit_code, result.output.strip()) == (0, "Turn 0 of pirates-1 is resolved.")
    with look(waiting) as work:
        turn_now = positions.current(work, work.game("pirates-1", lock=False))
        assert turn_now is not None
        assert turn_now.number == 1


def test_admit_names_a_mail_that_is_not_of_the_game(waiting: Path) -> None:
    result = adjudicator(waiting, "game", "admit", "pirates-1", "17", "the provider was down")

    assert result.exit_code != 0
    assert "There is no mail 17 in pirates-1." in result.output


# A turn that asks


def test_operator_sees_whose_decision_is_awaited_answers_for_a_seat_and_lets_the_default_count(folder: Path) -> None:
    with installed():
        words = ("--players", "2", "--option", "asks=all first")
        assert adjudicator(folder, "game", "create", "smugglers", *words).exit_code == 0
        for name in ("Anna", "Boris"):
            assert adjudicator(folder, "game", "invite", "smugglers-1", f"{name.lower()}@example.org").exit_code == 0
        join_all(folder, "smugglers-1")
        assert adjudicator(folder, "game", "start", "smugglers-1").exit_code == 0
        asks = adjudicator(folder, "game", "process", "smugglers-1", 1)
        assert "Turn 1 of smugglers-1 asks on: a decision is awaited." in asks.stdout

        assert adjudicator(folder, "game", "answer", "smugglers-1", 1, "crew-2", "shout").exit_code == 0
        shown = adjudicator(folder, "game", "status", "smugglers-1").stdout
        rows = [line.split() for line in shown.splitlines()]
        assert "Game smugglers-1, turn 1: asking, deadline" in shown
        assert ["crew-1", "Crew", "1", "1", "none"] in rows
        assert ["crew-2", "Crew", "2", "1", "answered"] in rows
        wrong = adjudicator(folder, "game", "answer", "smugglers-1", 1, "crew-1", "run")
        assert (wrong.exit_code, "Questions: 1; answers: yes, no." in wrong.output) == (1, True)

        assert "asks on" in adjudicator(folder, "game", "process", "smugglers-1", 1).stdout  # the next group
        assert "is resolved" in adjudicator(folder, "game", "process", "smugglers-1", 1).stdout
        with look(folder) as work:
            entries = work.session.exec(select(LogEntry).order_by(col(LogEntry.seq))).all()
            shouted = [one for one in json.loads(entries[-2].event)["events"] if one["type"] == "shouted"]
    assert [(one["seat"], one["origin"]) for one in shouted] == [("crew-2", "moderator")]

"""The moderator's verbs at the command line, each under the operator's name, and his inbox (play-by-mail 6)."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import col, select

from adjudicator import bootstrap, jobs
from adjudicator.config import load
from adjudicator.services import turns
from adjudicator.services.identity import Grounds
from adjudicator.services.work import Work
from adjudicator.storage.tables import Letter, LogEntry, Mail, Turn
from engine.core import codec
from tests.adjudicator.cli.commands import adjudicator, write_config
from tests.adjudicator.cli.conftest import Houses
from tests.adjudicator.cli.test_game import join_all, look, started

TAG = "pirates-1"


def bare(folder: Path) -> None:
    """Set a house up by ``init``, with a Maildir for its mailbox."""
    for part in ("cur", "new", "tmp"):
        (folder / "Mail" / part).mkdir(parents=True)
    write_config(
        folder,
        service='address = "judge@example.org"\nlanguage = "en"\nzone = "UTC"\noperators = ["host@example.org"]',
        imap="",
        maildir='path = "Mail"',
    )
    assert adjudicator(folder, "init").exit_code == 0


def begun(folder: Path) -> None:
    """Set up such a house with pirates-1 at turn 1."""
    bare(folder)
    started(folder)
    assert adjudicator(folder, "game", "process", TAG, "0").exit_code == 0


@pytest.fixture
def folder(tmp_path: Path, houses: Houses) -> Path:
    """Give a house set up by ``init``, with a Maildir for its mailbox."""
    return houses.lay(tmp_path, bare)


@pytest.fixture
def playing(tmp_path: Path, houses: Houses) -> Path:
    """Give such a house with pirates-1 at turn 1."""
    return houses.lay(tmp_path, begun)


def events(folder: Path, kind: str) -> list[dict[str, object]]:
    with look(folder) as work:
        lines = work.session.exec(select(LogEntry.event).order_by(col(LogEntry.seq))).all()
    return [one for one in map(json.loads, lines) if one["type"] == kind]


def rulings(folder: Path) -> list[str]:
    return [str(one["text"]) for one in events(folder, "ruling")]


def letters(folder: Path, kind: str) -> list[str]:
    with look(folder) as work:
        return sorted(work.session.exec(select(Letter.address).where(Letter.kind == kind)))


@pytest.mark.parametrize(
    ("words", "done"),
    [
        (["nudge", TAG, "1"], "nudge 1"),
        (["pause", TAG, "1"], "pause 1"),
        (["extend", TAG, "1", "24h"], "extend 1 24h"),
        (["broadcast", TAG, "Happy new year!"], "broadcast"),
        (["act-for", TAG, "1", "spain-1", "ship 1: stay"], "act for spain-1"),
        (["substitute", TAG, "1", "spain-1", "erik@example.org"], "substitute spain-1"),
        (["eject", TAG, "1", "spain-1", "--yes"], "eject spain-1"),
        (["hand-over", TAG, "vera@example.org", "--yes"], "hand over"),
        (["finish", TAG, "1", "--yes"], "finish 1"),
    ],
)
def test_every_verb_at_the_command_line_is_logged_as_the_operators_with_its_reason(
    playing: Path, words: list[str], done: str
) -> None:
    result = adjudicator(playing, "game", *words, "--why", "they asked me to")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{TAG}: ")
    assert rulings(playing)[-1] == f"operator · {done} · they asked me to"


def test_deadline_takes_day_and_hour(playing: Path) -> None:
    result = adjudicator(playing, "game", "deadline", TAG, "1", "tomorrow", "23:59")

    assert result.exit_code in (0, 1)
    with look(playing) as work:
        turn = work.session.exec(select(Turn).where(Turn.number == 1)).one()
    assert (f"{turn.deadline:%H:%M}" == "23:59") is (result.exit_code == 0)


def test_resume_after_pause_starts_the_clock(playing: Path) -> None:
    assert adjudicator(playing, "game", "pause", TAG, "1").exit_code == 0
    assert adjudicator(playing, "game", "pause", TAG, "1").exit_code == 1

    assert adjudicator(playing, "game", "resume", TAG, "1").exit_code == 0
    assert letters(playing, "resumed") == ["anna@example.org", "boris@example.org"]


def test_rule_stands_in_the_log_in_full(playing: Path) -> None:
    text = playing / "ruling.txt"
    text.write_text("Turn 1 stands.\nNo more of it.", encoding="utf-8")

    assert adjudicator(playing, "game", "rule", TAG, "1", f"@{text}").exit_code == 0

    assert rulings(playing)[-1] == "operator · rule · Turn 1 stands.\nNo more of it."
    assert letters(playing, "ruling") == ["anna@example.org", "boris@example.org"]


@pytest.mark.parametrize(
    "words", [["eject", TAG, "1", "spain-1"], ["finish", TAG, "1"], ["hand-over", TAG, "v@example.org"]]
)
def test_what_cannot_be_taken_back_is_asked_for_once_more(playing: Path, words: list[str]) -> None:
    before = rulings(playing)

    result = adjudicator(playing, "game", *words)

    assert result.exit_code == 130
    assert rulings(playing) == before


@pytest.mark.parametrize("mode", ["plays", "none"])
def test_operator_gives_his_reason_where_the_game_is_not_his_to_run(folder: Path, mode: str) -> None:
    assert adjudicator(folder, "game", "create", "pirates", "--mode", "none").exit_code == 0

    def play_too(work: Work) -> None:
        game = work.game(TAG)
        game.header = game.header.replace('"moderator":"none"', f'"moderator":"{mode}"')
        work.session.add(game)

    with bootstrap.opened(load(folder / "adjudicator.toml")) as house, house.unit("test") as work:
        play_too(work)
    for name in ("Anna", "Boris"):
        adjudicator(folder, "game", "invite", TAG, f"{name} <{name.lower()}@example.org>")
    join_all(folder, TAG)
    adjudicator(folder, "game", "start", TAG)

    bare = adjudicator(folder, "game", "extend", TAG, "0", "24h")

    assert bare.exit_code == 1
    assert bare.stderr.startswith(f"✗ In {TAG} the moderator plays or there is none")


def test_preview_after_the_lock_is_the_true_result_and_logged_as_such(playing: Path) -> None:
    with bootstrap.opened(load(playing / "adjudicator.toml")) as house, house.unit("test") as work:
        turns.process(work, work.game(TAG), 1)

    result = adjudicator(playing, "game", "preview", TAG, "1")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == result.stdout.splitlines()[-1]
    assert "THE TRUE RESULT" in result.stdout.splitlines()[0]
    assert [(one["who"], one["what"]) for one in events(playing, "look")] == [("operator", "result")]
    with look(playing) as work:
        assert work.session.exec(select(Turn.status).where(Turn.number == 1)).one() == "locked"


# status and inbox -----------------------------------------------------------------------------------------------------


def test_status_shows_games_mailboxes_and_the_outbox(playing: Path) -> None:
    result = adjudicator(playing, "status")

    assert result.exit_code == 0
    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert [row.startswith(f"{TAG} running 1 · open") for row in rows if row.startswith(TAG)] == [True]
    assert any(row.startswith("Mailbox maildir:") for row in rows)
    assert any(row.startswith("Waiting to be sent: ") for row in rows)


def test_status_names_what_is_stuck(playing: Path) -> None:
    with bootstrap.opened(load(playing / "adjudicator.toml")) as house, house.unit("test") as work:
        turn = work.session.exec(select(Turn).where(Turn.number == 1)).one()
        turn.status, turn.trouble = "stuck", "ValueError: ship 12"
        work.session.add(turn)

    result = adjudicator(playing, "status")

    assert "ValueError: ship 12" in result.stdout


def unproven(folder: Path, sender: str = "anna@example.org") -> None:
    """Lay a mail into the Maildir whose sender nothing proves, and let the service read it."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "judge@example.org", f"[{TAG}] orders"
    message["Message-ID"] = "<1@example.org>"
    message.set_content("ship 1: stay\n")
    (folder / "Mail" / "new" / "1767614400.M1P1.test").write_bytes(message.as_bytes())
    with bootstrap.opened(load(folder / "adjudicator.toml")) as house:
        desk = bootstrap.desk(house)
        for source in desk.sources:
            jobs.poll(desk, source)
        jobs.think(desk)


def test_inbox_lists_held_mail_and_shows_it_with_a_logged_look(playing: Path) -> None:
    unproven(playing)

    listed = [" ".join(line.split()) for line in adjudicator(playing, "inbox").stdout.splitlines()]
    shown = adjudicator(playing, "inbox", "show", "1")

    assert [row for row in listed if row.startswith("1 held")] != []
    assert "ship 1: stay" in shown.stdout
    assert [(one["who"], one["what"]) for one in events(playing, "look")] == [("operator", "mail")]


def test_inbox_shows_what_was_found_for_and_against_a_sender_and_no_secret(playing: Path) -> None:
    unproven(playing)
    with bootstrap.opened(load(playing / "adjudicator.toml")) as house, house.unit("test") as work:
        row = work.session.exec(select(Mail)).one()
        found = Grounds("text", "another's", "pass", "dkim=pass", "mx.google.com", "example.org", addressed=False)
        kept, row.grounds = row.grounds, codec.encode(found)
        work.session.add(row)

    shown = adjudicator(playing, "inbox", "show", "1").stdout

    assert codec.decode(kept, Grounds) == Grounds(why="nothing-pinned")
    assert shown.splitlines()[-4:] == [
        "When it came: held (neither a secret nor the provider's confirmation).",
        "Key: of another's seat, in the quoted text.",
        "Provider: mx.google.com confirms the sender (dkim=pass, signed by example.org).",
        "We are not among its readers: it was sent on, or by Bcc.",
    ]


def test_inbox_shows_who_let_a_held_mail_count(playing: Path) -> None:
    unproven(playing)
    adjudicator(playing, "inbox", "release", "1", "--why", "she telephoned")

    assert adjudicator(playing, "inbox", "show", "1").stdout.splitlines()[-3:] == [
        "Key: none.",
        "Provider: does not vouch for the sender: no provider is set for this mailbox (provider, authserv).",
        "Who runs the game has let it count.",
    ]


def test_inbox_releases_a_held_mail_under_the_operators_name(playing: Path) -> None:
    unproven(playing)

    result = adjudicator(playing, "inbox", "release", "1", "--why", "she telephoned")

    assert result.exit_code == 0
    assert rulings(playing)[-1] == "operator · release 1 · she telephoned"
    assert letters(playing, "receipt") == ["anna@example.org"]


def test_inbox_drops_a_held_mail_and_tells_its_sender(playing: Path) -> None:
    unproven(playing)

    assert adjudicator(playing, "inbox", "drop", "1").exit_code == 0
    assert adjudicator(playing, "inbox", "release", "1").exit_code == 1

    assert letters(playing, "mail-dropped") == ["anna@example.org"]
    with look(playing) as work:
        assert work.session.exec(select(Mail.verdict, Mail.why)).all() == [("empty", "dropped")]


def test_inbox_lists_mails_from_strangers(playing: Path) -> None:
    unproven(playing, sender="eve@example.org")

    listed = [" ".join(line.split()) for line in adjudicator(playing, "inbox").stdout.splitlines()]

    assert [row for row in listed if "eve@example.org" in row and "not registered" in row] != []


def test_inbox_without_mail_says_so(folder: Path) -> None:
    assert adjudicator(folder, "inbox").stdout == "No mail waits.\n"
    assert adjudicator(folder, "inbox", "--verdict", "odd").stderr.startswith("✗ There is no verdict “odd”.")
    assert adjudicator(folder, "inbox", "show", "7").stderr.startswith("✗ There is no mail 7.")


def test_correction_is_shown_with_its_look_logged_and_done_once_confirmed(playing: Path) -> None:
    assert adjudicator(playing, "game", "process", TAG, "1").exit_code == 0
    words = ("game", "amend", TAG, "1", "spain-1", "ship 1: course NE 2", "--why", "the line was lost")
    shown = adjudicator(playing, *words, stdin=b"n\n")
    looks, before = events(playing, "look"), events(playing, "replay")
    done = adjudicator(playing, *words, "--yes")

    assert (shown.exit_code, done.exit_code, done.stderr) == (130, 0, "")
    assert "What happened instead:" in shown.output
    assert ([(one["what"], one["who"]) for one in looks], before) == ([("correction", "operator")], [])
    assert "turn 1: the orders of the seat Spain-1 are corrected. Resolved again: turn 1;" in done.output
    assert [(one["turn"], one["by"], one["reason"]) for one in events(playing, "replay")] == [
        (1, "operator", "the line was lost")
    ]


def test_correction_that_is_not_to_be_had_says_why_and_the_look_stays(playing: Path) -> None:
    result = adjudicator(playing, "game", "replay", TAG, "7", "--yes")
    refused = adjudicator(playing, "game", "amend", TAG, "0", "spain-1", "dance", "--yes")

    assert (result.exit_code, refused.exit_code) == (1, 1)
    assert "Turn 7 of pirates-1 is not resolved yet" in result.stderr
    assert "Not read as orders of this seat: dance. Nothing was done." in refused.stderr
    assert [one["what"] for one in events(playing, "look")] == ["correction"]

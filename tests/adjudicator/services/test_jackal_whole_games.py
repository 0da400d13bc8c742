"""Games of «Шакал» by mail from the first letter to the last, by the rules' own end (J11).

Two bots play on by mail until the gold is home. At larger tables they open the island and then fall silent, so that a
game ends within seconds: nobody turns anything up or brings gold home until the rules end it (R-28). With
``SELFPLAY_GAMES`` all play on (`make selfplay`).
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from adjudicator.letters import Receipt, Report
from adjudicator.services.render import render
from tests.adjudicator.services.islanders import PEOPLE, checked, game, log_of, play_on, process, status
from tests.adjudicator.services.stage import HOUR, Stage

LONG = "SELFPLAY_GAMES" in os.environ
OPENING = 1
"""So many turns bots play before they fall silent."""
QUIET = 24
"""A turn more than the quiet ones after which the rules end a game at three actions a round (R-28)."""
LONGEST = 4000
ANY_END = "leader no-gold-left stalemate nobody-left nobody-can-act"


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"actions_per_round": 3}),
        (3, {"actions_per_round": 3}),
        (4, {"actions_per_round": 3, "teams": "yes"}),
        *([(4, {"actions_per_round": 3})] if LONG else []),
    ],
    ids=["two", "three", "2v2", *(["four"] if LONG else [])],
)
def test_game_by_mail_is_played_from_the_first_letter_to_the_last(
    empty: Stage, players: int, options: dict[str, Any]
) -> None:
    tag = game(empty, players, **options)
    to_the_end = LONG or players == 2
    play_on(empty, tag, LONGEST if to_the_end else OPENING)
    for _ in range(QUIET):
        if status(empty, tag) != "finished":
            process(empty, tag)
            empty.clock.move(HOUR)

    ended_well(empty, tag, players, ANY_END if LONG else "leader no-gold-left" if to_the_end else "stalemate")


def test_strict_game_by_mail_is_played_from_the_first_letter_to_the_last(empty: Stage) -> None:
    tag = game(empty, 2, mode="strict")
    play_on(empty, tag, LONGEST if LONG else 6)
    if status(empty, tag) != "finished":
        for seat in ("white", "yellow"):
            empty.write(tag, seat, "завершаем")
        process(empty, tag)

    ended_well(empty, tag, 2, ANY_END if LONG else "agreed")


def ended_well(stage: Stage, tag: str, players: int, reasons: str) -> None:
    """Check that a game is over for one of these reasons, that its log proves it, and that its letters can be read."""
    receipts = [value for _, value in stage.letters("receipt") if isinstance(value, Receipt)]
    refused = [line for receipt in receipts for line in receipt.lines if line.mark in ("refused", "command-refused")]
    assert receipts
    assert (status(stage, tag), refused) == ("finished", [])

    report = checked(stage, tag)
    assert (report.faults, report.sealed, report.finished) == ((), (), True)
    assert {turn.verdict for turn in report.turns} == {"replayed"}
    assert all(log in log_of(stage, tag) for log in (b"gm/deck/shuffle", b"gm/deck/turn/116"))
    assert log_of(stage, tag, "yellow") == log_of(stage, tag)  # the last letter keeps nothing back

    for address, _, language in PEOPLE[:players]:
        letters = [value for _, value in stage.letters("", address)]
        last = letters[-1]
        assert isinstance(last, Report)
        assert last.outcome is not None
        assert last.outcome.reason in reasons.split()
        for letter in letters[:6] + letters[-3:]:
            assert letter.reader.language == language
            text = render(letter).text
            # An order is one line, however long, so that it can be sent again as it stands.
            assert max(len(line) for line in text.splitlines() if not line.startswith("    ")) <= 76
            assert "None" not in text

"""A moderator who runs his campaign from the terminal: rulings, and commands done at once (set-sail 1.6)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from adjudicator.storage.tables import LogEntry
from tests.adjudicator.cli.commands import adjudicator
from tests.adjudicator.cli.conftest import Houses
from tests.adjudicator.cli.test_game import join_all, look
from tests.adjudicator.cli.test_moderator import bare
from tests.adjudicator.services.sailors import COMMANDS, DONE, UNSEEN

TAG = "set-sail-1"


def campaign(folder: Path) -> None:
    """Set up a house with a campaign whose sheets are filled in."""
    bare(folder)
    done(folder, "create", "set_sail", "--moderator", "vera@example.org")
    for name in ("Anna", "Boris"):
        done(folder, "invite", TAG, f"{name} <{name.lower()}@example.org>")
    join_all(folder, TAG)
    done(folder, "start", TAG)
    done(folder, "act-for", TAG, 0, "pirate-1", "sheet: name Flint; daring +2")
    done(folder, "process", TAG, 0)


@pytest.fixture
def sailing(tmp_path: Path, houses: Houses) -> Path:
    """Give a house with a campaign whose sheets are filled in."""
    return houses.lay(tmp_path, campaign)


def done(folder: Path, *words: object) -> str:
    """Run a command of ``game`` that must succeed, and return what it says."""
    result = adjudicator(folder, "game", *words)
    assert result.exit_code == 0, result.output
    return str(result.output)


def results(folder: Path) -> list[dict[str, Any]]:
    with look(folder) as work:
        lines = work.session.exec(select(LogEntry.event).order_by(col(LogEntry.seq))).all()
    return [one for one in map(json.loads, lines) if one["type"] == "result"]


def test_command_at_once_is_a_turn_of_its_own(sailing: Path) -> None:
    said = done(sailing, "now", TAG, 1, "money treasury +1 chest", "open scene")

    assert "turn 1: 2 commands, done at once as a turn of its own" in said
    assert [event["type"] for event in results(sailing)[-1]["events"]] == ["money-moved", "gated"]
    assert "2" in done(sailing, "status", TAG)


def test_line_that_is_no_command_is_refused(sailing: Path) -> None:
    result = adjudicator(sailing, "game", "now", TAG, 1, "damage Nobody 2")

    assert result.exit_code == 1
    assert "Only commands are done at once, all of them or none" in result.output


def test_moderator_rules_from_the_terminal(sailing: Path) -> None:
    done(sailing, "act-for", TAG, 1, "pirate-1", "move: daring — I climb")
    done(sailing, "process", TAG, 1)
    said = done(sailing, "act-for", TAG, 2, "moderator", "roll Flint o1: daring")
    done(sailing, "process", TAG, 2)

    assert "the Cartographer, turn 2: 1 line taken" in said
    rolled = [event for event in results(sailing)[-1]["events"] if event["type"] == "rolled"]
    assert [(one["roll"], one["stat"]) for one in rolled] == [("pirate-1/o1", "der")]


def turn(folder: Path, seat: str, *lines: str) -> list[dict[str, Any]]:
    """Have a seat's orders entered from the terminal and the open turn closed; return what came of it."""
    number = len(results(folder)) - 1
    done(folder, "act-for", TAG, number, seat, *lines)
    done(folder, "process", TAG, number)
    return list(results(folder)[-1]["events"])


@pytest.mark.parametrize("stays_out", ["stay out", "не вмешиваюсь"])
def test_moderator_spends_a_chance_and_offers_a_trade_from_the_terminal(sailing: Path, stays_out: str) -> None:
    english = stays_out == "stay out"
    done(sailing, "now", TAG, 1, "secret: there is a brother")
    turn(sailing, "pirate-1", "scheme: goal carry him off; secrets 1")
    turn(sailing, "moderator", "roll Flint o1: secrets 1, +10" if english else "бросок Flint o1: тайны 1, +10")
    turn(sailing, "pirate-1", "no move", stays_out)
    turn(sailing, "moderator", "outcome o1: as proposed" if english else "итог o1: как предложено")
    turn(sailing, "pirate-1", "move o2: daring — I climb")
    ruled = "roll Flint o2: daring, chance, +8" if english else "бросок Flint o2: дерзость, шанс, +8"
    rolled = [event for event in turn(sailing, "moderator", ruled) if event["type"] == "rolled"]
    turn(sailing, "pirate-1", "no move", stays_out)
    offered = turn(sailing, "moderator", "trade Flint o2" if english else "обмен Flint o2")
    answered = turn(sailing, "pirate-1", "trade yes", "no move")

    assert [(one["roll"], len(one["faces"]), len(one["kept"]), one["band"]) for one in rolled] == [
        ("pirate-1/o2", 3, 2, "full")
    ]
    assert [(one["roll"], one["pays"]) for one in offered if one["type"] == "trade-offered"] == [("pirate-1/o2", 2)]
    assert [one["taken"] for one in answered if one["type"] == "trade-answered"] == [True]


@pytest.mark.parametrize("language", [0, 1], ids=["ru", "en"])
def test_every_command_is_done_from_the_terminal(sailing: Path, language: int) -> None:
    ship = "корабль: имя Чёрная Каракатица; корпус 4" if language == 0 else "ship: name Kraken; hull 4"
    done(sailing, "now", TAG, 1, ship)
    done(sailing, "now", TAG, 2, *(line[language] for line in COMMANDS))

    assert [event["type"] for event in results(sailing)[-1]["events"]] == [one for one in DONE if one not in UNSEEN]


def test_command_that_cannot_be_read_is_named_and_nothing_is_done(sailing: Path) -> None:
    before = len(results(sailing))
    for line in ("damage Nobody 2 → damage Flint 2", "фарт Flint", "обмен Flint o1"):
        result = adjudicator(sailing, "game", "now", TAG, 1, "open scene", line.partition(" → ")[0])
        assert result.exit_code == 1
        assert line in " ".join(result.output.split())

    assert len(results(sailing)) == before

"""The last letter: who was who, the dice of the whole game, looks, the whole log, everything opened (1.10)."""

from __future__ import annotations

from typing import Any

import msgspec

from adjudicator.letters import Luck, Reader, Report
from adjudicator.services import ending, games, positions, previews, render, resolving, turns
from adjudicator.services.header import Header
from adjudicator.services.moderation import By
from adjudicator.services.outbox import Envelope
from adjudicator.services.work import Work
from engine.core.contract import MODERATOR
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    CAST,
    OPERATOR,
    PIRATES,
    SPAIN,
    VERA,
    Stage,
    fixed_chance,
)
from tests.adjudicator.services.test_public import log_sent, processed, watched


def short_game(stage: Stage, *, header: Header | None = None, limit: int = 1) -> str:
    """Have a game of so many rounds at its turn 0."""
    with stage.house.unit("test") as work:
        game = games.create(
            work, "pirates", 2, options={"limit": limit}, header=header or Header(), source=fixed_chance("g")
        )
        for address, name, language, seat in CAST:
            invitation = games.invite(work, game, address, name=name, language=language, seat=seat)
            games.join(work, game, invitation, phrase=f"соль {name}", arrival=work.now)
        games.start(work, game)
    stage.settle()
    return game.tag


def played_out(stage: Stage, tag: str) -> None:
    """Process turn after turn until the game is over."""
    for _ in range(9):
        with stage.house.unit("test") as work:
            game = work.game(tag)
            turn = positions.current(work, game)
            if turn is None:
                return
            turns.process(work, game, turn.number)
        resolving.resolve_due(stage.house)
        stage.settle()


def last(stage: Stage, tag: str, address: str, kind: str = "report") -> Report:
    found = [value for row, value in stage.letters(kind, address) if f"/{tag}/" in row.key]
    assert isinstance(found[-1], Report)
    return found[-1]


def test_the_last_letter_names_who_was_who_in_an_anonymous_game(empty: Stage) -> None:
    tag = short_game(empty, header=Header(names="hidden"))
    watched(empty, tag)
    before = [value for _, value in empty.letters("", VERA)] + [value for _, value in empty.letters("report", ANNA)]
    played_out(empty, tag)

    assert "name='Борис'" not in str(before)
    for address, kind in ((ANNA, "report"), (BORIS, "report"), (VERA, "report"), (OPERATOR, "public")):
        closing = last(empty, tag, address, kind).closing
        assert closing is not None
        assert [(one.seat, one.name) for one in closing.names] == [(SPAIN, "Анна"), (PIRATES, "Борис")]


def test_the_last_letter_lists_every_look_and_says_so_if_there_was_none(empty: Stage) -> None:
    tag = short_game(empty)
    with empty.house.unit("test") as work:
        reader = Reader(name="", language="ru", zone="UTC", seat=MODERATOR)
        previews.preview(work, work.game(tag), By("operator"), 0, reader, bytes(32))
    played_out(empty, tag)
    quiet = short_game(empty)
    played_out(empty, quiet)

    seen, unseen = last(empty, tag, ANNA), last(empty, quiet, ANNA)

    assert seen.closing is not None
    assert [(one["turn"], one["who"], one["what"]) for one in seen.closing.looks] == [(0, "operator", "preview")]
    assert "- хозяин службы, ход 0: предпросмотр" in render.render(seen).text
    assert unseen.closing is not None
    assert unseen.closing.looks == ()
    assert "до открытия закрытого не видел никто" in render.render(unseen).text


def test_the_last_letter_counts_all_dice_of_the_game_by_what_they_were_for(empty: Stage) -> None:
    tag = short_game(empty, limit=2)
    played_out(empty, tag)

    letter = last(empty, tag, ANNA)
    assert letter.closing is not None
    thrown: dict[str, int] = {}
    with empty.house.look() as work:
        at = positions.table(work.game(tag, lock=False))
        for event in empty.events(tag, "result"):
            for _, _, address, _, _ in event["dice"]:
                key = at.ruleset.dice_purpose(address)[0]
                thrown[key] = thrown.get(key, 0) + 1
    counted = {one.key: one.count for one in letter.closing.dice}
    assert {key: counted[key] for key in thrown} == thrown
    assert counted["gold-lot"] == 1  # its stream was opened by the end
    text = render.render(letter).text
    assert "## Кости всей партии" in text
    assert "| румб ветра" in text


def test_luck_at_the_guns_is_told_for_each_seat(empty: Stage) -> None:
    tag = short_game(empty)
    played_out(empty, tag)
    letter = last(empty, tag, ANNA)
    assert letter.closing is not None

    told = render.render(_with(letter, luck=(Luck(seat=SPAIN, key="shots", tries=21, lucky=12, expected=1050),))).text

    assert "Испания-1: 21 выстрел, попаданий 12; по расчёту вышло бы 10,50." in told


def _with(letter: Report, **closing: Any) -> Report:
    return msgspec.structs.replace(letter, closing=msgspec.structs.replace(letter.closing, **closing))


def test_the_last_letter_to_players_and_observers_carries_the_whole_log(empty: Stage) -> None:
    tag = short_game(empty)
    watched(empty, tag)
    played_out(empty, tag)
    with empty.house.look() as work:
        seq = work.game(tag, lock=False).seq

    for address in (ANNA, VERA):
        row, _ = empty.letters("report", address)[-1]
        with empty.house.look() as work:
            envelope: Envelope = work.vault.open_value(row.value, Envelope)
        assert (envelope.log_after, envelope.log_to) == (0, seq)
    lines = log_sent(empty, VERA)
    kinds = ("lock", "result", "order", "phrase")
    sealed = [line for line in lines if line.get("type") in kinds and line.get("private")]
    opened = {line["open"] for line in lines if "open" in line}
    assert sealed
    assert {line["seq"] for line in sealed} <= opened


def test_a_game_that_is_broken_off_tells_the_same_of_what_was_played(place: Stage) -> None:
    tag = place.game()
    processed(place, tag)

    def finish(work: Work) -> None:
        ending.finish(work, positions.table(work.game(tag)), "finish")

    place.alter(finish)
    letter = last(place, tag, ANNA)

    assert letter.closing is not None
    assert {one.key for one in letter.closing.dice} >= {"wind-rhumb", "wind-force"}

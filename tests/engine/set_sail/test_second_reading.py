"""Wounds, talks and money reckoned a second time, from the sentences of the page alone, over all small positions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from engine.core.contract import Answers, Question, Seat, Sheet
from engine.core.dice import LoadedDice
from engine.set_sail.commands import Bid, BidValue
from engine.set_sail.options import SetSailOptions
from engine.set_sail.rules import money, rolls, talks, wounds
from engine.set_sail.rules.play import Play
from engine.set_sail.state import Level, Pirate, SetSailState, Ship, ShipSecret, Talk, Wound

ANNA, BORIS = "pirate-1", "pirate-2"


def play_of(state: SetSailState, sheets: dict[Seat, Sheet] | None = None, face: int = 4) -> Play:
    answers = Answers()
    return Play(state, sheets or {}, LoadedDice({}, lambda _, sides: min(face, sides)), answers)


# Wounds (P6a, P11–P14, A15–A19, A24) ----------------------------------------------------------------------------------

WEIGHT = {"L": 1, "S": 2, "T": 3}
LEVEL: dict[str, Level] = {"L": "light", "S": "serious", "T": "terrible"}
SLOTS = [slots for n in range(4) for slots in product("lLST", repeat=n)]
"""A small l is a light wound whose −1 is still to come."""


def struck(
    slots: tuple[str, ...], luck: int, damage: int, kind: str, bought: int, *, strict: bool
) -> tuple[str, int, bool]:
    """Return slots and luck after damage, and whether Fate is met."""
    body, fate = list(slots), False
    for _ in range(damage):
        if bought and luck:  # P6a, A17: one point a wound, whatever it is
            bought, luck = bought - 1, luck - 1
            continue
        full = len(body) == 3
        if full and (strict or body == ["T", "T", "T"]):  # P14, A15: luck must pay, and without it there is Fate
            fate = fate or luck == 0
            luck = max(0, luck - 1)
        elif not full:  # P11
            body.append("l" if kind == "L" else kind)
        else:  # P12, P13, A14, A16, A19: the lightest and oldest grows, and its own −1 is gone
            oldest = min(range(3), key=lambda place: (WEIGHT[body[place].upper()], place))
            body[oldest] = "T" if kind == "T" else {"L": "S", "S": "T"}[body[oldest].upper()]
    return "".join(body), luck, fate


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("kind", ["L", "S", "T"])
def test_damage_does_what_the_sentences_say_in_every_small_position(kind: str, *, strict: bool) -> None:
    options = SetSailOptions(full_slots="luck_only" if strict else "escalate")
    wrong = []
    for slots, luck, damage in product(SLOTS, range(3), range(1, 4)):
        held = tuple(Wound(level=LEVEL[one.upper()], unspent=one == "l") for one in slots)
        state = SetSailState(options=options, roster=(ANNA,), pirates=(Pirate(seat=ANNA, luck=luck, wounds=held),))
        for bought in range(damage + 1):
            play = play_of(state)
            fate = wounds.damage(play, ANNA, damage, LEVEL[kind], bought=bought)
            pirate = play.pirate(ANNA)
            body = "".join("l" if one.unspent else one.level[0].upper() for one in pirate.wounds)
            if (body, pirate.luck, fate) != struck(slots, luck, damage, kind, bought, strict=strict):
                wrong.append((slots, luck, damage, bought, body, pirate.luck, fate))

    assert wrong == []


# Talks (P40–P46, A48–A51) ---------------------------------------------------------------------------------------------

BEATS = {("purse", "life"), ("glory", "purse"), ("life", "glory")}
VALUES: tuple[BidValue, ...] = ("purse", "life", "glory")
PAIRS = list(product(VALUES, repeat=2))
Bids: TypeAlias = tuple[tuple[BidValue, BidValue], ...]


def reckoned(bids: Bids, with_secret: int, face: int, *, pirates: bool) -> list[int]:
    """Return the scores after each round, all three played, as 10·a + b."""
    score, first, after = {"a": 0, "b": 0}, "a", []
    for place, (a, b) in enumerate(bids):
        winner = "a" if (a, b) in BEATS else "b" if (b, a) in BEATS else ""
        if a == b:  # P42: the first checks reputation, two dice of one face
            total, other = 2 * face, "b" if first == "a" else "a"
            winner = first if total >= 10 else other if total <= 6 else ""
        if winner:
            score[winner] += 2 if winner == "a" and place == with_secret else 1  # P43, A49
        if winner and pirates:  # P40, A48
            first = "b" if winner == "a" else "a"
        after.append(score["a"] * 10 + score["b"])
    return after


class Unasked(Answers):
    """Answers that play on whenever they are asked, and keep count."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def take(self, *questions: Question) -> tuple[str, ...]:
        """Answer by silence."""
        self.asked += len(questions)
        return tuple(question.default for question in questions)


def talked(bids: Bids, with_secret: int, face: int, *, pirates: bool) -> Iterator[Play]:
    """Play three rounds; yield the play after each."""
    seats = (ANNA, BORIS) if pirates else (ANNA,)
    other = BORIS if pirates else "fort"
    state = SetSailState(
        options=SetSailOptions(),
        roster=seats,
        pirates=tuple(Pirate(seat=seat) for seat in seats),
        ship=Ship(secrets=(ShipSecret(id=1, text="тайна"),)),
        talks=(Talk(number=1, a=ANNA, b=other, suitable_a=(1,)),),
    )
    for place, (a, b) in enumerate(bids):
        sheets: dict[Seat, Sheet] = {ANNA: (Bid(talk=1, value=a, uses=int(place == with_secret)),)}
        if pirates:
            sheets[BORIS] = (Bid(talk=1, value=b),)
        else:
            state = replace(state, talks=tuple(replace(talk, sealed=b) for talk in state.talks))
        play = play_of(state, sheets, face)
        play.answers = Unasked()
        talks.bid(play)
        rolls.open_set_off(play)
        talks.settle_ties(play)
        state = play.state
        yield play


@pytest.mark.parametrize(("face", "pirates", "with_secret"), [(1, True, 9), (4, True, 9), (4, False, 0), (6, False, 1)])
def test_talks_score_as_the_sentences_say_for_all_bids(face: int, with_secret: int, *, pirates: bool) -> None:
    wrong = []
    for bids in product(PAIRS, PAIRS, [("life", "glory"), ("glory", "glory"), ("purse", "glory")]):
        scores = reckoned(bids, with_secret, face, pirates=pirates)
        plays = list(talked(bids, with_secret, face, pirates=pirates))
        ended = [event for event in plays[-1].events if type(event).__name__ == "TalkEnded"]
        open_ = [(talk.score_a * 10 + talk.score_b) for play in plays[:2] for talk in play.state.talks]
        a, b = divmod(scores[1], 10)
        asked = min(a, b) == 0 and abs(a - b) >= 2  # P45, A50
        made = [plays[1].answers.asked == asked, open_ == scores[:2], len(ended) == 1]  # type: ignore[attr-defined]
        final = [(one.score_a * 10 + one.score_b, one.winner) for one in ended]  # type: ignore[attr-defined]
        a, b = divmod(scores[2], 10)
        if not all(made) or final != [(scores[2], "a" if a > b else "b" if b > a else "")]:
            wrong.append((bids, made, final, scores))

    assert wrong == []


# Money (P24, A29) -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coins", ["on", "off"])
def test_money_is_moved_whole_or_not_at_all(coins: str) -> None:
    options = SetSailOptions(money_coins="off" if coins == "off" else "on")
    for treasury, n in product((0, 49, 50, 119), (-120, -119, -100, -50, -47, 0, 7, 50)):
        play = play_of(SetSailState(options=options, roster=(ANNA,), treasury=treasury))

        why = money.move(play, "", n)

        fits = treasury + n >= 0 and (coins == "on" or n % 50 == 0)
        assert (why == "", play.state.treasury) == (fits, treasury + n if fits else treasury)
        chests, doubloons, piastres = money.counted(play.state.treasury)
        assert (chests * 10 + doubloons) * 5 + piastres == play.state.treasury
        assert doubloons < 10 > 2 * piastres

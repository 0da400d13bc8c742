"""«Провести переговоры»: three sealed rounds (P39–P46, A46–A53)."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from engine.core.contract import MODERATOR, Choice, Question, Seat
from engine.set_sail.commands import LOT, Bid, OpenTalk, SealBid, StandingBids, StandingYield
from engine.set_sail.events import BidsOpened, RoundDecided, SecretLost, TalkEnded, TalkOpened
from engine.set_sail.rules import fate, luck, secrets
from engine.set_sail.rules.carrying import harm
from engine.set_sail.rules.play import Play
from engine.set_sail.rules.rolls import throw_for, with_chances
from engine.set_sail.state import BIDS, Enemy, Modifier, Roll, Talk

BEATS: Final = {"purse": "life", "glory": "purse", "life": "glory"}
"""What each value beats (P41)."""
ROUNDS, LEAD = 3, 2
_ID: Final = re.compile(r"[a-z0-9_-]{1,32}", re.ASCII)
"""Whoever bids is the actor of a die (fair-play 3.5)."""

Side: TypeAlias = Literal["a", "b"]
OTHER: Final[dict[str, Side]] = {"a": "b", "b": "a"}


def open_talk(play: Play, order: OpenTalk) -> str:
    """Begin negotiations; say why not (P39, P40). Against the moderator's character the players are first."""
    roster = play.state.roster
    if not _ID.fullmatch(order.b):
        return "no-opponent"
    if order.a not in roster or order.a == order.b or not play.has_pirate(order.a):
        return "no-pirate"
    if order.b in roster and not play.has_pirate(order.b):
        return "no-pirate"
    if any({order.a, order.b} & {talk.a, talk.b} & set(roster) for talk in play.state.talks):
        return "talking-already"
    number = play.state.talks_held + 1
    talk = Talk(
        number=number,
        a=order.a,
        b=order.b,
        threat=order.threat,
        plan=order.plan,
        suitable_a=order.suitable_a,
        suitable_b=order.suitable_b,
    )
    play.set(talks_held=number, talks=(*play.state.talks, talk))
    if order.called and order.b not in {one.id for one in play.state.enemies}:
        play.set(enemies=(*play.state.enemies, Enemy(id=order.b, threat=order.threat, name=order.called)))
    play.tell(TalkOpened(rule="P39", talk=number, a=talk.a, b=talk.b, first="a"))
    return ""


def seal(play: Play, order: SealBid) -> str:
    """Lay down the bid of the moderator's character, before the players' are taken (fair-play, rule N)."""
    talk = next((one for one in play.state.talks if one.number == order.talk), None)
    if talk is None or talk.b in play.state.roster:
        return "no-talk"
    value = "" if order.value == LOT else order.value
    play.put_talk(replace(talk, sealed=value, sealed_secret=order.uses, sealed_chance=order.chance))
    return ""


# A round --------------------------------------------------------------------------------------------------------------


def bid(play: Play) -> None:
    """Open the bids of every talk that waits for them (P40)."""
    for talk in play.state.talks:
        if not talk.tie:
            _open_bids(play, talk)


def _open_bids(play: Play, talk: Talk) -> None:
    slot = f"n{talk.number}/bid"
    bids = {seat: play.order(seat, Bid, slot) for seat in (talk.a, talk.b)}
    value_a, face_a = _value(play, talk, talk.a, bids[talk.a])
    value_b, face_b = _value(play, talk, talk.b, bids[talk.b])
    used_a, used_b = _use(play, talk, "a", bids[talk.a]), _use(play, talk, "b", bids[talk.b])
    winner: Side | Literal[""] = "a" if BEATS[value_a] == value_b else "b" if BEATS[value_b] == value_a else ""
    gm_chance = talk.sealed_chance
    talk = replace(talk, stake_a=2 if used_a else 1, stake_b=2 if used_b else 1)
    talk = replace(talk, sealed="", sealed_secret="", sealed_chance=False)
    tied = value_a == value_b
    after = talk if tied else _scored(talk, winner)
    first, other = bids[talk.a], bids[talk.b]
    play.tell(
        BidsOpened(
            rule="P42" if tied else "P41",
            about=tuple(seat for seat in (talk.a, talk.b) if seat in play.state.roster),
            talk=talk.number,
            round=talk.round,
            bid_a=value_a,
            bid_b=value_b,
            text_a=first.text if first is not None else "",
            text_b=other.text if other is not None else "",
            secret_a=bool(used_a),
            secret_b=bool(used_b),
            winner="tie" if tied else winner,
            score_a=after.score_a,
            score_b=after.score_b,
            face=face_a or face_b,
            a=talk.a,
            b=talk.b,
        )
    )
    if tied:
        _tie_check(play, talk, bids[getattr(talk, talk.first)], gm_chance=gm_chance)
    else:
        _round_over(play, after, winner)


def _value(play: Play, talk: Talk, who: str, order: Bid | None) -> tuple[str, int]:
    """Return a bid: as sealed, else by standing words, else one die of three sides (fair-play, rule N)."""
    if order is not None and order.value != LOT:
        return order.value, 0
    if who == talk.b and talk.sealed:
        return talk.sealed, 0
    standing = play.order(who, StandingBids) if who in play.state.roster else None
    if standing is not None and len(standing.values) >= talk.round:
        return standing.values[talk.round - 1], 0
    face = play.dice.die(f"{who}/n{talk.number}/bid{talk.round}/0", len(BIDS))
    return BIDS[face - 1], face


def _use(play: Play, talk: Talk, side: Side, order: Bid | None) -> str:
    """Use up a declared secret that fits, won or lost, and return its text; one that does not fit is kept (P43, A49).

    Against the moderator's character it is the crew's, his are what others know of the crew; between pirates each
    speaks only of what he learnt about the other.
    """
    who = talk.a if side == "a" else talk.b
    if who not in play.state.roster:
        text = talk.sealed_secret
        return text if text and secrets.expose(play, who, -1, text) else ""
    fits = talk.suitable_a if side == "a" else talk.suitable_b
    if order is None or order.uses not in fits:
        return ""
    if talk.b in play.state.roster:
        return _use_own(play, who, talk.b if side == "a" else talk.a, order.uses)
    found = next((one.text for one in play.state.ship.secrets if one.id == order.uses), "")
    return found if secrets.cross_out(play, order.uses, "told") else ""


def _use_own(play: Play, seat: Seat, about: Seat, number: int) -> str:
    pirate = play.pirate(seat)
    found = next((one for one in pirate.knows if one.id == number and one.who == about), None)
    if found is None:
        return ""
    play.put_pirate(seat, knows=tuple(one for one in pirate.knows if one.id != number))
    play.tell(SecretLost(rule="P43", audience=(seat, about), id=number, why="told", text=found.text))
    return found.text


def _tie_check(play: Play, talk: Talk, order: Bid | None, *, gm_chance: bool) -> None:
    """Equal bids: whoever is first checks reputation (P42); a chance only if the talk is part of a plan (A46)."""
    seat = talk.a if talk.first == "a" else talk.b
    key = f"{seat}/n{talk.number}/neg{talk.round}"
    play.put_talk(replace(talk, tie=key))
    roll = Roll(key=key, seat=seat, kind="tie", stat="rep", talk=talk.number, plan=talk.plan)
    extra: list[Modifier] = []
    planned = bool(talk.plan)
    chance = order is not None and order.chance
    roll = with_chances(play, roll, extra, chance=planned and chance, gm_chance=planned and gm_chance)
    throw_for(play, roll, None, extra)


def settle_ties(play: Play) -> None:
    """Decide the rounds whose check is final (P42): 10+ the first, 6− the opponent, else nobody."""
    for roll in play.state.rolls:
        talk = next((one for one in play.state.talks if one.tie == roll.key), None)
        if roll.step == "decided":
            play.put_roll(replace(roll, step="applied"))
            if talk is not None:
                _decide(play, talk, roll)


def _decide(play: Play, talk: Talk, roll: Roll) -> None:
    winner: Side | Literal[""] = ""
    if roll.band == "full":
        winner = talk.first
    elif roll.band == "miss":
        winner = OTHER[talk.first]
    scored = replace(_scored(talk, winner), tie="")
    play.tell(
        RoundDecided(
            rule="P42",
            talk=talk.number,
            round=talk.round,
            winner=winner,
            score_a=scored.score_a,
            score_b=scored.score_b,
            a=talk.a,
            b=talk.b,
        )
    )
    _round_over(play, scored, winner)


def _scored(talk: Talk, winner: str) -> Talk:
    """Give the winner a trump, or two where a fitting secret went with the bid (P41, P43, A49)."""
    if winner == "a":
        return replace(talk, score_a=talk.score_a + talk.stake_a)
    return replace(talk, score_b=talk.score_b + talk.stake_b) if winner == "b" else talk


# After a round --------------------------------------------------------------------------------------------------------


def _round_over(play: Play, talk: Talk, winner: str) -> None:
    """Go on to the next round, ask whether the loser yields after two, or end it (P40, P44, P45, A48, A50)."""
    between_pirates = talk.b in play.state.roster
    if between_pirates and winner in OTHER:
        talk = replace(talk, first=OTHER[winner])
    yielded = talk.round == ROUNDS - 1 and _shut_out(talk) and _yields(play, talk)
    if talk.round < ROUNDS and not yielded:
        play.put_talk(replace(talk, round=talk.round + 1, stake_a=1, stake_b=1))
        return
    play.set(talks=tuple(one for one in play.state.talks if one.number != talk.number))
    _end(play, talk, yielded=yielded)


def _shut_out(talk: Talk) -> bool:
    """Say whether one side has nothing and lies 2 or more behind (P45, A50)."""
    return min(talk.score_a, talk.score_b) == 0 and abs(talk.score_a - talk.score_b) >= LEAD


def _yields(play: Play, talk: Talk) -> bool:
    """Ask the losing side whether it yields before the third round (P45); silent, it plays on."""
    loser = talk.a if talk.score_a < talk.score_b else talk.b
    asked = loser if loser in play.state.roster else MODERATOR
    word = play.order(asked, StandingYield)
    policy = "" if word is None else "yield" if word.give_up else "play-on"
    question = Question(
        key=f"{loser}/n{talk.number}/yield/0",
        seat=asked,
        what="yield",
        choices=(Choice(word="yield"), Choice(word="play-on")),
        default="play-on",
        facts={"talk": talk.number, "score_a": talk.score_a, "score_b": talk.score_b},
        policy=policy,
    )
    return bool(policy == "yield") if policy else play.ask(question)[0] == "yield"


def _end(play: Play, talk: Talk, *, yielded: bool) -> None:
    """End a talk: the lower side yields, equal ones compromise (P44); the loser pays (P46, A51, A52, A53)."""
    lead = talk.score_a - talk.score_b
    winner = "a" if lead > 0 else "b" if lead < 0 else ""
    told = TalkEnded(
        rule="P45" if yielded else "P44",
        talk=talk.number,
        score_a=talk.score_a,
        score_b=talk.score_b,
        winner=winner,
        yielded=yielded,
        a=talk.a,
        b=talk.b,
    )
    play.tell(told)
    if not winner:
        return
    loser = talk.b if winner == "a" else talk.a
    if loser in play.state.roster:
        if play.has_pirate(loser) and not luck.lose(play, loser, abs(lead), "talk"):
            fate.meet(play, [loser], "talk", "P46")
    elif talk.threat or any(one.id == loser and one.threat for one in play.state.enemies):
        harm(play, loser, abs(lead))

"""Secrets: three on the ship's sheet, those a pirate learnt, those others know about the crew (P25, P43, A30)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.contract import Seat
from engine.set_sail.commands import StandingStale
from engine.set_sail.events import SecretExposed, SecretGained, SecretLost
from engine.set_sail.rules.play import Play
from engine.set_sail.state import Decision, Faction, Knowledge, Roll, ShipSecret

MOST = 3


def gain(play: Play, text: str, about: str, finder: Seat, roll: Roll | None) -> None:
    """Learn a secret; a fourth makes one of the old three stale (P25): the captain's word, else the finder's (A30)."""
    if len(play.state.ship.secrets) < MOST:
        _write(play, text, about, finder)
        return
    captain = play.captains(StandingStale)
    if captain is not None:
        cross_out(play, captain.id or oldest(play), "stale")
        _write(play, text, about, finder)
    elif play.has_pirate(finder):
        key = play.next_key(roll, "stale", finder)
        where = roll.key if roll is not None else ""
        play.decide(Decision(key=key, seat=finder, kind="stale", roll=where, text=text, about=about))
    else:
        cross_out(play, oldest(play), "stale")
        _write(play, text, about, finder)


def settle(play: Play, decision: Decision, chosen: int) -> None:
    """Cross out the secret that was chosen, the oldest if it is not there, and write down the new one (A30)."""
    if len(play.state.ship.secrets) >= MOST:
        known = [one.id for one in play.state.ship.secrets]
        cross_out(play, chosen if chosen in known else oldest(play), "stale")
    _write(play, decision.text, decision.about, decision.seat)


def oldest(play: Play) -> int:
    """Return the id of the oldest secret on the ship's sheet, 0 if there is none."""
    return min((one.id for one in play.state.ship.secrets), default=0)


def _write(play: Play, text: str, about: str, finder: Seat) -> None:
    number = play.state.secrets_found + 1
    new = ShipSecret(id=number, text=text, about=about, finder=finder)
    play.set(secrets_found=number)
    play.put_ship(secrets=(*play.state.ship.secrets, new))
    play.tell(SecretGained(rule="P25", audience=play.crew, id=number, text=text, whom=about))


def cross_out(play: Play, number: int, why: str) -> bool:
    """Cross a secret out of the ship's sheet; say whether it was there."""
    found = next((one for one in play.state.ship.secrets if one.id == number), None)
    if found is None and why == "stale":
        number = oldest(play)
        found = next((one for one in play.state.ship.secrets if one.id == number), None)
    if found is None:
        return False
    play.put_ship(secrets=tuple(one for one in play.state.ship.secrets if one.id != number))
    play.tell(SecretLost(rule="P25", audience=play.crew, id=number, why=why, text=found.text))
    return True


def learn(play: Play, seat: Seat, who: str, text: str) -> None:
    """Let a pirate learn a secret about another: his own, not the crew's (P43)."""
    number = play.pirate(seat).learnt + 1
    knows = (*play.pirate(seat).knows, Knowledge(id=number, who=who, text=text))
    play.put_pirate(seat, knows=knows, learnt=number)
    play.tell(SecretGained(rule="P43", audience=(seat,), id=number, text=text, whom=who, seat=seat))


def expose(play: Play, who: str, n: int, text: str) -> bool:
    """Another side learns a secret about the crew, or forgets one (``exposed``); say whether it knew it."""
    known = next((one for one in play.state.factions if one.id == who), Faction(id=who))
    if n < 0 and text not in known.secrets:
        return False
    secrets = (*known.secrets, text) if n > 0 else tuple(one for one in known.secrets if one != text)
    others = {one.id: one for one in play.state.factions} | {who: replace(known, secrets=secrets)}
    play.set(factions=tuple(others.values()))
    play.tell(SecretExposed(rule="P43", audience=play.crew, who=who, n=n, text=text))
    return True

"""What a card demands of whoever makes its move: post, background, place, ship, token, uses (P4, page 1.5)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.core.contract import Seat
from engine.core.names import fold
from engine.set_sail.cards import Card
from engine.set_sail.state import Pirate, SetSailState

CAPTAIN: Final = ("капитан", "captain")
"""The post of whoever the moderator made captain, whatever stands on his sheet."""
HELD: Final = ("role", "background", "special")
"""Groups of cards that a pirate may hold on his sheet."""


DEMANDS: Final = (
    "not-your-move",
    "not-your-background",
    "no-token",
    "no-ship",
    "not-on-the-ship",
    "not-in-port",
    "not-at-sea",
    "used-up",
)
"""Every key of a demand."""


class Demand(NamedTuple):
    """A demand that is not met: its key in the words for people, the rule, and what would meet it."""

    key: str
    rule: str
    wanted: tuple[str, ...] = ()


def unmet(state: SetSailState, seat: Seat, card: Card, meant: int = 0) -> tuple[Demand, ...]:
    """Return which demands of a card a seat's pirate does not meet now; none for one he may make.

    A card that stands on his sheet asks for neither post nor background. ``meant`` are declarations of it in the same
    letter; those that wait for a ruling count too.
    """
    pirate = next((one for one in state.pirates if one.seat == seat), None)
    if pirate is None:
        return ()
    return (*_of_sheet(state, pirate, card), *_of_place(state, card), *_of_uses(state, pirate, card, meant))


def _of_sheet(state: SetSailState, pirate: Pirate, card: Card) -> list[Demand]:
    wants, found = card.requires, []
    if card.id not in pirate.moves:
        posts = {_plain(pirate.post), *(CAPTAIN if state.captain == pirate.seat else ())}
        if wants.post and not any(_plain(one) in posts for one in wants.post):
            found.append(Demand("not-your-move", "P4", wants.post))
        named = [one.name for one in state.backgrounds if one.id == pirate.background]
        whence = {_plain(one) for one in (pirate.background, *named)}
        if wants.background and not any(_plain(one) in whence for one in wants.background):
            found.append(Demand("not-your-background", "P4", wants.background))
    if wants.token and not any(one.n > 0 for one in pirate.ambush):
        found.append(Demand("no-token", "P10"))
    return found


def _plain(text: str) -> str:
    """Return a text as it is compared."""
    return " ".join(fold(text).text.split())


def _of_place(state: SetSailState, card: Card) -> list[Demand]:
    wants, ship, found = card.requires, state.ship, []
    if wants.ship and not (ship.name or ship.hull_max):
        found.append(Demand("no-ship", "P29"))
    if card.group in ("ship_extra", "rigging") and card.id not in (*ship.moves, *ship.rigging):
        found.append(Demand("not-on-the-ship", "P34"))
    if wants.place == "port" and state.passage:
        found.append(Demand("not-in-port", "P47"))
    if wants.place == "sea" and not state.passage:
        found.append(Demand("not-at-sea", "P29"))
    return found


def _of_uses(state: SetSailState, pirate: Pirate, card: Card, meant: int) -> list[Demand]:
    if not card.uses:
        return []
    waiting = sum(one.step == "declared" and (one.seat, one.move) == (pirate.seat, card.id) for one in state.rolls)
    made = state.used.count(f"{pirate.seat}/{card.id}") + waiting + meant
    return [Demand("used-up", "P4", (str(card.uses),))] if made >= card.uses else []

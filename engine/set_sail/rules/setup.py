"""The beginning of a campaign, and new pirates later on (P1, P5, A25)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from engine.core.contract import Answers, Facts, Resolution, Seat, SeatInfo
from engine.core.dice import Dice
from engine.set_sail.cards import BadCards, cards_of, deck
from engine.set_sail.commands import Enlist
from engine.set_sail.events import CampaignBegan, PirateEnlisted
from engine.set_sail.options import SetSailOptions
from engine.set_sail.rules.checks import AT_CREATION, clamped
from engine.set_sail.rules.play import Play
from engine.set_sail.state import Background, Pirate, Player, SetSailState

SEATS: Final = (2, 8)
LUCK: Final = 3
"""What a background gives of which the group's file says nothing."""
MOST_LUCK: Final = 20
MOST_BACKGROUNDS: Final = 60


def seats(players: int) -> tuple[SeatInfo, ...]:
    """Return the places of a campaign. Raises ValueError for other than 2 to 8 players."""
    if not SEATS[0] <= players <= SEATS[1]:
        raise ValueError(f"{players!r} players: a campaign has {SEATS[0]} to {SEATS[1]}")
    return tuple(
        SeatInfo(
            id=f"pirate-{number}",
            side="crew",
            titles={"ru": f"Пират {number}", "en": f"Pirate {number}"},
            pieces=(f"pirate-{number}",),
        )
        for number in range(1, players + 1)
    )


def start(options: SetSailOptions, roster: Sequence[Seat], dice: Dice, data: Facts | None) -> Resolution:
    """Return the position before the sheets are filled in. Raises BadCards for a document that cannot be used."""
    found = dict(data or {})
    backgrounds = _backgrounds(found.pop("background", []))
    own = cards_of(found) if found else ()
    state = SetSailState(
        options=options,
        roster=tuple(roster),
        players=tuple(Player(seat=seat) for seat in roster),
        cards=deck(own),
        backgrounds=backgrounds,
    )
    play = Play(state, {}, dice, Answers())
    play.tell(CampaignBegan(rule="P49", seats=tuple(roster)))
    return Resolution(state=play.state, events=tuple(play.events))


def _backgrounds(found: Any) -> tuple[Background, ...]:
    """Return the backgrounds a group's file lists (P5). Raises BadCards, naming the key."""
    if not isinstance(found, list | tuple) or len(found) > MOST_BACKGROUNDS:
        raise BadCards("background", f"not a list of at most {MOST_BACKGROUNDS}")
    backgrounds = []
    for place, one in enumerate(found):
        key = f"background[{place}]"
        if not isinstance(one, Mapping) or set(one) - {"id", "name", "luck"}:
            raise BadCards(key, "not a table of id, name and luck")
        try:
            background = msgspec.convert(dict(one), type=Background)
        except msgspec.ValidationError as why:
            raise BadCards(key, str(why)) from why
        if not 0 <= background.luck <= MOST_LUCK:
            raise BadCards(f"{key}.luck", f"{background.luck} is not between 0 and {MOST_LUCK}")
        backgrounds.append(background)
    return tuple(backgrounds)


def enlist(play: Play, seat: Seat, sheet: Enlist, luck: int | None = None) -> None:
    """Fill in a new sheet: no stat above +2 (P1), luck as the background gives (P5); a successor inherits nothing.

    The sheet of a pirate who is alive is set right: what has befallen him stays, and +3 may stand on it.
    """
    old = next((one for one in play.state.pirates if one.seat == seat), None)
    if old is not None and old.status != "dead":
        _set_right(play, old, sheet, luck)
        return
    successor = old is not None and old.status == "dead"
    given = next((one.luck for one in play.state.backgrounds if one.id == sheet.background), LUCK)
    start_luck = max(0, min(MOST_LUCK, given if luck is None else luck))
    new = Pirate(
        seat=seat,
        name=sheet.name,
        number=old.number + 1 if old is not None and successor else 1,
        post=sheet.post,
        background=sheet.background,
        der=clamped(sheet.der, AT_CREATION),
        izv=clamped(sheet.izv, AT_CREATION),
        dal=clamped(sheet.dal, AT_CREATION),
        rep=clamped(sheet.rep, AT_CREATION),
        luck=start_luck,
        luck_start=start_luck,
    )
    _put(play, new)
    play.tell(PirateEnlisted(rule="P1", about=(seat,), seat=seat, name=sheet.name, successor=successor))


def _set_right(play: Play, old: Pirate, sheet: Enlist, luck: int | None) -> None:
    new = msgspec.structs.replace(
        old,
        name=sheet.name or old.name,
        post=sheet.post or old.post,
        background=sheet.background or old.background,
        der=clamped(sheet.der),
        izv=clamped(sheet.izv),
        dal=clamped(sheet.dal),
        rep=clamped(sheet.rep),
        luck=old.luck if luck is None else max(0, min(MOST_LUCK, luck)),
    )
    _put(play, new)
    play.tell(PirateEnlisted(rule="P1", about=(old.seat,), seat=old.seat, name=new.name))


def _put(play: Play, new: Pirate) -> None:
    others = {one.seat: one for one in play.state.pirates} | {new.seat: new}
    play.set(pirates=tuple(others[one] for one in play.state.roster if one in others))

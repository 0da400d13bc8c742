"""The beginning of a campaign, and new pirates later on (P1, P5, A25)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from engine.core.contract import Answers, Facts, Resolution, Seat, SeatInfo
from engine.core.dice import Dice
from engine.set_sail.cards import BadCards, cards_of, deck
from engine.set_sail.commands import Enlist
from engine.set_sail.events import CampaignBegan, PirateEnlisted
from engine.set_sail.options import SetSailOptions
from engine.set_sail.rules.checks import clamped
from engine.set_sail.rules.play import Play
from engine.set_sail.state import AT_CREATION, MOST, STATS, Background, Pirate, Player, SetSailState

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
    if any(card.private for card in own):
        raise BadCards("meta.visibility", "the public log holds this document: private cards are laid by «колода:»")
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

    The sheet of a pirate who is alive is set right: what is not said, and what has befallen him, stays, and +3 may
    stand on it once the campaign has begun.
    """
    old = next((one for one in play.state.pirates if one.seat == seat), None)
    alive = old is not None and old.status != "dead"
    if old is not None and alive and play.state.stage != "set-up":
        new = _filled(old, sheet, MOST)
        new = new if luck is None else replace(new, luck=_bounded(luck))
    else:
        new = _filled(old if old is not None and alive else Pirate(seat=seat), sheet, AT_CREATION)
        given = next((one.luck for one in play.state.backgrounds if one.id == new.background), LUCK)
        start_luck = _bounded(given if luck is None else luck)
        new = replace(new, luck=start_luck, luck_start=start_luck)
    if old is not None and not alive:
        new = replace(new, number=old.number + 1)
    others = {one.seat: one for one in play.state.pirates} | {seat: new}
    play.set(pirates=tuple(others[one] for one in play.state.roster if one in others))
    successor = old is not None and not alive
    play.tell(PirateEnlisted(rule="P1", about=(seat,), seat=seat, name=new.name, successor=successor))


def _bounded(luck: int) -> int:
    return max(0, min(MOST_LUCK, luck))


def _filled(old: Pirate, sheet: Enlist, most: int) -> Pirate:
    """Return a sheet with what was said put upon it."""
    said = {stat: getattr(sheet, stat) for stat in STATS}
    return replace(
        old,
        name=sheet.name or old.name,
        post=sheet.post or old.post,
        background=sheet.background or old.background,
        moves=old.moves if sheet.moves is None else sheet.moves,
        **{stat: clamped(value, most) for stat, value in said.items() if value is not None},
    )

"""An address that takes no letters is marked, and who runs its games is told; nobody is resigned (play-by-mail 7)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlmodel import select

from adjudicator.clock import iso
from adjudicator.services import people, turns
from adjudicator.services.work import Work
from adjudicator.storage.tables import Address, Player

WEEK: Final = timedelta(days=7)
MARKED: Final = 2
"""Hard failures, each within a week of the one before, that mark an address."""


def note(work: Work, address: str) -> bool:
    """Count a hard failure of an address; return whether it was marked before: then all who care know of it."""
    known = False
    for row in work.session.exec(select(Address).where(Address.address == address)).all():
        again = row.failed is not None and work.now - row.failed <= WEEK
        known = known or (again and row.failures >= MARKED)
        row.failures = row.failures + 1 if again else 1
        row.failed = work.now
        work.session.add(row)
        if row.failures == MARKED:
            _tell(work, row)
    return known


def _tell(work: Work, row: Address) -> None:
    for tenure, game in people.tenures_of(work, work.session.get_one(Player, row.player_id)):
        facts = {"address": row.address, "seat": tenure.seat, "tag": game.tag}
        turns.tell_moderator(work, game, "address-fails", f"{row.id}/{iso(work.now)}", facts)

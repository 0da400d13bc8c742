"""Letters without bytes get them, each stored before anything is sent; one that cannot be made stops no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from adjudicator.services import outbox, turns
from adjudicator.services.outbox import Job
from adjudicator.services.work import House
from adjudicator.storage.tables import Game

Made: TypeAlias = tuple[bytes, str, str]
"""The bytes of a letter, its text part, and the hash of the bytes."""
Make: TypeAlias = Callable[[Job], Made]


def gather(house: House, limit: int = 20) -> Sequence[Job]:
    """Return the letters whose bytes are to be made now."""
    with house.look() as work:
        return [job for letter_id in outbox.unrendered(work, limit) if (job := outbox.job(work, letter_id)) is not None]


def keep(house: House, job: Job, made: Made | BaseException) -> None:
    """Store a letter's bytes, or set it back with what went wrong; after the last try the operator is told."""
    if not isinstance(made, BaseException):
        with house.unit("render") as work:
            outbox.keep_bytes(work, job.letter_id, *made)
        return
    if not isinstance(made, Exception):
        raise made
    with house.unit("unrenderable") as work:
        given_up = outbox.unrenderable(work, job.letter_id, made)
        if given_up is not None and given_up.kind != "unrenderable":
            facts = {"address": given_up.address, "key": given_up.key, "why": given_up.trouble}
            game = work.session.get(Game, given_up.game_id) if given_up.game_id else None
            turns.tell_operators(work, "unrenderable", f"{given_up.id}", facts, game)


def render_all(house: House, make: Make) -> int:
    """Make the bytes of all letters that are waiting, in this process; return how many were tried."""
    jobs = gather(house)
    for job in jobs:
        try:
            made: Made | BaseException = make(job)
        except Exception as trouble:  # noqa: BLE001 - a letter that cannot be made must not keep the others from being sent
            made = trouble
        keep(house, job, made)
    return len(jobs)

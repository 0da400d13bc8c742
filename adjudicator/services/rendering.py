"""Letters without bytes get them, each stored before anything is sent; one that cannot be made stops no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from adjudicator.services import archive, outbox, turns
from adjudicator.services.outbox import Job
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, Letter

Made: TypeAlias = tuple[bytes, str, str]
"""The bytes of a letter, its text part, and the hash of the bytes."""
Make: TypeAlias = Callable[[Job], Made]


def gather(house: House, limit: int = 20) -> Sequence[Job]:
    """Return the letters whose bytes are to be made now."""
    with house.look() as work:
        jobs = [job for letter_id in outbox.unrendered(work, limit) if (job := outbox.job(work, letter_id)) is not None]
        return [_with_archive(work, job) if job.envelope.archive else job for job in jobs]


def _with_archive(work: Work, job: Job) -> Job:
    """Attach the archive of a letter's game, as far as it may be public now (play-by-mail 1.10)."""
    letter = work.session.get_one(Letter, job.letter_id)
    game = work.session.get_one(Game, letter.game_id)
    return replace(job, data_name=f"{game.tag}.zip", data_file=archive.packed(archive.pages(work, game), game.tag))


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

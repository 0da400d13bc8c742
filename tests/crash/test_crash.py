"""Killed at every failpoint, on SQLite and PostgreSQL, the service loses nothing, repeats nothing, alters no letter.

``make crash`` tries every hit; without CRASH=full every kind of place is tried once on SQLite, all of intake and
resolve, and on PostgreSQL the places where rows are shared.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.crash import faults, storm
from tests.crash.run import Servers, run, template
from tests.servers.dovecot import Dovecot
from tests.servers.postgres import Postgres

FULL = os.environ.get("CRASH") == "full"
DENSE = ("intake", "resolve", "ingest")
"""Units of which every hit is tried even in the short form."""
SHARED = (*DENSE, "claim", "send", "sent")
"""Units that the short form tries on PostgreSQL: where rows are taken, letters leave, and results are recorded."""
SHARES = 4
"""Parts that the hits are tried in, so that they can be shared out among processes."""
FAULT_TRIES = 400 if FULL else 16
STORM = 25 if FULL else 3
"""Random kills of the real ``serve``."""


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def servers(request: pytest.FixtureRequest, dovecot: Dovecot) -> Servers:
    """Give the servers of a run on one of the two databases."""
    postgres: Postgres | None = None if request.param == "sqlite" else request.getfixturevalue("postgres")
    return Servers(dovecot, postgres)


@pytest.fixture(scope="module")
def made(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the prepared database that every run starts from."""
    return template(servers, tmp_path_factory.mktemp("crash"))


def hits(trace: tuple[str, ...], servers: Servers) -> list[int]:
    """Return the numbers of the failpoint hits to die at: all of them, or a choice.

    In short: one of each kind and all of the dense units on SQLite, one of each kind of the shared units on PostgreSQL.
    """
    chosen = []
    seen: set[str] = set()
    for number, name in enumerate(trace, start=1):
        first = name not in seen
        wanted = first or name.startswith(DENSE) if servers.postgres is None else first and name.startswith(SHARED)
        if FULL or wanted:
            chosen.append(number)
        seen.add(name)
    return chosen


@pytest.mark.parametrize("phase", [1, 2])
def test_undisturbed_run_has_nothing_wrong(servers: Servers, made: str, phase: int) -> None:
    ran = run(servers, made, phase=phase)

    assert ran.violations == ()
    assert ran.extra == 0
    assert len(ran.trace) > 60


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("phase", [1, 2] if FULL else [2])
def test_kill_at_every_failpoint_loses_and_repeats_nothing(servers: Servers, made: str, phase: int, share: int) -> None:
    chosen = hits(run(servers, made, phase=phase).trace, servers)[share::SHARES]
    wrong, kills, extra = {}, 0, 0
    for hit in chosen:
        ran = run(servers, made, phase=phase, hit=hit)
        kills, extra = kills + ran.kills, extra + ran.extra
        if ran.violations:
            wrong[hit, ran.trace[-1]] = ran.violations
    print(f"\n{kills} kills, {extra} extra copies")

    assert wrong == {}
    assert kills == len(chosen)
    assert extra <= kills


@pytest.mark.parametrize("fault", faults.FAULTS)
def test_seeded_fault_is_found(dovecot: Dovecot, tmp_path: Path, fault: str) -> None:
    servers = Servers(dovecot, None)
    made = template(servers, tmp_path)
    first = run(servers, made, phase=1, fault=fault)
    tried = 0
    found = first.violations
    for hit in _most_telling(first.trace):
        if found or tried >= FAULT_TRIES:
            break
        tried += 1
        found = run(servers, made, phase=1, hit=hit, fault=fault).violations

    assert found, f"{tried} kills did not show {fault}"


def _most_telling(trace: tuple[str, ...]) -> list[int]:
    """Return hits in the order in which they are likely to show a fault.

    Its own places come first, then where letters leave, then the others by kind.
    """

    def rank(number: int) -> tuple[int, int]:
        name = trace[number - 1]
        first_of_kind = trace.index(name) == number - 1
        return (0 if name.startswith("fault") else 1 if name.startswith("send") else 2, 0 if first_of_kind else number)

    return sorted(range(1, len(trace) + 1), key=rank)


def test_random_kills_of_serve_lose_and_repeat_nothing(servers: Servers, made: str) -> None:
    chance = random.Random(20260105)  # the places of the kills, not dice

    stormed = storm.run(servers, made, kills=STORM, processes=1 if servers.postgres is None else 3, chance=chance)

    print(f"\n{stormed.kills} kills of serve, {stormed.extra} extra copies")
    assert stormed.violations == ()
    assert stormed.kills == STORM

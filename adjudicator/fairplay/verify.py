"""The check of a log: chain, pins, seeds, entropy, dice, and, where everything needed is open, the turns themselves.

Kinds of fault, which are the keys of their phrases:

- lines: ``unreadable`` ``reordered`` ``fork`` (two lines for one event) ``form`` ``genesis`` ``gap`` ``cut`` ``pin``
- private parts: ``opening`` ``stray-opening`` ``secret`` - seeds and batches: ``anchor`` ``seed`` ``no-seed``
``not-locked`` ``batch-again`` ``lock`` - entropy: ``join`` ``roster`` ``rows`` ``phrase`` ``entropy`` ``mixed``
(phrases and beacon) ``round`` ``round-past`` ``beacon`` - mails: ``mails`` (not sorted) ``mail`` (an accepted mail is
missing in the lock) - dice: ``die`` - the re-run: ``seats`` ``events`` ``dice`` ``outcome`` ``asks`` ``more-batches``
``raised`` - ``empty``: there is no log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from adjudicator.fairplay.assemble import Fault, Log, assemble, commitments
from adjudicator.fairplay.events import Result
from adjudicator.fairplay.rerun import Rerun, rerun
from adjudicator.fairplay.sources import Source
from adjudicator.fairplay.walk import Walk, Walked
from engine.core.contract import Ruleset
from engine.core.dice import MAIN

Verdict: TypeAlias = Literal["replayed", "dice checked", "broken"]

DOUBTFUL: Final = ("pin", "gap", "cut")
"""Faults that cast doubt on a stretch of the log; a fault at a line of its own says more."""


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """What is known of one result: that of ``start`` has no turn.

    ``replayed``: everything needed is open, and resolving it again gives exactly this. ``dice checked``: chain, seeds,
    entropy and every die are right, and ``missing`` says what is not at hand. ``broken``: ``fault`` says where and why.
    ``weak``: nobody but the service has added to the dice.
    """

    turn: int | None
    replay: int
    seq: int
    verdict: Verdict
    missing: tuple[str, ...] = ()
    fault: Fault | None = None
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Sealed:
    """A private part that is not opened, or whose opening is not at hand."""

    seq: int
    type: str
    part: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a check.

    ``head`` is that after the last event; ``pinned`` pins agree with the log, ``beyond`` belong to events not at hand.
    ``beacons`` are rounds and values to be looked up at a relay of the beacon, for nothing here proves them.
    """

    campaign: str | None
    ruleset: str | None
    events: int
    head: str | None
    turns: tuple[TurnVerdict, ...]
    faults: tuple[Fault, ...]
    sealed: tuple[Sealed, ...]
    beacons: tuple[str, ...]
    pinned: int
    beyond: int
    finished: bool

    @property
    def sound(self) -> bool:
        """Whether nothing is broken."""
        return not self.faults

    @property
    def replayed(self) -> bool:
        """Whether every turn was replayed; after the last letter of a game it must be so."""
        return self.sound and all(turn.verdict == "replayed" for turn in self.turns)


def verify(sources: Iterable[Source], rulesets: Mapping[str, Ruleset] | None = None) -> Report:
    """Check the log of one campaign, from its files, mails and pasted pins in any order.

    Without ``rulesets`` (name to ruleset) no turn is resolved again, and the best verdict is ``dice checked``.
    """
    log = assemble(sources)
    walk = Walk(log)
    again = rerun(log, walk.walked, rulesets or {})
    faults = [*log.faults, *walk.faults, *(one.fault for one in again if one.fault is not None)]
    if not log.events:
        faults.append(Fault("empty", None))
    genesis = walk.walked.genesis
    return Report(
        campaign=genesis.campaign if genesis else None,
        ruleset=genesis.ruleset if genesis else None,
        events=len(log.events),
        head=log.head,
        turns=_verdicts(log, walk.walked, faults, again),
        faults=tuple(sorted(faults, key=_by_place)),
        sealed=tuple(_sealed(log)),
        beacons=tuple(walk.walked.beacons.values()),
        pinned=log.pinned,
        beyond=log.beyond,
        finished=walk.walked.finished,
    )


def _by_place(fault: Fault) -> tuple[int, str, int]:
    return fault.first, fault.place.source if fault.place else "", fault.place.line if fault.place else 0


def _verdicts(log: Log, walked: Walked, faults: list[Fault], again: tuple[Rerun, ...]) -> tuple[TurnVerdict, ...]:
    came = {one.seq: one for one in again}
    verdicts = []
    since = 1
    for seq, entered in log.events.items():
        if isinstance(entered.event, Result):
            verdicts.append(_verdict(entered.event, since, faults, came.get(seq), walked))
            since = seq + 1
    return tuple(verdicts)


def _verdict(result: Result, since: int, faults: list[Fault], came: Rerun | None, walked: Walked) -> TurnVerdict:
    touching = [fault for fault in faults if fault.first <= result.seq and fault.last >= since]
    fault = min(touching, key=lambda one: (one.kind in DOUBTFUL, one.first), default=None)
    missing = came.missing if came is not None else ("genesis",)
    batches = [walked.batch(MAIN, number) for number in result.batches]
    return TurnVerdict(
        turn=result.turn,
        replay=result.replay,
        seq=result.seq,
        verdict="broken" if fault else "dice checked" if missing else "replayed",
        missing=missing,
        fault=fault,
        weak=any(batch is not None and batch.weak for batch in batches),
    )


def _sealed(log: Log) -> Iterable[Sealed]:
    for seq, entered in log.events.items():
        for part in sorted(commitments(entered.object), key=str):
            if (seq, part) not in log.openings:
                yield Sealed(seq, str(entered.object.get("type")), part)

"""Two services wired to each other, each a player at the other: each with its database, mailbox and mail servers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudicator.config import ServiceSection
from adjudicator.services import post
from adjudicator.storage.vault import Vault
from tests.adjudicator.services.stage import BORIS, MINUTE, PIRATES, SPAIN, Stage, imap_stage
from tests.servers.dovecot import Account, Dovecot
from tests.servers.smtp_sink import SmtpSink

LEFT, RIGHT = "judge@left.example", "judge@right.example"
ROUNDS = 12
_SIGNS = re.compile(
    rb"^(?:auto-submitted|x-auto-response-suppress|list-[a-z-]+|x-game-outbox-id):[^\r\n]*\r\n(?:[ \t][^\r\n]*\r\n)*",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(slots=True)
class Side:
    """One of the two services: its stage, what it handed over, its mailbox, and how much of that was carried on."""

    address: str
    stage: Stage
    sink: SmtpSink
    account: Account
    carried: int = 0

    def outgoing(self, other: str) -> list[bytes]:
        """Return what it has newly handed over to an address."""
        fresh = self.sink.received[self.carried :]
        self.carried += len(fresh)
        return [mail.raw for mail in fresh if mail.recipients == (other,)]


@pytest.fixture
def sides(dovecot: Dovecot, tmp_path: Path) -> Iterator[tuple[Side, Side]]:
    """Give two services, in each of which the other holds a seat, all letters of the beginning handed over."""
    made = []
    with ExitStack() as stack:
        for number, (address, other) in enumerate(((LEFT, RIGHT), (RIGHT, LEFT))):
            sink, account = stack.enter_context(SmtpSink()), dovecot.new_user()
            service = ServiceSection(address=address, name="Судья", operators=("host@example.org",))
            url = f"sqlite:///{tmp_path / f'service{number}.db'}"
            stage = stack.enter_context(imap_stage(url, sink, dovecot, account, make=post.make, service=service))
            object.__setattr__(stage.house, "vault", Vault(bytes([number]) * 32))
            stage.game(cast=((other, "Сосед", "ru", SPAIN), (BORIS, "Борис", "ru", PIRATES)), told=False)
            stage.settle()
            made.append(Side(address, stage, sink, account))
        yield made[0], made[1]


def exchange(dovecot: Dovecot, sides: tuple[Side, Side], *, stripped: bool) -> list[list[int]]:
    """Carry mail between the two until none is left; return how many letters each sent in each round."""
    counts: list[list[int]] = []
    for _ in range(ROUNDS):
        counts.append([])
        for one, other in (sides, sides[::-1]):
            mails = one.outgoing(other.address)
            counts[-1].append(len(mails))
            for raw in mails:
                carried = _SIGNS.sub(b"", raw) if stripped else b"Return-Path: <%s>\r\n" % one.address.encode() + raw
                dovecot.lay_down(other.account, [(carried, other.stage.clock.now())])
        if counts[-1] == [0, 0]:
            return counts
        for side in sides:
            side.stage.clock.move(MINUTE)
            side.stage.settle()
    raise AssertionError(f"they still write after {ROUNDS} rounds: {counts}")


def test_two_services_never_answer_each_other_and_soon_stop_where_their_signs_are_lost(
    dovecot: Dovecot, sides: tuple[Side, Side]
) -> None:
    # As they are: the invitation and two reports of each go over, and that is all.
    assert exchange(dovecot, sides, stripped=False) == [[3, 3], [0, 0]]
    for side in sides:
        assert {verdict for verdict, _ in side.stage.verdicts()} == {"automatic"}

    # Stripped of every sign on the way, two of these are held, and asked about; that is answered, and no more.
    for side in sides:
        side.carried = 0
    assert exchange(dovecot, sides, stripped=True) == [[3, 3], [2, 2], [2, 2], [0, 0]]
    for one, other in (sides, sides[::-1]):
        answers = [kind for kind, address in one.stage.kinds() if address == other.address]
        assert answers[-4:] == ["held", "held", "empty", "empty"]
        assert one.stage.in_force("pirates-1", SPAIN) == ()

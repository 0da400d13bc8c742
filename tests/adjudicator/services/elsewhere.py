"""A game over a night in which the clocks change, played in a process whose machine stands now here, now there."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.letters import Receipt
from adjudicator.services.header import Header
from adjudicator.services.intake import Doorway
from adjudicator.storage.tables import Mail
from mail.imap import ImapServer, ImapSource
from mail.maildir import MaildirSource
from tests.adjudicator.services.stage import PIRATES, PIRATES_ORDERS, SPAIN, SPAIN_ORDERS, Stage, prepare, stage
from tests.servers.scripted_imap import ScriptedImap
from tests.servers.smtp_sink import SmtpSink

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
OPENED = datetime(2026, 10, 17, tzinfo=UTC)
DEADLINE = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
"""Half past two in Berlin, in the night in which it comes twice: the first of them."""


def frozen(place: Stage, tag: str) -> dict[str, list[str]]:
    """Return what the lock froze: where each slot's order came from."""
    with place.house.look() as work:
        parts: dict[str, Any] = work.vault.open_value(place.turn(tag, 1).orders or b"", dict[str, Any])
    return {name: part["from"] for name, part in parts.items() if "from" in part}


def played(folder: Path) -> dict[str, Any]:
    """Play one turn: who wrote by the deadline and who a second after it, over IMAP and a Maildir, with odd dates."""
    url = f"sqlite:///{folder / 'service.db'}"
    prepare(url)
    for part in ("cur", "new", "tmp"):
        (folder / "Maildir" / part).mkdir(parents=True)
    doorway = Doorway(authserv=lambda _: "", trusted=lambda _: False)
    with ScriptedImap() as imap, SmtpSink() as sink:
        known = ImapServer(host=imap.host, port=imap.port, user="judge", password="x", security="none", timeout=5.0)
        sources = [ImapSource(known), MaildirSource(folder / "Maildir")]

        def deliver(raw: bytes, arrival: datetime, where: str) -> None:
            if where == "INBOX":
                imap.deliver(raw, arrival)
            else:
                (folder / "Maildir" / "new" / f"{int(arrival.timestamp())}.M0P1.{len(raw)}").write_bytes(raw)

        with stage(url, sink, sources, doorway, deliver) as place:
            return _turn(place)


def _turn(place: Stage) -> dict[str, Any]:
    place.clock.move_to(OPENED)
    place.ready = ""
    tag = place.game(header=Header(schedule="every sun 02:30 Europe/Berlin"))
    place.settle()
    place.read_until(DEADLINE - MINUTE)
    place.write(tag, SPAIN, SPAIN_ORDERS, arrival=DEADLINE, date=DEADLINE + 24 * HOUR)
    place.write(tag, SPAIN, "зона Владивосток", arrival=DEADLINE - SECOND, folder="Maildir")
    place.write(tag, PIRATES, PIRATES_ORDERS, arrival=DEADLINE + SECOND, date=DEADLINE - 24 * HOUR)
    place.write(tag, PIRATES, "статус", arrival=DEADLINE + HOUR, folder="Maildir")
    place.at(DEADLINE + 3 * MINUTE)
    with place.house.look() as work:
        mails = work.session.exec(select(Mail).order_by(col(Mail.arrival), col(Mail.id))).all()
        told = [(iso(row.arrival), iso(row.counts), row.verdict, row.why) for row in mails]
    receipts = [value for _, value in place.letters("receipt") if isinstance(value, Receipt)]
    return {
        "deadline": iso(place.turn(tag, 1).deadline),
        "next": iso(place.turn(tag).deadline),
        "frozen": frozen(place, tag),
        "mails": told,
        "receipts": [(one.deadline, one.now, one.late is not None, one.reader.zone) for one in receipts],
        "letters": [row.sha256 for row, _ in place.letters()],
    }


def in_zones(folder: Path, zones: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Play the turn once in each zone, which becomes that of this process."""
    for number, zone in enumerate(zones):
        os.environ["TZ"] = zone
        time.tzset()
        here = folder / str(number)
        here.mkdir()
        yield {"zone": time.tzname[0], **played(here)}


if __name__ == "__main__":
    print(json.dumps(list(in_zones(Path(sys.argv[1]), sys.argv[2:]))))  # noqa: T201 - the answer to the test

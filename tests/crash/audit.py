"""What must be true after any kill: no order lost, no turn resolved twice, no letter lost, copies of a letter alike."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from sqlmodel import col, select

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.services import logbook
from adjudicator.services.work import House
from adjudicator.storage.tables import Game, Letter, LogEntry, Mail, Reading, Turn
from tests.crash.scenario import OrderMail
from tests.servers.smtp_sink import Received


def violations(house: House, mails: Sequence[OrderMail], deliveries: int, received: Sequence[Received]) -> list[str]:
    """Return everything that is wrong, each in a few words; nothing if all is well."""
    with house.look() as work:
        found = [*_mails(work.session, mails, deliveries), *_orders(work, mails)]
        found += [*_turns(work), *_letters(work.session, received)]
    return found


def quiet(work: Any, number: int) -> bool:
    """Say whether turn ``number`` of every game is resolved, every mail has its verdict and every letter has gone."""
    session = work.session
    resolved = session.exec(select(Turn).where(Turn.number == number, Turn.status == "resolved")).all()
    games = session.exec(select(Game)).all()
    waiting = session.exec(select(Letter).where(col(Letter.status).in_(("new", "rendered", "sending")))).first()
    unread = session.exec(select(Mail).where(Mail.verdict == "new")).first()
    return len(resolved) == len(games) and waiting is None and unread is None


def _mails(session: Any, mails: Sequence[OrderMail], deliveries: int) -> list[str]:
    rows = session.exec(select(Mail)).all()
    found = [] if len(rows) == deliveries else [f"{len(rows)} mails stored of {deliveries} delivered"]
    distinct = {sha256(mail.raw).hexdigest() for mail in mails}
    stored = Counter(row.sha256 for row in rows if row.twin is None)
    found += [f"order mail stored {stored[one]} times" for one in distinct if stored[one] != 1]
    found += [f"mail {row.id} is {row.verdict}: {row.why}" for row in rows if row.verdict != "orders"]
    return found


def _orders(work: Any, mails: Sequence[OrderMail]) -> list[str]:
    """Every mail was read once, committed to once, and what it ordered was what the lock froze."""
    found = []
    readings = work.session.exec(select(Reading, Mail).join(Mail, col(Mail.id) == col(Reading.mail_id))).all()
    read = Counter(mail.sha256 for _, mail in readings)
    for one in mails:
        digest = sha256(one.raw).hexdigest()
        if read[digest] != 1:
            found.append(f"{one.tag} {one.seat} turn {one.turn} read {read[digest]} times")
    kinds: Counter[str] = Counter()
    for entry in work.session.exec(select(LogEntry)):
        event = json.loads(entry.event)
        kinds[event["type"]] += 1
    expected = {"order": len(mails), "lock": 2 * (2 + max(one.turn for one in mails)), "result": 0}
    expected["result"] = expected["lock"]
    found += [f"{kinds[kind]} {kind} events, not {count}" for kind, count in expected.items() if kinds[kind] != count]
    return found


def _turns(work: Any) -> list[str]:
    found = []
    for game in work.session.exec(select(Game)).all():
        rows = work.session.exec(select(Turn).where(Turn.game_id == game.id).order_by(col(Turn.number))).all()
        states = [(row.number, row.status) for row in rows]
        expected = [(number, "resolved") for number in range(len(rows) - 1)] + [(len(rows) - 1, "open")]
        if states != expected:
            found.append(f"{game.tag} turns are {states}")
        file = logbook.file_for(work, game, None, 0, game.seq)
        report = verify(read_source(game.tag, file))
        found += [f"{game.tag} log: {fault}" for fault in report.faults]
        found += [f"{game.tag} turn {turn.turn}: broken" for turn in report.turns if turn.verdict == "broken"]
    return found


def _letters(session: Any, received: Sequence[Received]) -> list[str]:
    letters = session.exec(select(Letter)).all()
    # a reminder whose hour has passed is withdrawn: the storm's clock goes by days
    stale = {letter.id for letter in letters if letter.kind == "reminder" and letter.status == "withdrawn"}
    owed = [letter for letter in letters if letter.id not in stale]
    found = [f"letter {letter.key} is {letter.status}" for letter in owed if letter.status != "sent"]
    copies: dict[str, set[str]] = {}
    for mail in received:
        copies.setdefault(mail.message_id, set()).add(mail.sha256)
    known = {letter.message_id: letter for letter in letters}
    found += [f"unknown letter {name} arrived" for name in copies if name not in known]
    found += [f"copies of {known[name].key} differ" for name, seen in copies.items() if name in known and len(seen) > 1]
    lost = [letter for letter in owed if letter.raw is not None and letter.message_id not in copies]
    found += [f"letter {letter.key} never arrived" for letter in lost]
    kinds = Counter((letter.kind, letter.turn) for letter in letters)
    opened = Counter(turn.number for turn in session.exec(select(Turn)))
    for number, games in opened.items():
        if kinds["report", number] != 2 * games:
            found.append(f"{kinds['report', number]} reports open turn {number}, not {2 * games}")
        if 0 < number < max(opened) and kinds["receipt", number] != 2 * games:
            found.append(f"{kinds['receipt', number]} receipts for turn {number}, not {2 * games}")
    return found

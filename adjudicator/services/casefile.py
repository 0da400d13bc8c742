"""The case file of a turn, as far as one reader may see it: mail, reading, receipt, orders, dice, steps (6)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.letters import DieThrown, GameHead, Reader, Receipt
from adjudicator.services import (
    answers,
    history,
    identity,
    logbook,
    mistyped,
    opened,
    outbox,
    people,
    positions,
    reports,
    tokens,
)
from adjudicator.services.identity import Grounds
from adjudicator.services.positions import Table
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Letter, LogEntry, Mail, MailGame, Opening, Reading, Turn
from engine.core import codec, registry
from engine.core.contract import MODERATOR, PUBLIC, Seat, Sheet, Value
from engine.core.dice import MAIN
from mail import read as mail_read
from mail.read import MailReading
from mail.reply import Speech
from mail.text import line_key

HEADERS: Final = ("from", "to", "date", "subject", "message-id", "in-reply-to", "received", "authentication-results")
"""Headers of a raw mail that say where it came from and who vouches for it."""
LINES: Final = 400
"""Lines of one mail that a case file prints."""


class Written(Value, frozen=True):
    """A mail as only its party may see it: headers, own lines, and what was set aside and why; tokens blotted out."""

    headers: tuple[tuple[str, str], ...] = ()
    own: tuple[str, ...] = ()
    aside: tuple[tuple[str, str], ...] = ()


class Sent(Value, frozen=True):
    """A letter of ours: when it was handed over, the beginning of its Message-ID, and the hash of its bytes."""

    sent: str
    message_id: str
    sha256: str
    number: int = 0


class MailCase(Value, frozen=True):
    """A mail about the turn. ``written`` and ``answer`` are for its party alone; ``orders`` None where still sealed.

    ``grounds`` is what was found for and against its sender; the domain that signed it is its party's to know.
    """

    seat: Seat
    arrival: str
    counts: str
    proof: str
    verdict: str
    late: bool
    sha256: str
    lock: int
    written: Written | None = None
    answer: Receipt | None = None
    receipt: Sent | None = None
    orders: tuple[str, ...] | None = None
    by: str = ""
    grounds: Grounds | None = None


class SeatOrders(Value, frozen=True):
    """A seat's orders as the lock froze them, each with where it came from; None where they are still sealed."""

    seat: Seat
    commitment: str
    orders: tuple[tuple[str, str], ...] | None = None


class BatchProof(Value, frozen=True):
    """What proves the dice of a batch: seed, hash of the entropy document, its rows and the beacon."""

    stream: str
    batch: int
    seed: str
    entropy: str
    rows: tuple[tuple[str, str], ...] = ()
    beacon: str = ""


class Case(Value, frozen=True):
    """All that a reader may see of how a turn came about; ``about`` is the seat or piece it is cut down to."""

    head: GameHead
    reader: Reader
    viewer: Seat
    titles: dict[str, dict[str, str]]
    turn: int
    status: str
    about: str
    deadline: str
    locked: str
    resolved: str
    lock: int
    mails: tuple[MailCase, ...] = ()
    unnamed: int = 0
    orders: tuple[SeatOrders, ...] = ()
    dice: tuple[DieThrown, ...] = ()
    proofs: tuple[BatchProof, ...] = ()
    verdict: str = ""
    view: str = ""
    events: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    report: Sent | None = None
    report_text: str = ""


def sees_sealed(viewer: Seat) -> bool:
    """Say whether a viewer's case file may hold what is not open to all, so that showing it is a look (fair-play L)."""
    return viewer != PUBLIC


def moderators_viewer(at: Table) -> Seat:
    """Return as whom the moderator reads a case file: one who plays sees what everybody sees (play-by-mail 6)."""
    return MODERATOR if at.header.moderator == "apart" else PUBLIC


def gather(work: Work, game: Game, number: int, reader: Reader, viewer: Seat, about: str = "") -> Case:
    """Return the case file of a turn for a viewer: a seat, `PUBLIC` or `MODERATOR`.

    Nobody but its party sees the words of a mail, the moderator neither. Raises `RefusedByRules` for a turn that is not
    there, and for words that name neither a seat nor a piece.
    """
    at = positions.table(game)
    turn = positions.turn(work, game, number)
    if turn is None:
        raise RefusedByRules("no-such-turn", turn=number, tag=game.tag)
    titles = people.seat_titles(work, game)
    pieces, seats = _about(at, about)
    file = _File(work, at, turn, viewer)
    resolved = turn.status == "resolved"
    state = history.state_after(work, at, turn) if resolved else positions.state_of(work, at, turn)
    happened = history.events_of(work, at, turn) if resolved else ()
    throws = reports.thrown(at, state, history.throws_of(work, turn), viewer, happened) if resolved else ()
    sent, text = _report(work, game, turn, viewer)
    return Case(
        head=at.head,
        reader=reader,
        viewer=viewer,
        titles=titles,
        turn=number,
        status=turn.status,
        about=about,
        deadline=iso(turn.deadline),
        locked=iso(turn.locked) if turn.locked else "",
        resolved=iso(turn.resolved) if turn.resolved else "",
        lock=turn.lock_seq or 0,
        mails=tuple(one for one in file.mails(reader) if not seats or one.seat in seats),
        unnamed=file.unnamed(),
        orders=tuple(one for one in file.orders(reader) if not seats or one.seat in seats),
        dice=tuple(die for die in throws if not pieces or die.address.partition("/")[0] in pieces),
        proofs=file.proofs() if resolved else (),
        verdict=_verdict(work, game, number, viewer) if resolved else "",
        view=codec.encode(at.ruleset.view(state, viewer)),
        events=reports.known_events(happened, viewer),
        pieces=pieces,
        report=sent,
        report_text=text,
    )


def locked_orders(work: Work, at: Table, turn: Turn, reader: Reader, viewer: Seat) -> tuple[SeatOrders, ...]:
    """Return what the lock of a turn froze, seat by seat, as far as a viewer may open it."""
    return tuple(_File(work, at, turn, viewer).orders(reader))


def _about(at: Table, about: str) -> tuple[tuple[str, ...], tuple[Seat, ...]]:
    """Return the pieces and seats that words name: a seat with its pieces, or a piece with the seat that began with it.

    A piece may be called by its number alone.
    """
    if not about:
        return (), ()
    seats = at.ruleset.seats(at.ruleset.info.options(), at.game.players)
    for seat in seats:
        if about.casefold() in (seat.id, *(title.casefold() for title in seat.titles.values())):
            return seat.pieces, (seat.id,)
    wanted = about.casefold()
    for seat in seats:
        for piece in seat.pieces:
            if wanted == piece or (wanted.isdigit() and piece.removesuffix(wanted).isalpha()):
                return (piece,), (seat.id,)
    known = [one for seat in seats for one in (seat.id, *seat.pieces)]
    raise RefusedByRules("unknown-piece", about=about, known=known)


class _File:
    """What the database holds of one turn, asked for one viewer."""

    def __init__(self, work: Work, at: Table, turn: Turn, viewer: Seat) -> None:
        self._work = work
        self._at = at
        self._turn = turn
        self._viewer = viewer
        found = work.session.exec(select(Opening).where(Opening.game_id == at.game.id)).all()
        self._open = {(one.seq, one.part) for one in found}
        self._log = [(entry, json.loads(entry.event)) for entry in logbook.entries(work, at.game, 0, at.game.seq)]

    def _may_see(self, entry: LogEntry, part: logbook.KeptPart) -> bool:
        """Say whether the viewer may open a part: it is open to all, or his, or he is the moderator."""
        opened_to_all = (entry.seq, part.name or "-") in self._open
        return opened_to_all or self._viewer in part.audience or self._viewer in (part.name, MODERATOR)

    def _written(self, seat: Seat, orders: Sequence[Any], reader: Reader) -> tuple[str, ...]:
        state = positions.state_of(self._work, self._at, self._turn)
        view = self._at.ruleset.view(state, seat)
        kind = self._at.ruleset.info.order
        sheet: Sheet = tuple(codec.from_plain(dict(one), kind) for one in orders)
        return tuple(self._at.ruleset.write(order, reader.language, view) for order in sheet)

    # Mail -------------------------------------------------------------------------------------------------------------

    def mails(self, reader: Reader) -> Iterator[MailCase]:
        """Yield the mails about the turn by arrival; of others' the words only for their party."""
        query = select(Reading).where(Reading.game_id == self._at.game.id, Reading.turn == self._turn.number)
        rows = self._work.session.exec(query.order_by(col(Reading.arrival), col(Reading.id))).all()
        still_open = self._turn.status == "open"
        for row in rows:
            if still_open and self._viewer not in (row.seat, MODERATOR):
                continue  # what others sent to an open turn is shown by who-is-in alone
            mail = self._work.session.get(Mail, row.mail_id) if row.mail_id else None
            yield self._mail(row, mail, reader)

    def _mail(self, row: Reading, mail: Mail | None, reader: Reader) -> MailCase:
        party = self._viewer == row.seat
        receipt, answer = self._receipt(row, mail)
        return MailCase(
            seat=row.seat,
            arrival=iso(mail.arrival if mail else row.arrival),
            counts=iso(row.arrival),
            proof=mail.proof if mail else "",
            verdict=mail.verdict if mail else "",
            late=row.late,
            sha256=mail.sha256 if mail else "",
            lock=self._locked_in(mail),
            written=self._words(row, mail) if party and mail else None,
            answer=answer if party else None,
            receipt=receipt,
            orders=self._ordered(row, mail, reader),
            by=row.by,
            grounds=_grounds(mail, whole=party),
        )

    def _locked_in(self, mail: Mail | None) -> int:
        if mail is None:
            return 0
        query = select(MailGame.lock_seq).where(MailGame.mail_id == mail.id, MailGame.game_id == self._at.game.id)
        return self._work.session.exec(query).first() or 0

    def _ordered(self, row: Reading, mail: Mail | None, reader: Reader) -> tuple[str, ...] | None:
        """Return the orders accepted from a mail, written anew so that no prose comes along; None where sealed."""
        if mail is None or not row.has_orders:
            return ()
        for entry, event in self._log:
            if event["type"] != "order" or event["turn"] != self._turn.number:
                continue
            for part in logbook.kept_parts(self._work, entry):
                if part.object.get("mail") == mail.sha256 and part.object.get("seat") == row.seat:
                    may = self._may_see(entry, part) or self._viewer == row.seat
                    return self._written(row.seat, part.object["orders"], reader) if may else None
        return ()

    def _receipt(self, row: Reading, mail: Mail | None) -> tuple[Sent | None, Receipt | None]:
        if mail is None:
            return None, None
        start = f"receipt/{mail.id}/{self._at.game.tag}/{row.seat}/"
        query = select(Letter).where(col(Letter.key).startswith(start, autoescape=True)).order_by(col(Letter.id))
        letter = self._work.session.exec(query).first()
        if letter is None:
            return None, None
        envelope: outbox.Envelope = self._work.vault.open_value(letter.value, outbox.Envelope)
        return _sent(letter, envelope.receipt.number if envelope.receipt else 0), envelope.receipt

    def _words(self, row: Reading, mail: Mail) -> Written | None:
        """Return a mail's headers and lines, parted as they were when it was read."""
        if mail.raw is None:
            return None
        reading = opened.read(self._work, self._work.vault.open(mail.raw), "")
        reading = mail_read.reread(reading, sent_lines=self._sent_by_then(mail, reading), speech=self._speech(row.seat))
        incoming = reading.incoming
        headers = [(name, value) for name in HEADERS for value in incoming.all(name)[:3]]
        aside = reading.text.set_aside[:LINES]
        why = [one.why.replace(" ", "_") for one in aside]
        return Written(
            headers=tuple((name, self._shown(name, value)) for name, value in headers),
            own=tokens.blotted(line.raw.rstrip() for line in reading.text.own[:LINES]),
            aside=tuple(zip(why, tokens.blotted(one.line.raw.rstrip() for one in aside), strict=True)),
        )

    def _shown(self, name: str, value: str) -> str:
        """Return a header without what would speak for a seat: its token, and Message-IDs of letters to it."""
        if name == "in-reply-to":
            return " ".join(map(tokens.shortened, value.split()))
        return _blotted(value)

    def _speech(self, seat: Seat) -> Speech:
        state = positions.state_of(self._work, self._at, self._turn)

        view = self._at.ruleset.view(state, seat)

        def is_order(text: str) -> bool:
            return answers.reads_as_intent(self._at, view, (text,))

        return Speech(is_order=is_order, opens=mistyped.opens_press, closes=mistyped.closes_press)

    def _sent_by_then(self, mail: Mail, reading: MailReading) -> frozenset[str]:
        """Return the keys of lines we had sent to the writer when the mail was read (play-by-mail 3.3)."""
        to_him = select(Letter).where(Letter.address == mail.sender, col(Letter.created) <= mail.seen)
        recent = list(self._work.session.exec(to_him.order_by(col(Letter.id).desc()).limit(outbox.RECENT_LETTERS)))
        answered = (*reading.incoming.in_reply_to, *reading.incoming.references)[:8]
        recent += self._work.session.exec(select(Letter).where(col(Letter.message_id).in_(answered))).all()
        texts = [outbox.text_of(self._work, letter) for letter in recent]
        return frozenset(line_key(line) for text in texts for line in text.splitlines() if line.strip())

    def unnamed(self) -> int:
        """Return how many mails' hashes stand in the lock that no seat's reading of this turn belongs to."""
        if not self._turn.lock_seq:
            return 0
        query = select(MailGame.mail_id).where(
            MailGame.game_id == self._at.game.id, MailGame.lock_seq == self._turn.lock_seq
        )
        locked = set(self._work.session.exec(query))
        known = select(Reading.mail_id).where(
            Reading.game_id == self._at.game.id, Reading.turn == self._turn.number, col(Reading.mail_id).is_not(None)
        )
        return len(locked - set(self._work.session.exec(known)))

    # Orders and dice --------------------------------------------------------------------------------------------------

    def orders(self, reader: Reader) -> Iterator[SeatOrders]:
        """Yield the orders that count, seat by seat, as far as the viewer may open them: the lock's, or corrected."""
        counts: dict[Seat, tuple[LogEntry, dict[str, Any], logbook.KeptPart]] = {}
        for entry, event in self._log:
            replays = event["type"] == "replay" and event["turn"] == self._turn.number
            if entry.seq == self._turn.lock_seq or replays:
                parts = logbook.kept_parts(self._work, entry)
                counts |= {part.name: (entry, event, part) for part in parts if part.name and "orders" in part.object}
        for seat in people.seat_titles(self._work, self._at.game):
            if seat not in counts:
                continue
            entry, event, part = counts[seat]
            frozen = None
            if self._may_see(entry, part):
                lines = self._written(seat, part.object["orders"], reader)
                frozen = tuple(zip(lines, part.object["from"], strict=True))
            yield SeatOrders(seat=seat, commitment=event["private"][seat], orders=frozen)

    def proofs(self) -> tuple[BatchProof, ...]:
        """Return what proves the dice of the turn, batch by batch."""
        result = history.result_of(self._work, self._at.game, self._turn)
        locks = {
            event["streams"].get(MAIN): event
            for _, event in self._log
            if event["type"] == "lock" and event.get("turn") == self._turn.number
        }
        told = history.told(self._work, self._at, self._turn)
        return tuple(
            BatchProof(
                stream=MAIN,
                batch=batch,
                seed=seed,
                entropy=result["entropy"][MAIN][str(batch)],
                rows=tuple(sorted(locks.get(batch, {}).get("rows", {}).get(MAIN, {}).items())),
                beacon=told.beacon,
            )
            for _, batch, seed in told.seeds
        )


def _grounds(mail: Mail | None, *, whole: bool) -> Grounds | None:
    found = identity.grounds_of(mail) if mail is not None else None
    return found if whole or found is None else msgspec.structs.replace(found, signer="")


def _sent(letter: Letter, number: int = 0) -> Sent:
    return Sent(
        sent=iso(letter.sent) if letter.sent else "",
        message_id=tokens.shortened(letter.message_id).strip("<>"),
        sha256=letter.sha256,
        number=number,
    )


def _blotted(text: str) -> str:
    """Return text with every token blotted out: a case file is shown around, a token speaks for a seat."""
    return "\n".join(tokens.blotted(text.split("\n")))


def _verdict(work: Work, game: Game, number: int, viewer: Seat) -> str:
    """Return what `verify` says of the turn, from all that the viewer may open."""
    reader = viewer if viewer not in (PUBLIC, MODERATOR) else None
    file = logbook.file_for(work, game, reader, 0, game.seq)
    report = verify(read_source(game.tag, file), registry.rulesets())
    return {turn.turn: turn.verdict for turn in report.turns}.get(number, "")


def _report(work: Work, game: Game, turn: Turn, viewer: Seat) -> tuple[Sent | None, str]:
    """Return the report the viewer was sent, and its words once they are made."""
    query = select(Letter).where(Letter.game_id == game.id)
    if viewer in (PUBLIC, MODERATOR):
        query = query.where(Letter.kind == "public")
    else:
        query = query.where(Letter.kind == "report", Letter.seat == viewer)
    for letter in work.session.exec(query.order_by(col(Letter.id).desc())):
        if not letter.value:
            continue
        envelope: outbox.Envelope = work.vault.open_value(letter.value, outbox.Envelope)
        if envelope.report is not None and envelope.report.turn == turn.number:
            return _sent(letter), _blotted(outbox.text_of(work, letter))
    return None, ""

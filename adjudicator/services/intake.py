"""A stored mail into effects: verdict, speaker, own text, commands and orders, receipt; one transaction for a mail (play-by-mail 3, 4)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

import msgspec
from sqlmodel import col, func, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import chain, events
from adjudicator.letters import LineVerdict, Notice, Reader, Receipt
from adjudicator.services import (
    answers,
    bounces,
    commands,
    games,
    hearing,
    identity,
    logbook,
    outbox,
    people,
    positions,
    press,
    readings,
    receipts,
    seeds,
    sheets,
    tokens,
    turns,
)
from adjudicator.services.commands import PressBlock
from adjudicator.services.hearing import Heard, Hearing
from adjudicator.services.identity import Speaker
from adjudicator.services.positions import Table
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, Letter, Mail, MailGame, Player, Reading, Tenure, Turn
from engine.core import codec
from mail import read as mail_read
from mail.addresses import canonical
from mail.read import MailReading, Verdict
from mail.reply import Speech
from mail.text import Line, line_key

BATCH = 25
"""Mails that share a transaction."""
_SAID_AGAIN = ("ready", "not-ready", "wait", "no-wait", "draft", "clear", "anew")
ATTEMPTS = 3
"""Tries after which a mail that cannot be handled is set aside for a person (Mailman's shunt)."""


@dataclass(frozen=True, slots=True)
class Doorway:
    """What is known of the place a mail came in by: the pinned authserv-id, and whether its senders need no further proof."""

    authserv: Callable[[str], str]
    trusted: Callable[[str], bool]


def unread(work: Work) -> list[int]:
    """Return mails without a verdict in the order in which they count."""
    query = (
        select(Mail.id)
        .where(Mail.verdict == "new", col(Mail.raw).is_not(None))
        .order_by(col(Mail.counts), col(Mail.mailbox), col(Mail.uid))
    )
    return [mail_id for mail_id in work.session.exec(query) if mail_id is not None]


def handle_all(house: House, doorway: Doorway) -> int:
    """Give every stored mail its verdict and return how many got one; one that raises never stops the rest.

    Mails that make no trouble share a transaction, which costs one durable commit for many; if any of them raises, nothing of
    it is kept and each is handled in one of its own. An attempt is counted before the mail is opened: one that kills the
    process is set aside after three. A mail that raised is tried again at the next round, not at once: what hindered it may pass.
    """
    with house.look() as work:
        waiting = unread(work)
    done = 0
    for start in range(0, len(waiting), BATCH):
        fresh, tried = _attempt(house, waiting[start : start + BATCH])
        try:
            handle(house, doorway, fresh)
            done += len(fresh)
        except Exception:  # one of them makes trouble; which one shows when each is handled by itself
            tried = (*fresh, *tried)
        for mail_id in tried:
            try:
                handle(house, doorway, (mail_id,))
                done += 1
            except Exception as trouble:  # whatever a mail does to us, the next one must be read (mail-facts 0.9)
                _set_back(house, mail_id, trouble)
    return done


def _attempt(house: House, mail_ids: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Count an attempt at each of these mails; return those never tried before, and those tried that have tries left."""
    with house.unit("attempt") as work:
        rows = work.session.exec(select(Mail).where(col(Mail.id).in_(mail_ids), Mail.verdict == "new")).all()
        order = {mail_id: place for place, mail_id in enumerate(mail_ids)}
        found: dict[bool, list[int]] = {True: [], False: []}
        for row in sorted(rows, key=lambda row: order[row.id or 0]):
            row.attempts += 1
            work.session.add(row)
            if row.attempts > ATTEMPTS:
                shunt(work, row)
            else:
                found[row.attempts == 1].append(row.id or 0)
    return tuple(found[True]), tuple(found[False])


def handle(house: House, doorway: Doorway, mail_ids: Sequence[int]) -> None:
    """Read some mails and do what they say, in one transaction, in the order in which they count."""
    if not mail_ids:
        return
    opened = {}
    with house.look() as work:
        for row in work.session.exec(select(Mail).where(col(Mail.id).in_(mail_ids))):
            if row.verdict == "new" and row.raw is not None:
                raw = work.vault.open(row.raw)
                opened[row.id or 0] = (raw, _read(work, raw, doorway.authserv(row.mailbox)))
    with house.unit("intake") as work:
        rows = work.session.exec(select(Mail).where(col(Mail.id).in_(list(opened))).with_for_update()).all()
        _look_up_twins(work, rows)
        for row in sorted(rows, key=lambda row: mail_ids.index(row.id or 0)):
            if row.verdict == "new":
                raw, reading = opened[row.id or 0]
                row.sender, row.message_id = reading.incoming.from_address[:320], reading.incoming.message_id[:998]
                row.subject = reading.incoming.subject[:400]
                Intake(work, row, raw, reading, trusted=doorway.trusted(row.mailbox)).decide()


def _read(work: Work, raw: bytes, authserv: str) -> MailReading:
    return mail_read.read(
        raw,
        own_addresses=(work.config.service.address,),
        own_message_ids=lambda name: _is_ours(work, name),
        authserv=authserv or None,
    )


def _look_up_twins(work: Work, rows: Sequence[Mail]) -> None:
    """Find what was settled before of the contents of these mails, all at once."""
    found: dict[str, list[Mail]] = {row.content: [] for row in rows}
    query = select(Mail).where(col(Mail.content).in_(list(found)), Mail.verdict != "new", col(Mail.twin).is_(None))
    for row in work.session.exec(query.order_by(col(Mail.id))):
        found[row.content].append(row)
    work.memo.update({("settled", content): settled for content, settled in found.items()})


def _is_ours(work: Work, message_id: str) -> bool:
    if not tokens.may_be_ours(work.config.service.address, message_id):
        return False
    return work.session.exec(select(Letter.id).where(Letter.message_id == message_id)).first() is not None


def _set_back(house: House, mail_id: int, trouble: Exception) -> None:
    """Note why a mail could not be handled; after the last attempt it is set aside."""
    with house.unit("set-back") as work:
        row = work.session.exec(select(Mail).where(Mail.id == mail_id)).one()
        row.why = f"{type(trouble).__name__}: {trouble}"[:500]
        if row.attempts >= ATTEMPTS:
            shunt(work, row)
        work.session.add(row)


def shunt(work: Work, row: Mail) -> None:
    """Set a mail aside for a person, its raw bytes kept, and tell the operator."""
    row.verdict = "quarantined"
    work.session.add(row)
    tell_quarantined(work, row)


def tell_quarantined(work: Work, row: Mail) -> None:
    """Name a mail that was set aside to the operators (play-by-mail 1.3)."""
    for address in work.config.service.operators:
        facts = {"mail": row.id, "sender": row.sender, "arrival": iso(row.arrival), "why": row.why}
        notice = Notice(kind="quarantined-operator", reader=outbox.operator(work, address), facts=facts)
        outbox.queue(work, f"quarantined-operator/{row.id}/{address}", address, outbox.Envelope(notice=notice))


@dataclass(slots=True)
class Intake:
    """One mail on its way to a verdict."""

    work: Work
    row: Mail
    raw: bytes
    reading: MailReading
    trusted: bool

    def decide(self) -> None:
        """Give the mail its one verdict, and do what it says if it may."""
        twin = self._twin()
        if twin is not None:
            self._settle(twin.verdict if twin.verdict != "new" else "empty", f"twin of {twin.id}")
            self.row.twin = twin.id
            self._share_games(twin)
            return
        match self.reading.verdict:
            case Verdict.AUTOMATIC | Verdict.OURS:
                self._settle("automatic", self.reading.why)
            case Verdict.BOUNCE:
                bounces.take(self.work, self.reading.bounces)
                self._settle("bounce", self.reading.why)
            case Verdict.QUARANTINED:
                self._quarantine()
            case Verdict.HUMAN | Verdict.EMPTY:
                self._person()

    def _twin(self) -> Mail | None:
        """Return the same letter found elsewhere before; the earlier arrival of the two counts.

        A letter that came too late is no twin of a copy that arrived in time: the copy is read as if it were alone.
        """
        settled: list[Mail] = self.work.memo["settled", self.row.content]
        for twin in settled:
            if self.row.counts >= twin.counts:
                return twin
            if twin.verdict != "late":
                self._move_up(twin)
                return twin
        return None

    def _move_up(self, twin: Mail) -> None:
        self.work.forget("steps")
        self.work.forget("readings")
        twin.counts = self.row.counts
        self.work.session.add(twin)
        for reading in self.work.session.exec(select(Reading).where(Reading.mail_id == twin.id)):
            reading.arrival = self.row.counts
            self.work.session.add(reading)

    def _share_games(self, twin: Mail) -> None:
        """Assign a copy to the games of its twin: the lock lists the hash of every raw mail (fair-play 3.6)."""
        for row in self.work.session.exec(select(MailGame.game_id).where(MailGame.mail_id == twin.id)).all():
            self._assign(row)

    def _assign(self, game_id: int | None) -> None:
        if game_id is not None:
            self.work.session.add(MailGame(mail_id=self.row.id or 0, game_id=game_id))

    def _settle(self, verdict: str, why: str = "") -> None:
        self.row.verdict, self.row.why = verdict, why or self.row.why
        self.work.session.add(self.row)
        settled = self.work.memo.get(("settled", self.row.content), [])
        if not why.startswith("twin") and self.row not in settled:
            settled.append(self.row)

    def _quarantine(self) -> None:
        """Set aside what is beyond a limit or cannot be decoded; a registered sender and the operators are told."""
        who = identity.speaker(self.work, self.reading, trusted=self.trusted)
        self._assign(who.game.id if who.game is not None else None)
        self._settle("quarantined", self.reading.why)
        tell_quarantined(self.work, self.row)
        self._polite("quarantined", {"why": self.reading.why})

    def _person(self) -> None:
        who = identity.speaker(self.work, self.reading, trusted=self.trusted)
        game = self.work.game_by_id(who.game.id) if who.game is not None else None
        self._assign(game.id if game is not None else None)
        self._parted(who)
        if who.doubt:
            self._hold(who, game)
        elif self.reading.verdict is Verdict.EMPTY and not self.reading.text.because("edited quote"):
            self._settle("empty", self.reading.why)
            self._polite("empty", {"why": self.reading.why}, who=who, game=game)
        elif who.invitation is not None and who.invitation.joined is None and game is not None:
            self._join(who, game)
        elif game is None or not (who.tenures or game.status == "created"):
            self._settle("held", "which-game")
            self._polite("unknown-game", {"games": answers.games_of(self.work, who.players)})
        else:
            self._for_game(who, game)

    def _parted(self, who: Speaker) -> None:
        """Part own words from quotes again, knowing what we sent to this writer."""
        answered = (*self.reading.incoming.in_reply_to, *self.reading.incoming.references)
        sent = outbox.lines_sent(self.work, [who.address], answered)
        speech = Speech(is_order=self._is_order(who), opens=commands.opens_press, closes=commands.closes_press)
        keys = frozenset(line_key(line) for line in sent)
        self.reading = mail_read.reread(self.reading, sent_lines=keys, speech=speech)

    def _is_order(self, who: Speaker) -> Callable[[str], bool]:
        """Return what tells an order or command from a signature: such a line is never cut off."""
        turn = positions.current(self.work, who.game) if who.game is not None else None
        if who.game is None or turn is None or not who.tenures:
            return lambda text: commands.read_command(text) is not None
        table = positions.table(who.game)
        seat, state = who.tenures[0].seat, positions.state_of(self.work, table, turn)
        return lambda text: answers.reads_as_intent(table, state, seat, (text,))

    # Held and polite answers ------------------------------------------------------------------------------------------

    def _hold(self, who: Speaker, game: Game | None) -> None:
        """A held mail changes nothing; the registered address is told, and only that (play-by-mail 4)."""
        self._settle("held", who.doubt)
        if who.doubt in ("no-address", "unknown-sender", "robot"):
            return
        facts: dict[str, Any] = {"why": who.doubt, "lines": [line.raw for line in self.reading.text.own[:40]]}
        self._polite("held", facts, who=who, game=game)

    def _polite(
        self, kind: str, facts: dict[str, Any], *, who: Speaker | None = None, game: Game | None = None
    ) -> None:
        """Answer a registered sender without orders: at most twice a day in the same words (play-by-mail 7)."""
        address = self.reading.incoming.from_address
        players = people.holders_of(self.work, address) if address else ()
        if not players or self._answered_today(kind, address) >= 2:
            return
        tenure = next(iter(who.tenures), None) if who is not None else None
        if tenure is None or game is None:
            reader = answers.reader(self.work, players[0], address)
            head = None
        else:
            table = positions.table(game)
            reader = people.reader_of(self.work, game, tenure, people.seat_titles(self.work, game))
            head = table.head
        notice = Notice(
            kind=kind,
            reader=reader,
            facts={**facts, "arrival": iso(self.row.arrival), "subject": self.row.subject},
            head=head,
        )
        outbox.queue(
            self.work,
            f"{kind}/{self.row.id}",
            reader.address,
            outbox.Envelope(notice=notice),
            game=game if head else None,
            tenure=tenure if head else None,
            in_reply_to=self.row.message_id,
        )

    def _answered_today(self, kind: str, address: str) -> int:
        day = self.work.now - timedelta(days=1)
        query = (
            select(func.count())
            .select_from(Letter)
            .where(Letter.kind == kind, Letter.address == canonical(address), Letter.created > day)
        )
        return self.work.session.exec(query).one()

    # Joining ----------------------------------------------------------------------------------------------------------

    def _join(self, who: Speaker, game: Game) -> None:
        """``вступаю`` in answer to an invitation registers the address and may carry a phrase (play-by-mail 0)."""
        invitation = who.invitation
        assert invitation is not None
        plan = commands.plan([line.text for line in self.reading.text.own])
        wishes = {command.name: command.argument for command in plan.commands}
        if "join" not in wishes:
            self._settle("empty", "no-join")
            answers.join_refused(self.work, game, invitation, self.row, RefusedByRules("no-join"))
            return
        if language := hearing.LANGUAGES.get(wishes.get("language", "").casefold()):
            invitation.language = language
        if not invitation.name:
            invitation.name = next((one.name for one in self.reading.incoming.sender if one.name), "")[:60]
        automatic = chain.automatic_phrase(self.row.message_id, self.raw)
        try:
            seat = answers.seat_named(self.work, game, wishes["join"] or wishes.get("seat", ""))
            games.join(
                self.work,
                game,
                invitation,
                seat=seat,
                phrase=answers.phrase_in(self.reading.text.own),
                automatic=automatic,
                arrival=self.row.counts,
            )
        except RefusedByRules as refusal:
            self._settle("orders", refusal.key)
            answers.join_refused(self.work, game, invitation, self.row, refusal)
            return
        self._settle("orders", "join")
        answers.welcome(self.work, game, invitation, self.row, automatic=automatic)
        table = positions.table(game)
        if table.header.auto_start and len(games.joined(self.work, game)) == game.players:
            games.start(self.work, game)

    # Orders -----------------------------------------------------------------------------------------------------------

    def _for_game(self, who: Speaker, game: Game) -> None:
        turn = positions.current(self.work, game)
        if turn is None:
            self._settle("late" if game.status == "finished" else "held", "no-turn")
            self._polite("no-turn", {"tag": game.tag, "status": game.status})
            return
        tenures = self._seats_meant(who, game)
        if len(tenures) != 1:
            self._settle("held", "which-seat")
            titles = people.seat_titles(self.work, game)
            facts = {"tag": game.tag, "seats": [titles[tenure.seat] for tenure in who.tenures]}
            self._polite("which-seat", facts)
            return
        self._speak(who, positions.table(game), tenures[0], turn)

    def _seats_meant(self, who: Speaker, game: Game) -> Sequence[Tenure]:
        """Return the seats a letter may be for, of which a line ``место жёлтые`` names one (play-by-mail 4)."""
        lines = [line.text for line in self.reading.text.own]
        named = [command.argument for command in commands.plan(lines).commands if command.name == "seat"]
        if not named:
            return who.tenures
        seat = answers.seat_named(self.work, game, named[0], strict=False)
        return [tenure for tenure in who.tenures if tenure.seat == seat]

    def _speak(self, who: Speaker, table: Table, tenure: Tenure, turn: Turn) -> None:
        if self._confirms_held(who, table, tenure, turn):
            return
        named = self._confirms_lines(who)
        person = people.player(self.work, tenure.player_id)
        against = self._against(table, tenure, turn, person)
        heard = hearing.hear(against, self.reading.text.own)
        heard.turn = heard.turn if named is None else named
        self._answer_press(who, table, tenure, heard)
        edited = self._edited(against)
        if not (heard.intends or heard.press or edited):
            self._settle("empty", "no-intent")
            self._polite("empty", {"why": "no-intent"}, who=who, game=table.game)
            return
        if self._too_many(table, tenure, turn):
            self._settle("quarantined", "too-many-mails")
            self._polite("too-many", {"limit": self.work.config.limits.mails_per_turn}, who=who, game=table.game)
            return
        meant = self._meant(who, table, tenure, turn, heard)
        late = self._late(table, turn, meant) if heard.effects or heard.phrase else None
        self._settle("late" if late else "orders")
        turn.check = self.work.now
        self.work.session.add(turn)
        self._apply_settings(person, heard)
        self._press(table, tenure, heard, turn)
        self._refuse_questions(table, tenure, person, heard)
        entry = self._keep(table, tenure, turn, heard, against.number, meant if late else None)
        self._receipt(who, table, tenure, turn, heard, against, late, entry, edited)

    def _against(self, table: Table, tenure: Tenure, turn: Turn, person: Player) -> Hearing:
        earlier, later = positions.steps_around(self.work, table.game, turn, tenure.seat, self.row)
        return Hearing(
            table=table,
            state=positions.state_of(self.work, table, turn),
            seat=tenure.seat,
            language="en" if person.language == "en" else "ru",
            steps=earlier,
            standing=positions.standing_of(self.work, table, turn).get(tenure.seat, ()),
            number=readings.next_number(self.work, table.game, tenure.seat),
            later=later,
        )

    # Short answers to letters that ask --------------------------------------------------------------------------------

    def _confirms_held(self, who: Speaker, table: Table, tenure: Tenure, turn: Turn) -> bool:
        """Let ``да`` in answer to «was it you?» release the held letter, which then counts from its own arrival (4)."""
        answer = commands.short_answer([line.text for line in self.reading.text.own])
        letter = who.answered
        if answer is None or answer.turn is not None or letter is None or letter.kind != "held":
            return False
        row = self.work.session.exec(select(Mail).where(Mail.id == int(letter.key.rpartition("/")[2]))).one()
        own = [canonical(address) for address in people.addresses(self.work, tenure.player_id)]
        if row.verdict != "held" or row.raw is None or canonical(row.sender) not in own:
            return False
        raw = self.work.vault.open(row.raw)
        held = Intake(self.work, row, raw, _read(self.work, raw, ""), trusted=True)
        held.release(who, table, tenure, turn)
        self._settle("orders", f"confirms {row.id}")
        return True

    def release(self, who: Speaker, table: Table, tenure: Tenure, turn: Turn) -> None:
        """Do what a held mail says, now that its writer has confirmed it."""
        self._parted(who)
        games = select(MailGame.game_id).where(MailGame.mail_id == self.row.id)
        if table.game.id not in self.work.session.exec(games).all():
            self._assign(table.game.id)
        self._speak(dataclasses.replace(who, answered=None), table, tenure, turn)

    def _confirms_lines(self, who: Speaker) -> int | None:
        """Put the lines that a short answer confirms in the place of the answer; return the turn it names for them.

        ``да`` takes the lines that were edited inside a quote (3.3), ``на ход 8`` those that came too late (4).
        """
        answer = commands.short_answer([line.text for line in self.reading.text.own])
        if answer is None or who.answered is None or who.answered.kind != "receipt":
            return None
        envelope: outbox.Envelope = self.work.vault.open_value(who.answered.value, outbox.Envelope)
        receipt = envelope.receipt
        if receipt is None or receipt.reader.seat not in [tenure.seat for tenure in who.tenures]:
            return None
        if answer.turn is None:
            texts = [line.text for line in receipt.edited_quote]
        else:
            texts = [line.text for line in receipt.lines if receipt.late and _was_order(line)]
        if texts:
            own = tuple(Line(number=number, raw=text) for number, text in enumerate(texts))
            text = msgspec.structs.replace(self.reading.text, own=own, set_aside=())
            self.reading = msgspec.structs.replace(self.reading, text=text)
        return answer.turn if texts else None

    def _refuse_questions(self, table: Table, tenure: Tenure, person: Player, heard: Heard) -> None:
        """Say in the receipt which questions have no answer: a report there was not, a topic there is not."""
        for place, line in heard.lines.items():
            argument = str(line.facts.get("argument", ""))
            if line.mark == "command" and line.key in heard.asked:
                refusal = answers.refusal(self.work, table, tenure, person.language, line.key, argument)
                if refusal is not None:
                    heard.lines[place] = msgspec.structs.replace(refusal, text=line.text)
                    heard.asked[line.key].remove(argument)
                    heard.asked = {name: typed for name, typed in heard.asked.items() if typed}

    def _meant(self, who: Speaker, table: Table, tenure: Tenure, turn: Turn, heard: Heard) -> int:
        """Return the turn a letter is about: named, else that of the letter it answers, else by arrival (play-by-mail 4)."""
        if heard.turn is not None:
            return heard.turn
        answered = who.answered
        if answered is not None and answered.game_id == table.game.id and answered.turn is not None:
            return answered.turn
        query = select(Letter).where(
            Letter.game_id == table.game.id, Letter.turn == turn.number, col(Letter.opening).is_(True)
        )
        opening = self.work.session.exec(query.where(Letter.seat == tenure.seat)).first()
        told = opening is None or (opening.sent is not None and opening.sent <= self.row.counts)
        return (
            turn.number if told or positions.turn(self.work, table.game, turn.number - 1) is None else turn.number - 1
        )

    def _late(self, table: Table, turn: Turn, meant: int) -> dict[str, Any] | None:
        """Return why orders can no longer count, None if they do: another turn, or past this one's lock or deadline."""
        arrival = self.row.counts
        if meant != turn.number:
            earlier = self.work.session.exec(
                select(Turn).where(Turn.game_id == turn.game_id, Turn.number == meant).limit(1)
            ).first()
            locked = earlier.locked if earlier is not None else None
            facts = {"turn": meant, "open": turn.number, "arrival": iso(arrival), "reason": "other-turn"}
            return {**facts, "locked": iso(locked) if locked else ""}
        if turn.status == "open" and (arrival <= turn.deadline or turns.waits_to_be_told(self.work, table.game, turn)):
            return None
        locked = turn.locked or turn.deadline
        reason = "locked" if turn.status != "open" else "deadline"
        return {
            "turn": meant,
            "open": turn.number + (turn.status != "open"),
            "arrival": iso(arrival),
            "locked": iso(locked),
            "reason": reason,
        }

    def _too_many(self, table: Table, tenure: Tenure, turn: Turn) -> bool:
        sent = [row for row in readings.of_turn(self.work, table.game, turn.number) if row.seat == tenure.seat]
        return len(sent) >= self.work.config.limits.mails_per_turn

    def _apply_settings(self, person: Player, heard: Heard) -> None:
        person.language = heard.settings.get("language", person.language)
        person.zone = heard.settings.get("zone", person.zone)
        self.work.session.add(person)

    def _answer_press(self, who: Speaker, table: Table, tenure: Tenure, heard: Heard) -> None:
        """Make a letter that answers a press letter press back to its writer; with orders in it, do neither and ask (2)."""
        letter = who.answered
        if letter is None or letter.kind != "press" or letter.game_id != table.game.id or heard.press:
            return
        envelope: outbox.Envelope = self.work.vault.open_value(letter.value, outbox.Envelope)
        writer = str(envelope.notice.facts["seat"]) if envelope.notice is not None else ""
        own = self.reading.text.own
        if not own or not writer or writer == tenure.seat:
            return
        if heard.intends:
            line = LineVerdict(text=own[0].raw.strip(), mark="command-refused", key="press-unclosed")
            heard.withdraw({0: line})
            return
        text = tuple(line.raw for line in own)
        heard.press.append((PressBlock(line=0, to=writer, text=text, closed=True, last=len(own) - 1), 0))

    def _press(self, table: Table, tenure: Tenure, heard: Heard, turn: Turn) -> None:
        """Pass press on, or say why not; an unclosed block that holds an order goes nowhere (play-by-mail 2)."""
        for block, place in heard.press:
            to = press.addressed(self.work, table, tenure.seat, block.to)
            others = len(people.tenures(self.work, table.game)) - 1
            facts: dict[str, Any] = {"to": block.to, "lines": list(block.text)}
            key = ""
            if to.unknown:
                key, facts = "press-unknown", {"typed": to.unknown, "suggestions": list(to.suggestions)}
            elif not press.allowed(table, to.seats, others):
                key, facts = "press-forbidden", {"press": table.header.press}
            elif not block.closed and answers.reads_as_intent(
                table,
                positions.state_of(self.work, table, turn),
                tenure.seat,
                [Line(number=0, raw=raw).text for raw in block.text],
            ):
                key = "press-unclosed"
            elif not "".join(block.text).strip():
                key = "press-empty"
            if not key:
                press.send(self.work, table, tenure, self.row, block, place, to.seats, turn.number)
                titles = people.seat_titles(self.work, table.game)
                facts["seats"] = [titles.get(seat, {}) for seat in to.seats]
            text = self.reading.text.own[place].raw.strip()
            heard.lines[place] = LineVerdict(
                text=text, mark="command-refused" if key else "press", key=key or "press", facts=facts
            )

    def _keep(self, table: Table, tenure: Tenure, turn: Turn, heard: Heard, number: int, late_for: int | None) -> str:
        """Keep what a mail says; if in time, take its phrase and log the seat's commitment, which is returned, else ""."""
        self._reading_row(
            table, tenure, turn.number if late_for is None else late_for, heard, number, late=late_for is not None
        )
        if late_for is not None:
            return ""
        orders = any(isinstance(effect, sheets.Put) for effect in heard.effects)
        if heard.phrase:
            self._phrase(table, tenure, turn, heard)
        automatic = chain.automatic_phrase(self.row.message_id, self.raw)
        seeds.keep_phrase(self.work, table.game, tenure.seat, automatic, turn.batch, automatic=True)
        if not heard.touches:
            return ""
        own = "\n".join(line.raw for line in self.reading.text.own)
        accepted = [order for effect in heard.effects if isinstance(effect, sheets.Put) for order in effect.orders]
        part = events.OrderPart(
            seat=tenure.seat,
            mail=self.row.sha256,
            text=sha256(own.encode()).hexdigest(),
            orders=tuple(accepted) if orders else (),
        )
        shown = tenure.seat if table.header.who_in == "names" else None
        entry = logbook.append(
            self.work,
            table.game,
            events.Order(
                seq=0, at=logbook.at(self.row.counts), turn=turn.number, batch=turn.batch, seat=shown, private=""
            ),
            private=part,
            audience={"-": (tenure.seat,)},
        )
        return logbook.commitment_of(entry)

    def _phrase(self, table: Table, tenure: Tenure, turn: Turn, heard: Heard) -> None:
        if not seeds.keep_phrase(self.work, table.game, tenure.seat, heard.phrase, turn.batch, automatic=False):
            place = next(place for place, line in heard.lines.items() if line.key == "salt")
            heard.lines[place] = LineVerdict(text=heard.lines[place].text, mark="command-refused", key="salt-kept")
            heard.phrase = ""
            return
        part = events.PhrasePart(row=tenure.seat, phrase=chain.normalised(heard.phrase))
        logbook.append(
            self.work,
            table.game,
            events.Phrase(seq=0, at=logbook.at(self.row.counts), turn=turn.number, batch=turn.batch, private=""),
            private=part,
            audience={"-": (tenure.seat,)},
        )

    def _reading_row(self, table: Table, tenure: Tenure, turn: int, heard: Heard, number: int, *, late: bool) -> None:
        readings.add(
            self.work,
            table.game,
            Reading(
                mail_id=self.row.id or 0,
                game_id=table.game.id or 0,
                seat=tenure.seat,
                turn=turn,
                number=number,
                arrival=self.row.counts,
                mailbox=self.row.mailbox,
                uid=self.row.uid,
                written=self.reading.incoming.date,
                effects=self.work.vault.seal_value(tuple(heard.effects)),
                late=late,
                has_orders=bool(heard.effects),
            ),
        )

    def _overtaken(self, table: Table, tenure: Tenure, turn: Turn) -> bool:
        """Say whether this letter was written before one that arrived earlier (play-by-mail 2)."""
        written = self.reading.incoming.date
        if written is None:
            return False
        others = readings.accepted(self.work, table.game, turn.number, tenure.seat)
        return any(row.written is not None and row.written > written for row in others if row.mail_id != self.row.id)

    def _receipt(
        self,
        who: Speaker,
        table: Table,
        tenure: Tenure,
        turn: Turn,
        heard: Heard,
        against: Hearing,
        late: dict[str, Any] | None,
        entry: str,
        edited: tuple[LineVerdict, ...],
    ) -> None:
        titles = people.seat_titles(self.work, table.game)
        reader = people.reader_of(self.work, table.game, tenure, titles)
        folded = against.in_force(heard.effects if late is None else ())
        seat = hearing.now_of(against, folded)
        now = positions.position(self.work, table.game, turn)
        others, count = positions.statuses(self.work, now, tenure.seat)
        spoken = seeds.spoken(self.work, table.game, turn.batch)
        receipt = Receipt(
            head=table.head,
            reader=reader,
            number=against.number,
            turn=turn.number,
            phase=turn.phase,
            understood=heard.understood,
            lines=heard.verdicts(),
            set_aside=sum(aside.why != "end" for aside in self.reading.text.set_aside),
            edited_quote=edited,
            in_force=self._written(against, folded.sheet, reader),
            standing=self._written(against, folded.standing, reader),
            missing=tuple(codec.plain(slot) for slot in seat.owed if slot.key in seat.missing and not slot.optional),
            word=seat.word,
            deadline=iso(turn.deadline),
            now=iso(self.work.now),
            others=others,
            count_in=count,
            pin=logbook.pin(table.game),
            prev_pin=logbook.pin_at(self.work, table.game, tenure.reported_seq),
            commitment=entry,
            phrase=spoken.phrases.get(tenure.seat, ""),
            phrase_automatic=tenure.seat not in spoken.sent,
            late=late,
            overtaken=late is None and bool(heard.effects) and self._overtaken(table, tenure, turn),
            reply=answers.extras(self.work, table, tenure, turn, against, heard.asked, reader),
            view=codec.encode(against.view),
        )
        if receipts.silence(self.work, tenure, receipt, has_orders=bool(heard.effects or heard.phrase)):
            return
        for address in dict.fromkeys((reader.address, canonical(who.address))):
            outbox.queue(
                self.work,
                f"receipt/{self.row.id}/{table.game.tag}/{tenure.seat}/{address}",
                address,
                outbox.Envelope(receipt=receipt),
                game=table.game,
                tenure=tenure,
                turn=turn.number,
                in_reply_to=self.row.message_id,
            )
        answers.resend(self.work, table, tenure, heard.asked, self.row)

    def _written(self, against: Hearing, orders: Sequence[Any], reader: Reader) -> tuple[str, ...]:
        return tuple(against.table.ruleset.write(order, reader.language, against.view) for order in orders)

    def _edited(self, against: Hearing) -> tuple[LineVerdict, ...]:
        """Return lines of our template that were edited inside the quote, as they would be read: not in force (3.3)."""
        found = self.reading.text.because("edited quote")
        if not found:
            return ()
        texts = [line.text.lstrip("> ").strip() for line in found]  # the way of quoting is the mail program's
        reading = against.table.ruleset.read(against.view, (), texts, against.language)
        return tuple(
            LineVerdict(
                text=" ".join(texts[place] for place in one.lines),
                mark="ok",
                read=against.table.ruleset.write(one.order, against.language, against.view),
            )
            for one in reading.orders
        )


def _was_order(line: LineVerdict) -> bool:
    """Say whether a line of a receipt changes orders or the seat's word, so that it can be said again for another turn."""
    return line.mark in ("ok", "cut", "refused") or (line.mark == "command" and line.key in _SAID_AGAIN)

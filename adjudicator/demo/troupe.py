"""The company at work: who writes what and when in each turn, mails that nobody asked for included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Final

from adjudicator.demo import scenes
from adjudicator.demo.cast import Person, words
from adjudicator.demo.chance import Chance
from adjudicator.demo.harbour import JUDGE, RULESET, Harbour, OpenTurn
from adjudicator.demo.postbag import Item
from adjudicator.demo.programs import Draft, Posting, answer, delayed, fresh, programs, quoted
from adjudicator.demo.sailor import Sailor
from adjudicator.demo.scenes import Hour, Post, Receipts
from engine.core.registry import ruleset

BOUNCE_STATUS: Final = "5.2.2"
_ROBOT_MINUTES: Final = 1


@dataclass(frozen=True, slots=True)
class Errand:
    """Something that is done at an instant; ``person`` does it, or nobody we know."""

    at: datetime
    run: Callable[[], None]


@dataclass(slots=True)
class Troupe:
    """Everybody who plays, and those who do not but write all the same."""

    harbour: Harbour
    chance: Chance
    seats: dict[str, str] = field(default_factory=dict)
    _written: dict[str, int] = field(default_factory=dict)
    _scenes: dict[str, Item] = field(default_factory=dict)
    _away: str = ""

    # Joining ----------------------------------------------------------------------------------------------------------

    def joining(self) -> Iterator[Errand]:
        """Yield the answers to the invitations."""
        for place, person in enumerate(self.harbour.company):
            minutes = 40 + 75 * place + self.chance.below(50, person.key, "joins")
            at = delayed(self.harbour.clock.now(), person.zone, minutes)
            yield Errand(at, lambda person=person, place=place: self._join(person, place))  # type: ignore[misc]

    def _join(self, person: Person, place: int) -> None:
        said = words(person.language)
        lines = [said.line("join")]
        if place % 4 != 3:  # one of four says nothing to the dice, and the service takes his letter for a phrase
            lines.append(said.line("salt", words=person.salts[-1]))
        greeting = self.chance.pick(said.letter.greetings, person.key, "joins")
        warm = self.chance.pick(tuple(said.write["join_words"]), person.key, "join-words")
        draft = Draft(lines=(greeting, "", *lines, "", warm, "", person.short), signature=person.name)
        self._send(person, draft, self.harbour.mail.latest(person.key, "invitation"), None, scene="join")

    # A turn -----------------------------------------------------------------------------------------------------------

    def plan(self, turn: OpenTurn) -> list[Errand]:
        """Return everything that will be written in a turn, each letter worded when its hour has come."""
        self.seats = self.harbour.seats()
        sailors = [sailor for person in self.harbour.company if (sailor := self._sailor(person, turn)).owes]
        cues = self._cues(turn.number, sailors)
        hours = self._hours(turn, sailors)
        errands: list[Errand] = []
        for sailor in sailors:
            hour = hours[sailor.person.key]
            ready = True if turn.number in scenes.ALL_READY else None
            play = cues.get(sailor.person.key)
            receipts = Receipts(lambda scene, key=sailor.person.key: self._receipt(key, scene))  # type: ignore[misc]
            posts = play(sailor, hour, receipts) if play else scenes.usual(sailor, hour, ready=ready)
            errands += [self._errand(sailor.person, post, turn.number) for post in posts]
        return [*errands, *self._besides(turn, sailors)]

    def _sailor(self, person: Person, turn: OpenTurn) -> Sailor:
        rules, seat = ruleset(RULESET), self.seats[person.key]
        happened = self.harbour.happened(turn.number - 1, seat)
        return Sailor(person, seat, rules, turn.number, rules.view(turn.state, seat), happened, self.chance)

    def _cues(self, number: int, sailors: Sequence[Sailor]) -> Mapping[str, scenes.Scene]:
        free = [sailor for sailor in sailors if number or not sailor.is_awaited]
        cues = {free[place % len(free)].person.key: scene for place, scene in scenes.TURNS.get(number, ())}
        if self._away:
            cues[self._away], self._away = scenes.forgot, ""
        self._away = next((key for key, scene in cues.items() if scene is scenes.standing), "")
        return cues

    def _hours(self, turn: OpenTurn, sailors: Sequence[Sailor]) -> dict[str, Hour]:
        """Return when everybody writes; in set-up last he for whom alone the turn waits, so that all can name ships."""
        found = {}
        for sailor in sailors:
            first, last = sailor.person.hours
            minutes = 60 * first + self.chance.below(60 * (last - first), turn.number, sailor.person.key, "minutes")
            found[sailor.person.key] = Hour(delayed(turn.opened, sailor.person.zone, minutes), turn.deadline)
        latest = max(hour.writes for hour in found.values())
        for sailor in sailors:
            if turn.number == 0 and sailor.is_awaited:
                found[sailor.person.key] = Hour(latest + timedelta(hours=4), turn.deadline)
        return found

    def _receipt(self, key: str, scene: str) -> int:
        return self.harbour.receipt_number(self._scenes[f"{key}/{scene}"])

    def _errand(self, person: Person, post: Post, number: int) -> Errand:
        def run() -> None:
            turn = self.harbour.open_turn()
            if turn is None or turn.number != number:
                return  # the turn was over before he came to write, and the next report has other questions
            kinds = (post.answers, "report") if post.answers == "reminder" else (post.answers,)
            letter = self.harbour.mail.latest(person.key, *kinds)
            sent = self._send(person, post.write(), letter, number, scene=post.scene, copies=post.copies)
            self._scenes[f"{person.key}/{post.scene}"] = sent

        return Errand(post.at, run)

    def _send(
        self, person: Person, draft: Draft, letter: Item, turn: int | None, *, scene: str = "", copies: int = 1
    ) -> Item:
        """Answer a letter with the writer's next mail program, and send the very same mail again for every copy."""
        count = self._written.get(person.key, 0)
        self._written[person.key] = count + 1
        program = programs()[person.programs[count % len(person.programs)]]
        posting = Posting(person, program, self.harbour.clock.now(), self.chance.digits(person.key, "mail", count))
        original = quoted(letter.raw)
        raw = answer(posting, draft, original)

        def send() -> Item:
            marks = {"program": program.title, "scene": scene, "turn": turn}
            return self.harbour.send(raw, person.key, person.address, original.reply_to, **marks)

        return [send() for _ in range(copies)][-1]

    # What nobody asked for --------------------------------------------------------------------------------------------

    def _besides(self, turn: OpenTurn, sailors: Sequence[Sailor]) -> list[Errand]:
        """Return the mails of a turn that are no orders."""
        opened, number = turn.opened, turn.number
        if number == 1 and len(sailors) > 1:
            first, second = sailors[1 % len(sailors)], sailors[2 % len(sailors)]
            there = delayed(opened, first.person.zone, 100)
            back = delayed(there, second.person.zone, 160)
            return [
                Errand(there, lambda: self._press(first, second, number)),
                Errand(back, lambda: self._press_back(second, number)),
            ]
        if number == 7:
            robot = sailors[2 % len(sailors)].person
            return [
                Errand(opened + timedelta(minutes=_ROBOT_MINUTES), lambda: self._robot(robot, number)),
                Errand(opened + timedelta(hours=1), lambda: self._stranger(sailors[0].person, number)),
                Errand(opened + timedelta(minutes=90), lambda: self._bounce(sailors[0].person, number)),
            ]
        return []

    def _press(self, writer: Sailor, reader: Sailor, number: int) -> None:
        """Write to another player; whose answer to that letter needs no more than what he wants to say."""
        said = writer.words
        title = self.harbour.titles()[reader.seat][writer.person.language]
        block = (said.line("press", to=title), *said.lines("press", "to"), said.line("end_press"))
        draft = Draft(lines=(*block, "", writer.person.short), signature=writer.person.name)
        self._send(writer.person, draft, self.harbour.mail.latest(writer.person.key, "report"), number, scene="press")

    def _press_back(self, writer: Sailor, number: int) -> None:
        draft = Draft(lines=writer.words.lines("press", "back"), signature=writer.person.name)
        self._send(writer.person, draft, self.harbour.mail.latest(writer.person.key, "press"), number, scene="press")

    def _robot(self, person: Person, number: int) -> None:
        """Let somebody's mailbox answer a report by itself (RFC 3834)."""
        letter = quoted(self.harbour.mail.latest(person.key, "report").raw)
        message = EmailMessage(policy=SMTP)
        said = words(person.language)
        message["From"], message["To"] = person.address, letter.address
        message["Subject"] = str(said.lines("robot", "subject")[0]).format(subject=letter.subject)
        message["Date"] = self.harbour.clock.now()
        message["Message-ID"] = f"<{self.chance.digits('robot')}@{person.address.rpartition('@')[2]}>"
        message["In-Reply-To"], message["Auto-Submitted"] = letter.message_id, "auto-replied"
        message.set_content("\n".join(said.lines("robot", "text")) + "\n", cte="base64")
        self.harbour.send(message.as_bytes(), person.key, "", JUDGE, scene="robot", turn=number)

    def _stranger(self, person: Person, number: int) -> None:
        stranger = words(person.language).stranger
        other = Person(
            key="stranger",
            name=stranger.name,
            short=stranger.name,
            address=stranger.address,
            language=person.language,
            zone=person.zone,
            programs=person.programs,
            ships=(),
            habits=(),
            word="",
            ready=0,
            hours=(0, 1),
            salts=person.salts,
        )
        posting = Posting(
            other, programs()[person.programs[0]], self.harbour.clock.now(), self.chance.digits("stranger")
        )
        raw = fresh(posting, JUDGE, stranger.subject, stranger.text)
        self.harbour.send(
            raw, "stranger", other.address, JUDGE, program=posting.program.title, scene="stranger", turn=number
        )

    def _bounce(self, person: Person, number: int) -> None:
        """Let somebody's provider say that it could not deliver our last receipt (RFC 3464)."""
        letter = self.harbour.mail.latest(person.key, "receipt")
        raw = _failure(person.address, letter, self.harbour.clock.now(), self.chance.digits("bounce"))
        self.harbour.send(raw, person.key, "", JUDGE, scene="bounce", turn=number)


def _failure(address: str, letter: Item, at: datetime, mark: str) -> bytes:
    """Return a delivery status notification: words, fields, and the header of the letter that failed."""
    domain = address.rpartition("@")[2]
    head = f"Message-ID: {letter.message_id}\r\nFrom: {JUDGE}\r\nTo: {address}\r\n"
    fields = f"Reporting-MTA: dns; mx.{domain}\r\n\r\n"
    fields += f"Final-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: {BOUNCE_STATUS}\r\n"
    fields += f"Diagnostic-Code: smtp; 552 {BOUNCE_STATUS} mailbox is full\r\n"
    parts = (
        ("text/plain; charset=us-ascii", f"Your message to {address} could not be delivered: the mailbox is full.\r\n"),
        ("message/delivery-status", fields),
        ("text/rfc822-headers", head),
    )
    boundary = f"=_{mark}"
    body = "".join(f"--{boundary}\r\nContent-Type: {kind}\r\n\r\n{text}\r\n" for kind, text in parts)
    outside = (
        f"From: MAILER-DAEMON@mx.{domain}",
        f"To: {JUDGE}",
        "Subject: Undelivered Mail Returned to Sender",
        f"Date: {format_datetime(at)}",
        f"Message-ID: <{mark}@mx.{domain}>",
        "Auto-Submitted: auto-replied",
        "MIME-Version: 1.0",
        f'Content-Type: multipart/report; report-type=delivery-status; boundary="{boundary}"',
    )
    return ("\r\n".join(outside) + f"\r\n\r\n{body}--{boundary}--\r\n").encode("ascii")

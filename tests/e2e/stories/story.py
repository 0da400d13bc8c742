"""A game as its people live it: they write and read mail, hours pass, and the service does its work meanwhile."""

from __future__ import annotations

import contextlib
import email
import email.policy
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime, formataddr, parseaddr
from typing import Any

from msgspec.structs import replace

from adjudicator import jobs
from adjudicator.services import header, people, tokens
from adjudicator.services.intake import Doorway
from adjudicator.services.work import Work
from engine.core import codec
from mail.source import MailboxUnreachable
from tests.adjudicator.services.stage import JUDGE, Stage
from tests.servers.smtp_sink import SmtpSink

STRIDE = timedelta(days=1)
"""How far time goes at a step."""
REMINDERS = (timedelta(hours=24), timedelta(hours=4))

PROVIDER = "mx.example.org"
VOUCHED = (("Authentication-Results", f"{PROVIDER}; dmarc=pass header.from=example.org"),)
"""What the mailbox provider says of a mail from the people of a story."""


@dataclass(frozen=True, slots=True)
class Got:
    """A letter as its reader has it."""

    message: EmailMessage

    @property
    def subject(self) -> str:
        """The subject, decoded."""
        return str(self.message["Subject"])

    @property
    def text(self) -> str:
        """The text part, its lines unwrapped to single spaces, so that words are found wherever a line ends."""
        return " ".join(self.lines_as_sent.split())

    @property
    def lines_as_sent(self) -> str:
        """The text part as it stands."""
        body = self.message.get_body(("plain",))
        return str(body.get_content()) if isinstance(body, EmailMessage) else ""

    def lines(self, *starts: str) -> list[str]:
        """Return the lines that begin so, each once."""
        found = (line.strip() for line in self.lines_as_sent.splitlines())
        return list(dict.fromkeys(line for line in found if line.startswith(starts)))

    def file(self, ending: str) -> bytes:
        """Return the attached file whose name ends so. Raises LookupError if there is not exactly one."""
        files = [part for part in self.message.iter_attachments() if (part.get_filename() or "").endswith(ending)]
        if len(files) != 1:
            raise LookupError(f"{len(files)} files *{ending} in «{self.subject}»")
        return bytes(files[0].get_payload(decode=True) or b"")


@dataclass(slots=True)
class Person:
    """Somebody with a mail program: he has what the service handed over to his address, and writes to it."""

    story: Story
    address: str
    name: str
    seen: int = 0

    def letters(self, words: str = "") -> list[Got]:
        """Return all letters he ever got with these words in their subject, oldest first."""
        found = []
        for mail in self.story.sink.received:
            if mail.recipients == (self.address,):
                message = email.message_from_bytes(mail.raw, policy=email.policy.default)
                assert isinstance(message, EmailMessage)
                if words in str(message["Subject"]):
                    found.append(Got(message))
        return found

    def news(self) -> list[Got]:
        """Return what he got since he last looked."""
        found = self.letters()
        fresh, self.seen = found[self.seen :], len(found)
        return fresh

    def one(self, words: str) -> Got:
        """Return the only letter with these words in its subject among what he got since he last looked."""
        found = [one for one in self.news() if words in one.subject]
        if len(found) != 1:
            raise LookupError(f"{self.name} got {[one.subject for one in found]}, not one letter «{words}»")
        return found[0]

    def subjects(self) -> list[str]:
        """Return the subjects of what he got since he last looked."""
        return [one.subject for one in self.news()]

    def last(self, words: str = "") -> Got:
        """Return the last letter with these words in its subject. Raises LookupError if he got none."""
        found = self.letters(words)
        if not found:
            raise LookupError(f"{self.name} has no letter «{words}», only {[one.subject for one in self.letters()]}")
        return found[-1]

    def answers(self, letter: Got, text: str, *, quoting: str | None = None, **how: Any) -> bytes:
        """Let him answer a letter as a mail program does: to its reply address, with the letter quoted below.

        ``quoting`` is what he made of the quoted text; ``how`` as for `posts`.
        """
        quoted = letter.lines_as_sent if quoting is None else quoting
        quote = "".join(f"> {line}\n" for line in quoted.splitlines())
        _, judge = parseaddr(str(letter.message["From"]))
        below = f"\n\n05.01.2026, 15:00, Судья <{judge}> пишет:\n{quote}"
        how.setdefault("to", str(letter.message["Reply-To"] or letter.message["From"]))
        how.setdefault("subject", f"Re: {letter.subject}")
        return self.posts(text + below, answers=str(letter.message["Message-ID"]), **how)

    def judges(self, text: str, **how: Any) -> bytes:
        """Let the moderator of the game write to the address that carries his token; ``how`` as for `posts`."""
        stage = self.story.stage
        with stage.house.look() as work:
            game = work.game(self.story.tag, lock=False)
            tenure = people.moderator(work, game)
            if tenure is None:
                raise LookupError(f"{game.tag} has no moderator")
            carrier = tokens.of_tenure(work.vault, game, tenure)
        return self.posts(text, to=tokens.reply_address(JUDGE, carrier), **how)

    def posts(
        self,
        text: str,
        *,
        to: str = JUDGE,
        subject: str = "приказы",
        answers: str = "",
        date: datetime | None = None,
        arrival: datetime | None = None,
        folder: str = "INBOX",
        headers: Sequence[tuple[str, str]] = (),
    ) -> bytes:
        """Let him write a mail, which arrives now unless another ``arrival`` is given; return its bytes."""
        stage = self.story.stage
        message = EmailMessage()
        message["From"] = formataddr((self.name, self.address))
        message["To"] = to
        message["Subject"] = subject
        message["Message-ID"] = f"<{next(stage.numbers)}.letter@example.org>"
        message["Date"] = format_datetime(date or arrival or stage.clock.now())
        if answers:
            message["In-Reply-To"] = answers
        for name, value in headers:
            message[name] = value
        message.set_content(text)
        return stage.deliver(message.as_bytes(), arrival=arrival, folder=folder)


@dataclass(slots=True)
class Story:
    """A stage with people on it. ``tag`` is the game that lies at hand, turn 1 open and both players told."""

    stage: Stage
    sink: SmtpSink

    @property
    def tag(self) -> str:
        """The game at hand."""
        return self.stage.ready

    @property
    def now(self) -> datetime:
        """The time on the clock."""
        return self.stage.clock.now()

    @property
    def deadline(self) -> datetime:
        """The deadline of the open turn."""
        return self.stage.turn(self.tag).deadline

    @property
    def number(self) -> int:
        """The number of the open turn."""
        return self.stage.turn(self.tag).number

    def judge(self, address: str, name: str) -> Person:
        """Let somebody moderate the game at hand; `Person.judges` writes as he does."""

        def appoint(work: Work) -> None:
            person = people.register(work, address, name=name, language="ru", zone="Europe/Moscow")
            people.appoint(work, work.game(self.tag), person)

        self.stage.alter(appoint)
        return self.person(address, name)

    def orders(self, seat: str) -> tuple[str, ...]:
        """Return a seat's orders in force for the open turn, as written in Russian."""
        return self.stage.in_force(self.tag, seat)

    def person(self, address: str, name: str) -> Person:
        """Bring somebody in, who has read all his mail so far."""
        person = Person(self, address, name)
        person.news()
        return person

    def work(self) -> None:
        """Let the service do all there is to do now; a mailbox that cannot be reached is tried again another time."""
        desk = self.stage.desk
        for source in desk.sources:
            with contextlib.suppress(MailboxUnreachable):
                jobs.poll(desk, source)
        for _ in range(2):  # what became of a letter is heard in the next round
            while jobs.think(desk) + jobs.render(desk):
                pass
            while jobs.deliver(desk):
                pass

    def provider_vouches(self) -> None:
        """Let the word of the mailbox provider count, as `VOUCHED` gives it."""
        object.__setattr__(self.stage.desk, "doorway", Doorway(lambda _: PROVIDER, lambda _: False))

    def header(self, **switches: Any) -> None:
        """Let the game at hand be played from now on as though its header had these switches from the beginning."""

        def change(work: Work) -> None:
            game = work.game(self.tag)
            game.header = codec.encode(replace(header.read(game.header), **switches))
            work.session.add(game)
            work.forget("table", game.id)

        self.stage.alter(change)

    def passes(self, span: timedelta) -> None:
        """Let time pass, with mailbox and submission server in order all the while."""
        self.until(self.now + span)

    def until(self, instant: datetime) -> None:
        """Let time pass until an instant, with mailbox and submission server in order all the while."""
        self.work()
        while self.now < instant:
            self.stage.read_until(min([instant, self.now + STRIDE, *self._reminders()]))
            self.work()

    def _reminders(self) -> list[datetime]:
        """Return when the service has a word to say before the deadline, as far as that is to come."""
        due = self.deadline
        return [due - step for step in REMINDERS if due - step > self.now]

    def deadline_passes(self) -> None:
        """Let time pass until the deadline of the open turn has been looked at."""
        self.until(self.deadline + timedelta(minutes=3))

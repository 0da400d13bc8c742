"""Person or robot: what a mail's headers say of who sent it (mail-facts 3, RFC 3834 2)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
from msgspec import Struct

from mail.addresses import canonical, split_plus
from mail.headers import decoded, first_token
from mail.message import Incoming
from mail.text import folded


class Kind(StrEnum):
    """What sort of sender a mail shows. Only ``HUMAN`` may be acted upon; ``WEAK_AUTOMATIC`` is held for a person."""

    HUMAN = "human"
    AUTOMATIC = "automatic"
    WEAK_AUTOMATIC = "weak-automatic"
    BOUNCE = "bounce"
    OURS = "ours"


class Sender(Struct, frozen=True):
    """The kind of a sender and the signal that showed it (empty for a person)."""

    kind: Kind
    signal: str = ""


# What is known of robots


class Senders(Struct, frozen=True, forbid_unknown_fields=True):
    """Local parts: of programs that report on deliveries, and of senders that take no answer."""

    daemons: tuple[str, ...]
    nobodies: tuple[str, ...]


class RobotHeaders(Struct, frozen=True, forbid_unknown_fields=True):
    """Headers that only robots write, and those that mailing lists write."""

    robots: frozenset[str]
    lists: frozenset[str]


class RobotSubjects(Struct, frozen=True, forbid_unknown_fields=True):
    """Beginnings of subjects; a ``bare`` one must be followed by a mark or by nothing."""

    automatic: tuple[str, ...]
    bare: tuple[str, ...]


class RobotWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Beginnings of sentences, among the first of a mail, in which a machine says what it is."""

    begin: tuple[str, ...]


class FailureWords(Struct, frozen=True, forbid_unknown_fields=True):
    """What delivery failures say in words: for good, for now, and that there was one at all."""

    permanent: tuple[str, ...]
    temporary: tuple[str, ...]
    failed: tuple[str, ...]


class Robots(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole catalogue; ``values`` are words in the value of a header that tell, by header."""

    senders: Senders
    headers: RobotHeaders
    values: dict[str, tuple[str, ...]]
    subjects: RobotSubjects
    words: RobotWords
    failures: FailureWords


def read_robots(text: str) -> Robots:
    """Read a catalogue; raises ``msgspec.ValidationError`` or ``tomllib.TOMLDecodeError`` naming what is wrong."""
    return msgspec.convert(tomllib.loads(text), Robots)


@cache
def robots() -> Robots:
    """Give the catalogue that ships with the package."""
    return read_robots((files("mail") / "data" / "robots.toml").read_text("utf-8"))


@cache
def _daemons() -> re.Pattern[str]:
    return re.compile(rf"(?:{_any(robots().senders.daemons)}|microsoftexchange[0-9a-f]{{32}})(?:\+.{{0,60}})?@")


@cache
def _nobodies() -> re.Pattern[str]:
    return re.compile(rf"(?:[^@]{{1,60}}[._+-])?(?:{_any(robots().senders.nobodies)})(?:[._+-][^@]{{0,60}})?@")


@cache
def _subjects() -> re.Pattern[str]:
    known = robots().subjects
    return re.compile(rf"(?:{_any(known.automatic)})(?![^\W\d_])|(?:{_any(known.bare)})\s?(?:$|[:(\[.,;!-])")


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"(?:^|[.!?,] )(?:{_any(robots().words.begin)})(?!\w)")


@cache
def _failures() -> re.Pattern[str]:
    return re.compile(_any(tuple(map(folded, robots().failures.failed))))


def _any(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(folded(word)) for word in sorted(words, key=lambda word: (-len(word), word)))


# Who speaks

_FIRST_LINES: Final = 8
_FIRST_LETTERS: Final = 300


class Signs:
    """The headers of a mail by name, as its signals look at them."""

    def __init__(self, incoming: Incoming) -> None:
        self.incoming = incoming
        self._fields: dict[str, list[bytes]] = {}
        for name, value in incoming.headers:
            self._fields.setdefault(name, []).append(value)

    def all(self, name: str) -> list[str]:
        """Give the decoded values of every header of that name."""
        found = self._fields.get(name)
        return [decoded(value) for value in found] if found else []

    def has(self, name: str) -> bool:
        """Say whether a header of that name is there at all."""
        return name in self._fields

    def of(self, names: frozenset[str]) -> list[str]:
        """Give those of these headers that are there, topmost first."""
        return [] if names.isdisjoint(self._fields) else [name for name in self._fields if name in names]

    @property
    def names(self) -> Iterable[str]:
        """Names of all headers, in small letters."""
        return self._fields

    def sent_by(self, pattern: re.Pattern[str]) -> bool:
        """Say whether a sender's address begins so."""
        return any(pattern.match(box.canonical) for box in self.incoming.sender)

    @property
    def without_return_path(self) -> bool:
        """Whether the mail has the empty envelope sender, however its server writes that (RFC 5321 4.5.5)."""
        return any(map(_is_null, (*self.all("return-path"), *self.all("x-envelope-from"))))

    @property
    def submitted_automatically(self) -> bool:
        """Whether Auto-Submitted says anything but ``no`` (RFC 3834 5)."""
        return any(first_token(value) not in ("", "no") for value in self.all("auto-submitted"))


_NULL: Final = frozenset({"", "#@[]", "mailer-daemon"})


def _is_null(value: str) -> bool:
    """Say whether a Return-Path is empty; sendmail and Postfix write a daemon's name for it, qmail ``<#@[]>``."""
    bare = value.strip().strip("<>").strip().lower()
    return bare in _NULL or bare.startswith("mailer-daemon@")


def classify(
    incoming: Incoming,
    *,
    own_addresses: Iterable[str] = (),
    own_message_ids: Callable[[str], bool] = lambda _: False,
) -> Sender:
    """Say who speaks, by headers first; the first signal that fires decides and is named.

    Ourselves come first, then whatever may be a delivery report, since that is read and not only dropped, then the
    strong signs of a robot, last the weak ones. ``own_message_ids`` tells whether a Message-ID is one we gave. A mail
    that shows no signal is a person's.
    """
    if signal := _ours(incoming, frozenset(map(canonical, own_addresses)), own_message_ids):
        return Sender(Kind.OURS, signal)
    signs = Signs(incoming)
    for name, kind, fires in _SIGNALS:
        if fires(signs):
            return Sender(kind, name)
    return Sender(Kind.HUMAN)


def _ours(incoming: Incoming, own: frozenset[str], own_message_ids: Callable[[str], bool]) -> str:
    if incoming.message_id and own_message_ids(incoming.message_id):
        return "own-message-id"
    if any(canonical(split_plus(box.address)[0]) in own for box in incoming.sender):
        return "own-address"
    return "own-loop-mark" if any(canonical(value) in own for value in incoming.all("x-loop")) else ""


def _is_delivery_report(signs: Signs) -> bool:
    """Say whether a mail is an RFC 3464 report; a person may pass the parts of one on, in a mail of his own."""
    incoming = signs.incoming
    if incoming.kind == "multipart/report":
        return bool(incoming.delivery_status) or incoming.report_type == "delivery-status"
    robot = signs.without_return_path or signs.submitted_automatically or signs.sent_by(_daemons())
    return bool(incoming.delivery_status) and robot


def _bounced_in_words(signs: Signs) -> bool:
    return signs.without_return_path and _failures().search(folded(signs.incoming.subject)) is not None


_BULK: Final = frozenset({"bulk", "list", "junk", "auto_reply", "auto-reply", "autoreply"})


def _precedence(signs: Signs) -> bool:
    return any(first_token(value) in _BULK for value in signs.all("precedence"))


_ANSWERS_OF_CALENDARS: Final = ("reply", "counter", "refresh", "declinecounter")


def _robot_header(signs: Signs) -> bool:
    known = robots()
    for name in signs.of(known.headers.robots):
        if any(first_token(value) not in ("no", "false", "none", "0") for value in signs.all(name)):
            return True
    told = ((value.lower(), words) for name, words in known.values.items() for value in signs.all(name))
    return any(word in value for value, words in told for word in words)


def _exchange_rule(signs: Signs) -> bool:
    # X-Auto-Response-Suppress alone stands on people's Exchange mail: it asks others to be silent, no more.
    return signs.has("x-auto-response-suppress") and signs.has("x-ms-exchange-inbox-rules-loop")


def _robot_subject(signs: Signs) -> bool:
    return _subjects().match(folded(signs.incoming.subject)) is not None


def _failure_subject(signs: Signs) -> bool:
    return _failures().match(folded(signs.incoming.subject)) is not None


def _robot_words(signs: Signs) -> bool:
    """Look at the first lines, above anything quoted, for what a machine without any header says of itself."""
    for line in signs.incoming.lines[:_FIRST_LINES]:
        if line.mark or line.raw.startswith(">"):
            return False
        if _words().search(folded(line.raw[:_FIRST_LETTERS])):
            return True
    return False


_SIGNALS: Final[tuple[tuple[str, Kind, Callable[[Signs], bool]], ...]] = (
    ("delivery-report", Kind.BOUNCE, _is_delivery_report),
    ("failed-recipients", Kind.BOUNCE, lambda signs: signs.has("x-failed-recipients")),
    ("daemon-sender", Kind.BOUNCE, lambda signs: signs.sent_by(_daemons())),
    ("bounce-subject", Kind.BOUNCE, _bounced_in_words),
    ("null-return-path", Kind.AUTOMATIC, lambda signs: signs.without_return_path),
    ("auto-submitted", Kind.AUTOMATIC, lambda signs: signs.submitted_automatically),
    ("report", Kind.AUTOMATIC, lambda signs: signs.incoming.kind == "multipart/report"),
    ("nobody-sender", Kind.AUTOMATIC, lambda signs: signs.sent_by(_nobodies())),
    ("precedence", Kind.AUTOMATIC, _precedence),
    ("list", Kind.AUTOMATIC, lambda signs: bool(signs.of(robots().headers.lists))),
    ("adjudicator", Kind.AUTOMATIC, lambda signs: signs.has("x-game-outbox-id")),
    ("robot-header", Kind.AUTOMATIC, _robot_header),
    ("exchange-rule", Kind.AUTOMATIC, _exchange_rule),
    ("calendar-answer", Kind.AUTOMATIC, lambda signs: signs.incoming.calendar in _ANSWERS_OF_CALENDARS),
    ("list-trace", Kind.WEAK_AUTOMATIC, lambda signs: any(name.startswith("list-") for name in signs.names)),
    ("robot-subject", Kind.WEAK_AUTOMATIC, _robot_subject),
    ("robot-words", Kind.WEAK_AUTOMATIC, _robot_words),
    ("failure-subject", Kind.WEAK_AUTOMATIC, _failure_subject),
)

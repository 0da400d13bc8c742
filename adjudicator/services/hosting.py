"""``создать`` by mail from an address the operator lists as host: a game is made, and its host its moderator (0)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, TypeAlias, get_args

import msgspec
from sqlmodel import col, func, select

from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import record
from adjudicator.letters import Notice
from adjudicator.services import (
    answers,
    asked,
    commands,
    games,
    households,
    invitations,
    logbook,
    outbox,
    people,
    positions,
    schedule,
    unwanted,
    verdicts,
    zones,
)
from adjudicator.services.header import Header, fair
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Game, Invitation, Letter
from engine.core import codec, registry
from engine.core.contract import Value
from engine.core.names import Found, find
from mail.addresses import canonical, mailboxes

QUESTIONS_A_DAY: Final = 5
"""Letters a day that ask a host whether it was he who wants a game."""
_PAIR: Final = re.compile(r"([^=:]{1,60}?)\s*[=:]\s*(\S.{0,200})")
_WORD: Final = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|«([^»]*)»|(\S+))|(\S+)""")
_SPANS: Final = ("cool_off", "grace")


Facts: TypeAlias = dict[str, Any]


class Words(Value, frozen=True):
    """The words of the data file: of verbs and numbers, of switches, of their values in Russian."""

    words: dict[str, tuple[str, ...]]
    switches: dict[str, tuple[str, ...]]
    values: dict[str, tuple[str, ...]]


class Wanted(Value, frozen=True):
    """What somebody who creates a game asks for: header switches as typed, and the ruleset's own options."""

    ruleset: str
    edition: str = ""
    players: int = 0
    switches: dict[str, Any] = msgspec.field(default_factory=dict)
    options: dict[str, Any] = msgspec.field(default_factory=dict)


@cache
def words() -> Words:
    """Return the words of the data file."""
    text = resources.files("adjudicator.data").joinpath("hosting.toml").read_text(encoding="utf-8")
    found: Words = msgspec.convert(tomllib.loads(text), Words)
    return found


def heard(work: Work, mail: Opened, who: Speaker) -> bool:
    """Make the game that a host's letter asks for, or ask him whether it was he; return whether it asks for one.

    Anybody else who writes so is not answered here. A letter that his provider calls forged is held like any other.
    """
    lines = [line.text for line in mail.own if line.text.strip()]
    if not lines or _after(lines[0], "create") is None or not is_host(work, who.address):
        return False
    if mail.reading.authentication.result == "fail" or "weak-automatic" in mail.reading.held:
        return False
    name = next((one.name for one in mail.reading.incoming.sender if one.name), "")[:60]
    if not (who.vouched or (who.players and who.proof)):
        verdicts.settle(work, mail.row, "held", "unproven")
        if _asked_today(work, who.address) < QUESTIONS_A_DAY:
            reader = unwanted.stranger(work, who.address, _language(lines[0]), name=name)
            asked.ask(work, "create", reader, {"lines": lines[:40], "name": name}, cause=f"{mail.row.id}")
        return True
    verdicts.settle(work, mail.row, "orders", "create")
    try:
        game, invited = _make(work, who.address, name, lines)
    except RefusedByRules as refusal:
        _refuse(work, who.address, lines[0], refusal, mail)
        return True
    verdicts.assign(work, mail.row, game.id)
    tell(work, game, invited, f"{mail.row.id}", mail.row.message_id)
    return True


def is_host(work: Work, address: str) -> bool:
    """Say whether the operator lists an address as that of a host."""
    return canonical(address) in [canonical(one) for one in work.config.service.operators]


def confirmed(work: Work, row: Asked, facts: dict[str, Any], _mail: Opened) -> None:
    """Make the game that a host has confirmed he asked for. Raises `RefusedByRules` for one that cannot be."""
    game, invited = _make(work, row.address, str(facts["name"]), [str(line) for line in facts["lines"]])
    facts["tag"] = game.tag
    tell(work, game, invited, f"asked-{row.id}", "")


def _asked_today(work: Work, address: str) -> int:
    day = func.count(col(Letter.id))
    query = select(day).where(Letter.kind == "confirm", Letter.address == canonical(address))
    return work.session.exec(query.where(col(Letter.created) > work.now - invitations.DAY)).one()


# What is asked for ----------------------------------------------------------------------------------------------------


def _make(work: Work, address: str, name: str, lines: Sequence[str]) -> tuple[Game, list[Facts]]:
    """Make the game that these lines ask for and invite whom they name; return what became of each invitation.

    Raises `RefusedByRules` for a game that cannot be; an invitation that cannot be written undoes nothing.
    """
    wanted = read(lines, work.config.service.zone)
    language = _language(lines[0])
    info = registry.ruleset(wanted.ruleset).info
    header = _header(wanted.switches)
    game = games.create(
        work,
        wanted.ruleset,
        wanted.players or info.seats[0],
        edition=wanted.edition,
        options=wanted.options,
        header=header,
    )
    person = people.register(
        work, address, name=name or address.partition("@")[0], language=language, zone=work.config.service.zone
    )
    people.appoint(work, game, person)
    invites = [rest for line in lines[1:] if (rest := _after(line, "invite")) is not None]
    return game, [_invited(work, game, rest, language) for rest in invites]


def _invited(work: Work, game: Game, typed: str, language: str) -> Facts:
    try:
        return {"address": invite(work, game, typed, language=language).address, "why": ""}
    except RefusedByRules as refusal:
        return {"address": typed, "why": refusal.key}


def read(lines: Sequence[str], zone: str) -> Wanted:
    """Return what the lines of a letter ask for. Raises `RefusedByRules` that quotes the word nobody knows."""
    found: dict[str, Any] = {"zone": zone}
    options: dict[str, Any] = {}
    name, edition, players = "", "", 0
    for hit in _WORD.finditer(_after(lines[0], "create") or ""):
        key, value, word = hit[1], hit[2] or hit[3] or hit[4] or "", hit[5]
        if key:
            players = _take(key, value, found, options) or players
        elif not name:
            name = _ruleset(word)
        elif word.isascii() and word.isdigit():
            players = int(word)
        elif not edition:
            edition = _edition(name, word)
        else:
            raise RefusedByRules("create-unread", line=word)
    if not name:
        raise RefusedByRules("unknown-ruleset", typed="", rulesets=_rulesets())
    for line in lines[1:]:
        if _after(line, "invite") is not None:
            continue
        pair = _PAIR.fullmatch(line.strip())
        if pair is None:
            raise RefusedByRules("create-unread", line=line.strip())
        players = _take(pair[1], pair[2], found, options) or players
    return Wanted(
        ruleset=name, edition=edition, players=players, switches=found, options=_typed(name, edition, options)
    )


def _take(key: str, value: str, switches: dict[str, Any], options: dict[str, Any]) -> int:
    """Enter a switch of the header or an option of the ruleset; return the number of players if that is what it is."""
    plain = commands.folded(key)
    if plain in words().words["players"]:
        if not (value.isascii() and value.isdigit()):
            raise RefusedByRules("bad-value", name=key, value=value, values=[])
        return int(value)
    name = next((one for one, spellings in words().switches.items() if plain in (*_folded(spellings), one)), "")
    if name:
        switches[name] = _value(name, key, value)
    else:
        options[plain.replace(" ", "_").replace("-", "_")] = value
    return 0


def _value(name: str, key: str, value: str) -> Any:
    """Return a switch's value as the header has it. Raises `RefusedByRules` with the values there are."""
    kind = next(one for one in msgspec.structs.fields(Header) if one.name == name).type
    plain = commands.folded(value)
    if name == "schedule":
        return value
    if name == "zone":
        return _or_refused(zones.resolve(value), key, value, ())
    if name in _SPANS:
        return _span(key, value)
    if kind is bool:
        spoken = next((yes for yes in ("yes", "no") if plain in words().words[yes]), None)
        return _or_refused(spoken, key, value, ("yes", "no")) == "yes"
    allowed = tuple(one for one in get_args(kind) if isinstance(one, str))
    if not allowed:
        return int(value) if value.isascii() and value.isdigit() else value
    said = next((one for one in allowed if plain in (one, *_folded(words().values.get(one, ())))), None)
    return _or_refused(said, key, value, allowed)


def _or_refused(found: str | None, key: str, value: str, values: Sequence[str]) -> str:
    if found is None:
        raise RefusedByRules("bad-value", name=key, value=value, values=list(values))
    return found


def _span(key: str, value: str) -> int:
    try:
        return int(schedule.parse_span(value).total_seconds())
    except schedule.ScheduleError as cause:
        raise RefusedByRules("bad-value", name=key, value=value, values=["24h", "90min"]) from cause


def _typed(ruleset: str, edition: str, options: Mapping[str, str]) -> dict[str, Any]:
    """Return options with numbers as numbers, where the edition has one."""
    editions = registry.ruleset(ruleset).info.editions
    base = record.options_object(editions[edition or next(iter(editions))])
    return {
        name: int(value) if isinstance(base.get(name), int) and value.isascii() and value.isdigit() else value
        for name, value in options.items()
    }


def _header(switches: Mapping[str, Any]) -> Header:
    try:
        header: Header = codec.from_plain(fair(switches), Header)
    except msgspec.ValidationError as cause:
        raise RefusedByRules("bad-header", cause=str(cause)) from cause
    return header


def _rulesets() -> list[str]:
    return sorted(registry.rulesets())


def _ruleset(typed: str) -> str:
    """Return the ruleset a word names, by its name or a title. Raises `RefusedByRules` that lists them."""
    names = {name: [name, *registry.ruleset(name).info.titles.values()] for name in _rulesets()}
    found = find(typed, names)
    if not isinstance(found, Found):
        raise RefusedByRules("unknown-ruleset", typed=typed, rulesets=_rulesets())
    return found.key


def _edition(ruleset: str, typed: str) -> str:
    editions = sorted(registry.ruleset(ruleset).info.editions)
    if typed.casefold() not in editions:
        raise RefusedByRules("unknown-edition", edition=typed, editions=editions)
    return typed.casefold()


def _after(line: str, verb: str) -> str | None:
    """Return what follows a verb at the beginning of a line, None if the line does not begin so."""
    plain = " ".join(line.split())
    for spelling in words().words[verb]:
        rest = plain[len(spelling) :]
        if commands.folded(plain[: len(spelling)]) == spelling and (not rest or rest.startswith((" ", ":"))):
            return rest.removeprefix(":").strip()
    return None


def _folded(spellings: Sequence[str]) -> tuple[str, ...]:
    return tuple(commands.folded(one) for one in spellings)


def _language(text: str) -> str:
    return "ru" if any("а" <= char <= "я" for char in text.casefold()) else "en"


# Inviting -------------------------------------------------------------------------------------------------------------


def invite(work: Work, game: Game, typed: str, *, language: str) -> Invitation:
    """Invite whom ``anna@example.org [seat]`` or ``Анна <anna@example.org> место Испания-1`` names.

    An address from which somebody has joined already is asked for a second seat: who runs the game has said so (4).

    Raises `RefusedByRules` for words without one address, a seat there is not, and what `games.invite` refuses.
    """
    name, address, rest = _mailbox(typed)
    seat = answers.seat_named(work, game, rest)
    second = households.taken(work, game, address)
    return games.invite(work, game, address, name=name, language=language, seat=seat, second=second)


_ADDRESS: Final = re.compile(r"<[^<>]*>|\S+@\S+")
_PLACE: Final = re.compile(r"^(?:на\s+)?(?:место|seat|for)\s+", re.IGNORECASE)


def _mailbox(typed: str) -> tuple[str, str, str]:
    """Return name, address and what stands behind it. Raises `RefusedByRules` if there is not one address."""
    hit = _ADDRESS.search(typed)
    found = mailboxes(typed[: hit.end()].rstrip(",;")) if hit else ()
    if hit is None or len(found) != 1 or not found[0].address.partition("@")[2]:
        raise RefusedByRules("bad-address", address=typed)
    name = found[0].name if hit[0].startswith("<") else typed[: hit.start()].strip(' ,"«»')
    return name, found[0].address, _PLACE.sub("", typed[hit.end() :].strip(" ,;"))


# Telling --------------------------------------------------------------------------------------------------------------


def tell(work: Work, game: Game, invited: Sequence[Facts], cause: str, in_reply_to: str) -> None:
    """Answer a host with options, seats, anchors and a letter to pass on; his key is in the reply address."""
    judge = people.moderator(work, game)
    if judge is None:
        raise ValueError(f"{game.tag} has no host")
    at = positions.table(game)
    reader = people.reader_of(work, game, judge, people.seat_titles(work, game))
    facts = invitations.description(work, game) | {
        "entry": at.header.entry,
        "auto_start": at.header.auto_start,
        "address": work.config.service.address,
        "invited": list(invited),
    }
    notice = Notice(kind="created", reader=reader, facts=facts, head=at.head, pin=logbook.pin(game))
    outbox.queue(
        work,
        f"created/{game.tag}/{cause}",
        reader.address,
        outbox.Envelope(notice=notice),
        game=game,
        tenure=judge,
        in_reply_to=in_reply_to,
    )


def _refuse(work: Work, address: str, line: str, refusal: RefusedByRules, mail: Opened) -> None:
    reader = unwanted.stranger(work, address, _language(line))
    notice = Notice(kind="create-refused", reader=reader, facts={**refusal.facts, "why": refusal.key, "written": line})
    outbox.queue(
        work,
        f"create-refused/{mail.row.id}",
        canonical(address),
        outbox.Envelope(notice=notice),
        in_reply_to=mail.row.message_id,
    )

"""``game``: a moderator's verbs, from ``create`` to ``extend`` (play-by-mail 0, 1.9, 6)."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from adjudicator import bootstrap
from adjudicator.cli.phrases import Language
from adjudicator.cli.status import tell_game, tell_games
from adjudicator.cli.terminal import Terminal
from adjudicator.clock import iso
from adjudicator.errors import NotFound, RefusedByRules
from adjudicator.fairplay import record
from adjudicator.services import (
    addresses,
    answering,
    doubtful,
    games,
    logbook,
    people,
    positions,
    resolving,
    schedule,
    zones,
)
from adjudicator.services.header import Header, fair
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, Player
from engine.core import codec, registry
from engine.core.contract import Options
from engine.core.dice import MAIN
from mail.addresses import Mailbox, mailboxes

app = typer.Typer(no_args_is_help=True)

SPANS: Final = ("cool_off", "grace", "remind")
"""Settings of the header that are spans, in seconds."""
PHASES: Final = ("turn", "set-up", "window", "vote", "ruling")
"""The kinds of turns there are, whatever the ruleset (`engine.core.contract.Ruleset.phase`)."""

Tag = Annotated[str, typer.Argument(metavar="TAG")]
Number = Annotated[int, typer.Argument(metavar="TURN", min=0)]
Switch = Annotated[str, typer.Option(show_default=False)]


@contextmanager
def _house(context: typer.Context) -> Iterator[tuple[Terminal, House]]:
    terminal: Terminal = context.obj
    with bootstrap.opened(terminal.config()) as house:
        yield terminal, house


# create ---------------------------------------------------------------------------------------------------------------


@app.command()
def create(
    context: typer.Context,
    ruleset: Annotated[str, typer.Argument(metavar="RULESET")],
    players: Annotated[int | None, typer.Option(min=1, show_default=False)] = None,
    edition: Switch = "",
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", show_default=False)] = None,
    board: Annotated[Path | None, typer.Option(metavar="FILE", show_default=False)] = None,
    plan: Annotated[str, typer.Option("--schedule", show_default=False)] = "",
    zone: Switch = "",
    early: Annotated[str, typer.Option(metavar="ready|in|never", show_default=False)] = "",
    cool_off: Annotated[str, typer.Option(metavar="SPAN", show_default=False)] = "",
    press: Annotated[str, typer.Option(metavar="none|public|private|anonymous", show_default=False)] = "",
    press_read: Annotated[bool, typer.Option("--press-read", show_default=False)] = False,
    press_published: Annotated[bool, typer.Option("--press-published", show_default=False)] = False,
    who_in: Annotated[str, typer.Option(metavar="names|count|hidden", show_default=False)] = "",
    open_orders: Annotated[str, typer.Option(metavar="turn|end", show_default=False)] = "",
    remind: Annotated[str, typer.Option(metavar="SPAN,SPAN", show_default=False)] = "",
    auto_start: Annotated[bool, typer.Option("--auto-start/--no-auto-start", show_default=False)] = True,
    entry: Annotated[str, typer.Option(metavar="invited|open", show_default=False)] = "",
    names: Annotated[str, typer.Option(metavar="shown|hidden", show_default=False)] = "",
    moderator: Annotated[str, typer.Option(metavar="ADDRESS", show_default=False)] = "",
    mode: Annotated[str, typer.Option(metavar="apart|plays|none", show_default=False)] = "",
    dice: Annotated[str, typer.Option(metavar="salts|beacon", show_default=False)] = "",
    missed: Annotated[str, typer.Option(metavar="go|wait|moderator", show_default=False)] = "",
    grace: Annotated[str, typer.Option(metavar="SPAN", show_default=False)] = "",
    absence_days: Annotated[int | None, typer.Option(min=0, max=366, show_default=False)] = None,
    absences_shown: Annotated[bool, typer.Option("--absences-shown", show_default=False)] = False,
    phase: Annotated[list[str] | None, typer.Option(metavar="KIND=SPAN", show_default=False)] = None,
) -> None:
    """Make a game: tag, options, seats and the pin of its log."""
    info = registry.ruleset(ruleset).info
    wanted = edition or next(iter(info.editions))
    base = record.options_object(games.options_of(ruleset, wanted, {}))
    changes = _options(base, option or [])
    document = _board(board) if board else None
    count = players or info.seats[0]
    with _house(context) as (terminal, house):
        where = _zone(zone) if zone else house.config.service.zone
        settings: dict[str, Any] = {"zone": where, "auto_start": auto_start}
        settings |= {"press_read": press_read, "press_published": press_published}
        words = {"schedule": plan, "early": early, "press": press, "who_in": who_in, "open_orders": open_orders}
        words |= {"entry": entry, "names": names, "missed": missed, "moderator": mode, "dice": dice}
        settings |= {name: word for name, word in words.items() if word}
        settings |= {"cool_off": _seconds(cool_off)} if cool_off else {}
        settings |= {"grace": _seconds(grace)} if grace else {}
        settings |= {"absence_days": absence_days} if absence_days is not None else {}
        settings |= {"absences_shown": absences_shown, "phases": _phases(phase or [])}
        settings |= {"remind": [_seconds(one) for one in remind.split(",")]} if remind else {}
        with house.unit("create") as work:
            judge = _person(work, moderator) if moderator else None
            made = games.create(
                work,
                ruleset,
                count,
                edition=wanted,
                options=changes,
                header=_header(settings),
                board=document,
                moderator=judge,
            )
            _try_start(games.options(made), made, document)
        with house.look() as work:
            _tell_created(terminal, work, work.game(made.tag, lock=False), base)


def _try_start(options: Options, game: Game, board: Mapping[str, Any] | None) -> None:
    """Set the game up on throw-away dice: a board that cannot be played on is refused now and not at ``start``."""
    rules = registry.ruleset(game.ruleset)
    places = [place.id for place in rules.seats(options, game.players)]
    try:
        rules.start(options, places, resolving.TrialDice(bytes(32), (MAIN, *rules.info.streams)), data=board)
    except ValueError as cause:
        raise RefusedByRules("bad-board", cause=str(cause)) from cause


def _tell_created(terminal: Terminal, work: Work, game: Game, edition: Mapping[str, Any]) -> None:
    facts = {"tag": game.tag, "ruleset": game.ruleset, "edition": game.edition, "players": game.players}
    terminal.tell("create.made", style="bold", **facts)
    chosen = record.options_object(games.options(game))
    rows = [(name, value, "*" if edition.get(name) != value else "") for name, value in chosen.items()]
    terminal.table("create.option", ("name", "value", "changed"), rows)
    header = positions.table(game).header
    settings = [(name, _setting(name, getattr(header, name))) for name in header.__struct_fields__]
    terminal.table("create.setting", ("name", "value"), settings)
    seats = [(seat.seat, people.titles(seat)[terminal.language]) for seat in people.seats(work, game)]
    terminal.table("create.seat", ("seat", "title"), seats)
    genesis = json.loads(logbook.entries(work, game, 0, 1)[0].event)
    for stream, anchor in genesis["anchors"].items():
        terminal.tell("create.anchor", stream=stream, anchor=anchor)
    judge = people.moderator(work, game)
    if judge is not None:
        address = people.main_address(work, people.player(work, judge.player_id))
        terminal.tell("create.moderator", address=address)
    pin = logbook.pin(game)
    terminal.tell("create.pin", seq=pin.seq, head=pin.head)
    terminal.tell("create.next", tag=game.tag)


def _setting(name: str, value: Any) -> str:
    """Return a setting as it is typed: spans as spans."""
    if name in SPANS:
        seconds = value if isinstance(value, tuple) else (value,)
        return ", ".join(f"{one // 3600}h" if one % 3600 == 0 else f"{one // 60}min" for one in seconds)
    return str(value)


def _mailbox(typed: str) -> Mailbox:
    """Return the one mailbox that was typed, ``Anna <anna@example.org>``. Raises `RefusedByRules` if it is none."""
    found = mailboxes(typed)
    if len(found) != 1 or not found[0].address.partition("@")[2]:
        raise RefusedByRules("bad-address", address=typed)
    return found[0]


def _person(work: Work, typed: str) -> Player:
    """Return who holds an address, registered if it is new."""
    found, service = _mailbox(typed), work.config.service
    name = found.name or found.address.partition("@")[0]
    return people.register(work, found.address, name=name, language=service.language, zone=service.zone)


def _options(base: Mapping[str, Any], given: Sequence[str]) -> dict[str, Any]:
    """Return the switches to change; a value is a number where the edition's is one."""
    changes: dict[str, Any] = {}
    for pair in given:
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not sign or not name:
            raise RefusedByRules("option-form", option=pair)
        number = isinstance(base.get(name), int) and value.isascii() and value.isdigit()
        changes[name] = int(value) if number else value
    return changes


def _phases(given: Sequence[str]) -> dict[str, int]:
    """Return the kinds of turns that have a length of their own, ``window=12h``, in seconds."""
    lengths: dict[str, int] = {}
    for pair in given:
        name, sign, span = (part.strip() for part in pair.partition("="))
        if not sign or name not in PHASES:
            raise RefusedByRules("phase-form", phase=pair, kinds=list(PHASES))
        lengths[name] = _seconds(span)
    return lengths


def _header(settings: Mapping[str, Any]) -> Header:
    try:
        header: Header = codec.from_plain(fair(settings), Header)
    except msgspec.ValidationError as cause:
        raise RefusedByRules("bad-header", cause=str(cause)) from cause
    return header


def _zone(typed: str) -> str:
    zone = zones.resolve(typed)
    if zone is None:
        raise RefusedByRules("unknown-zone", zone=typed)
    return zone


def _seconds(typed: str) -> int:
    return int(_span(typed).total_seconds())


def _span(typed: str) -> timedelta:
    try:
        return schedule.parse_span(typed)
    except schedule.ScheduleError as cause:
        raise RefusedByRules("bad-span", span=typed) from cause


def _board(path: Path) -> dict[str, Any]:
    """Return the document of a board file, TOML or JSON. Raises `NotFound`, or `RefusedByRules` if it is neither."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as cause:
        raise NotFound("file", path=str(path), cause=cause.strerror) from cause
    except UnicodeDecodeError as cause:
        raise RefusedByRules("bad-board", cause=str(cause)) from cause
    try:
        document = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except ValueError as cause:
        raise RefusedByRules("bad-board", cause=str(cause)) from cause
    if not isinstance(document, dict):
        raise RefusedByRules("bad-board", cause=path.name)
    return document


# invite, start --------------------------------------------------------------------------------------------------------


@app.command()
def invite(
    context: typer.Context,
    tag: Tag,
    address: Annotated[str, typer.Argument(metavar="ADDRESS")],
    name: Switch = "",
    seat: Switch = "",
    lang: Annotated[Language | None, typer.Option(metavar="ru|en", show_default=False)] = None,
    second: Annotated[bool, typer.Option("--second", show_default=False)] = False,
) -> None:
    """Write an invitation, once for each address."""
    found = _mailbox(address)
    with _house(context) as (terminal, house), house.unit("invite") as work:
        invitation = games.invite(
            work,
            work.game(tag),
            found.address,
            name=name or found.name,
            language=lang or work.config.service.language,
            seat=seat,
            second=second,
        )
        key = "invite.written" if invitation.created == work.now else "invite.earlier"
        terminal.tell(key, address=invitation.address, tag=tag)


@app.command("address")
def change_address(
    context: typer.Context,
    tag: Tag,
    seat: Annotated[str, typer.Argument(metavar="SEAT")],
    address: Annotated[str, typer.Argument(metavar="ADDRESS")],
) -> None:
    """Give the holder of a seat another address in place of a dead one."""
    with _house(context) as (terminal, house), house.unit("address") as work:
        addresses.replace(work, work.game(tag), seat, _mailbox(address).address)
        terminal.tell("address.changed", tag=tag, seat=seat, address=address)


@app.command()
def start(context: typer.Context, tag: Tag) -> None:
    """Draw the seats and open the first turn."""
    with _house(context) as (terminal, house):
        with house.unit("start") as work:
            game = work.game(tag)
            games.start(work, game)
        with house.look() as work:
            turn = positions.current(work, work.game(tag, lock=False))
            if turn is None:
                terminal.tell("start.over", tag=tag)
            else:
                header = positions.table(work.game(tag, lock=False)).header
                terminal.tell(
                    "start.opened", tag=tag, turn=turn.number, deadline=terminal.when(iso(turn.deadline), header.zone)
                )


# status -------------------------------------------------------------------------------------


@app.command()
def status(
    context: typer.Context,
    tag: Annotated[str, typer.Argument(metavar="[TAG]", show_default=False)] = "",
) -> None:
    """Show the games and what each waits for, or one of them seat by seat."""
    with _house(context) as (terminal, house), house.look() as work:
        if tag:
            tell_game(terminal, work, work.game(tag, lock=False))
        else:
            tell_games(terminal, work, bootstrap.mailboxes(house.config))


@app.command()
def answer(
    context: typer.Context,
    tag: Tag,
    turn: Number,
    seat: Annotated[str, typer.Argument(metavar="SEAT")],
    words: Annotated[list[str], typer.Argument(metavar="WORDS")],
    question: Annotated[int, typer.Option(min=0, show_default=False)] = 0,
) -> None:
    """Answer for a seat what the named turn asks; its holder gets a copy and may answer otherwise."""
    with _house(context) as (terminal, house), house.unit("answer") as work:
        game, text = work.game(tag), " ".join(words)
        answering.answer_for(work, game, turn, seat, text, by="operator", question=question, language=terminal.language)
        terminal.tell("answer.taken", tag=tag, turn=turn, seat=seat)


# retry, admit ---------------------------------------------------------------------------------------------------------


@app.command()
def retry(context: typer.Context, tag: Tag) -> None:
    """Try a stuck turn again at once."""
    with _house(context) as (terminal, house):
        with house.unit("unstick") as work:
            number = resolving.unstick(work, work.game(tag)).number
        resolving.resolve_due(house)
        with house.look() as work:
            done = positions.turn(work, work.game(tag, lock=False), number)
            key = "stuck" if done is not None and done.status == "stuck" else "resolved"
            terminal.tell(f"retry.{key}", tag=tag, turn=number, cause=done.trouble if done is not None else "")
    if key == "stuck":
        raise typer.Exit(1)


@app.command()
def admit(
    context: typer.Context,
    tag: Tag,
    mail: Annotated[int, typer.Argument(metavar="MAIL", min=1)],
    why: Annotated[str, typer.Argument(metavar="WHY")],
) -> None:
    """Let a doubtful mail count from its arrival; the reason enters the log."""
    with _house(context) as (terminal, house), house.unit("admit") as work:
        row = doubtful.admit(work, work.game(tag), mail, why)
        header = positions.table(work.game(tag)).header
        terminal.tell("admit.done", tag=tag, mail=mail, arrival=terminal.when(iso(row.arrival), header.zone))

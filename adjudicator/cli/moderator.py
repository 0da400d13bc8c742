"""``game process``, ``extend``, ``nudge`` …: the moderator's verbs at the command line (play-by-mail 6, 1.9)."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from adjudicator import bootstrap
from adjudicator.cli import game as games
from adjudicator.cli import preview as showing
from adjudicator.cli.terminal import Terminal
from adjudicator.errors import NotFound
from adjudicator.services import amending, mandate, positions, resolving
from adjudicator.services.moderation import By, Facts
from adjudicator.services.verbs import Verb
from adjudicator.services.work import House
from adjudicator.words.environment import Phrases
from adjudicator.words.text import bare
from engine.core.contract import MODERATOR

Tag = Annotated[str, typer.Argument(metavar="TAG")]
Number = Annotated[int, typer.Argument(metavar="TURN", min=0)]
Seat = Annotated[str, typer.Argument(metavar="SEAT")]
Address = Annotated[str, typer.Argument(metavar="ADDRESS")]
Text = Annotated[str, typer.Argument(metavar="TEXT")]
Why = Annotated[str, typer.Option("--why", show_default=False)]
Yes = Annotated[bool, typer.Option("--yes", show_default=False)]

app = games.app


@contextmanager
def _house(context: typer.Context) -> Iterator[tuple[Terminal, House]]:
    terminal: Terminal = context.obj
    with bootstrap.opened(terminal.config()) as house:
        yield terminal, house


def _do(context: typer.Context, tag: str, name: str, why: str = "", **about: Any) -> Facts:
    """Do a verb as the operator and say what was done; return the facts of it."""
    with _house(context) as (terminal, house), house.unit(name) as work:
        game = work.game(tag)
        verb = Verb(name=name, line=0, last=0, why=why, **about)
        facts = mandate.ordered(work, game, By("operator", why), verb)
        zone = positions.table(game).header.zone
        say = Phrases(terminal.language, game.ruleset)
        title = facts.get("titles", {}).get(terminal.language, "") or bare(say("judge", "title"))
        what = bare(say("did", name, {"seat_title": title, **facts}, {"zone": zone})).rstrip(".")
        terminal.tell("done", tag=tag, what=what)
    return facts


def _sure(context: typer.Context, key: str, yes: bool, **facts: Any) -> None:
    """Ask whether he means it, once, unless ``--yes`` has said so (play-by-mail 4)."""
    terminal: Terminal = context.obj
    if not yes and not typer.confirm(terminal.say(f"sure.{key}", **facts)):
        raise typer.Abort


def _text(text: str) -> tuple[str, ...]:
    """Return the lines of a text, which is read from a file where the argument is ``@FILE``."""
    if not text.startswith("@"):
        return tuple(text.splitlines())
    try:
        return tuple(Path(text[1:]).read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as cause:
        raise NotFound("file", path=text[1:], cause=str(cause)) from cause


# The clock ------------------------------------------------------------------------------------------------------------


@app.command()
def process(context: typer.Context, tag: Tag, turn: Number, why: Why = "") -> None:
    """Lock the named turn at once and resolve it; policy and default answer what it asks."""
    with _house(context) as (terminal, house):
        with house.unit("process") as work:
            verb = Verb(name="process", line=0, last=0, turn=turn, why=why)
            mandate.ordered(work, work.game(tag), By("operator", why), verb)
        resolving.resolve_due(house)
        with house.look() as work:
            done = positions.turn(work, work.game(tag, lock=False), turn)
            key = done.status if done is not None and done.status in ("resolved", "stuck", "asking") else "locked"
            terminal.tell(f"process.{key}", tag=tag, turn=turn)
    if key == "stuck":
        raise typer.Exit(1)


@app.command()
def extend(
    context: typer.Context, tag: Tag, turn: Number, span: Annotated[str, typer.Argument(metavar="SPAN")], why: Why = ""
) -> None:
    """Move the deadline of the named turn, and tell everybody."""
    _do(context, tag, "extend", why, turn=turn, span=span)


@app.command()
def deadline(
    context: typer.Context,
    tag: Tag,
    turn: Number,
    when: Annotated[list[str], typer.Argument(metavar="WHEN")],
    why: Why = "",
) -> None:
    """Give the named turn another deadline, and tell everybody."""
    _do(context, tag, "deadline", why, turn=turn, when=" ".join(when))


@app.command()
def pause(context: typer.Context, tag: Tag, turn: Number, why: Why = "") -> None:
    """Stop the clock of a game in the named turn."""
    _do(context, tag, "pause", why, turn=turn)


@app.command()
def resume(context: typer.Context, tag: Tag, turn: Number, why: Why = "") -> None:
    """Start the clock of a game again."""
    _do(context, tag, "resume", why, turn=turn)


@app.command("let-go")
def let_go(context: typer.Context, tag: Tag, turn: Number, why: Why = "") -> None:
    """Let the named turn go on without the seats it waits for."""
    _do(context, tag, "let-go", why, turn=turn)


# Words ----------------------------------------------------------------------------------------------------------------


@app.command()
def nudge(context: typer.Context, tag: Tag, turn: Number, why: Why = "") -> None:
    """Remind the seats that are awaited."""
    _do(context, tag, "nudge", why, turn=turn)


@app.command()
def broadcast(context: typer.Context, tag: Tag, text: Text, why: Why = "") -> None:
    """Send a text to all seats."""
    _do(context, tag, "broadcast", why, text=_text(text))


@app.command()
def rule(context: typer.Context, tag: Tag, turn: Number, text: Text) -> None:
    """Enter a ruling in the log, and tell everybody."""
    lines = _text(text)
    _do(context, tag, "rule", "\n".join(lines), turn=turn, text=lines)


# Seats ----------------------------------------------------------------------------------------------------------------


@app.command("act-for")
def act_for(
    context: typer.Context,
    tag: Tag,
    turn: Number,
    seat: Seat,
    orders: Annotated[list[str], typer.Argument(metavar="ORDER...")],
    as_of: Annotated[str, typer.Option("--as-of", metavar="WHEN", show_default=False)] = "",
    link: Annotated[str, typer.Option("--from", metavar="LINK", show_default=False)] = "",
    why: Why = "",
) -> None:
    """Enter orders for a seat; its player gets a copy and may overwrite them until the lock."""
    lines = _orders(orders)
    _do(context, tag, "act-for", why, turn=turn, seat=seat, text=lines, when=as_of, link=link)


@app.command("now")
def now(
    context: typer.Context,
    tag: Tag,
    turn: Number,
    orders: Annotated[list[str], typer.Argument(metavar="ORDER...")],
    why: Why = "",
) -> None:
    """Do a moderator's commands at once, as a turn of its own: a wound, money, a scene."""
    _do(context, tag, "at-once", why, turn=turn, text=_orders(orders))
    with _house(context) as (_, house):
        resolving.resolve_due(house)


@app.command()
def amend(
    context: typer.Context,
    tag: Tag,
    turn: Number,
    seat: Seat,
    orders: Annotated[list[str], typer.Argument(metavar="ORDER...")],
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Correct the orders of a seat in a resolved turn; what it changes is shown, and confirmed, before it is done."""
    _correct(context, tag, Verb(name="amend", line=0, last=0, turn=turn, seat=seat, text=_orders(orders), why=why), yes)


@app.command()
def replay(context: typer.Context, tag: Tag, turn: Number, why: Why = "", yes: Yes = False) -> None:
    """Resolve a turn again with the same orders and dice; what it changes is shown and confirmed before it is done."""
    _correct(context, tag, Verb(name="replay", line=0, last=0, turn=turn, why=why), yes)


def _correct(context: typer.Context, tag: str, verb: Verb, yes: bool) -> None:
    """Show a correction, the look committed first, and do it once it is confirmed."""
    by = By("operator", verb.why)
    with _house(context) as (terminal, house):
        with house.unit("preview") as work:
            game = work.game(tag)
            mandate.refuse_idle_operator(game, by)
            made = amending.show(work, game, by, verb, showing.reader(terminal, work, game, MODERATOR))
        if made.refusal is not None:
            raise made.refusal
        for report in made.reports:
            showing.print_report(terminal, report)
    about = {"tag": tag, "about": verb.turn, "turns": made.facts["turns"]}
    _sure(context, verb.name, yes, **about)
    _do(context, tag, verb.name, verb.why, turn=verb.turn, seat=verb.seat, text=verb.text)


def _orders(orders: Sequence[str]) -> tuple[str, ...]:
    return tuple(line for order in orders for line in _text(order))


@app.command()
def substitute(context: typer.Context, tag: Tag, turn: Number, seat: Seat, address: Address, why: Why = "") -> None:
    """Ask an address to take a seat over; it changes hands once the answer is «join»."""
    _do(context, tag, "substitute", why, turn=turn, seat=seat, address=address)


@app.command()
def allow(context: typer.Context, tag: Tag, address: Address, why: Why = "") -> None:
    """Let an address hold a second seat."""
    _do(context, tag, "allow", why, address=address)


@app.command()
def eject(context: typer.Context, tag: Tag, turn: Number, seat: Seat, why: Why = "", yes: Yes = False) -> None:
    """Put the holder of a seat out of the game."""
    _sure(context, "eject", yes, seat=seat, tag=tag)
    _do(context, tag, "eject", why, turn=turn, seat=seat)


@app.command("hand-over")
def hand_over(context: typer.Context, tag: Tag, address: Address, why: Why = "", yes: Yes = False) -> None:
    """Ask an address to moderate the game."""
    _sure(context, "hand-over", yes, address=address, tag=tag)
    _do(context, tag, "hand-over", why, address=address)


@app.command()
def finish(context: typer.Context, tag: Tag, turn: Number, why: Why = "", yes: Yes = False) -> None:
    """Break a game off: everything is opened and everybody gets the last letter."""
    _sure(context, "finish", yes, turn=turn, tag=tag)
    _do(context, tag, "finish", why, turn=turn)


# A look ---------------------------------------------------------------------------------------------------------------


@app.command()
def preview(
    context: typer.Context,
    tag: Tag,
    turn: Number,
    seat: Annotated[str, typer.Option(metavar="SEAT", show_default=False)] = MODERATOR,
    why: Why = "",
) -> None:
    """Show how the named turn would end; that somebody looked is committed before anything is shown."""
    by = By("operator", why)
    with _house(context) as (terminal, house):
        with house.unit("preview") as work:
            game = work.game(tag)
            mandate.refuse_idle_operator(game, by)
            made = showing.gather(terminal, work, game, by, turn, seat, secrets.token_bytes(32))
        showing.tell(terminal, made)

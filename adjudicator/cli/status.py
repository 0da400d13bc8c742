"""What ``game status`` shows: words, deadlines and letters, never an order (play-by-mail 1.1, 6)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import col, select

from adjudicator.cli.terminal import Terminal
from adjudicator.clock import iso
from adjudicator.services import asking, delivery, outbox, people, positions
from adjudicator.services.positions import SeatNow
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asking, Game, Invitation, Letter, Mailbox, Turn

FAILED = 5
"""How many of the latest letters that could not be sent are shown."""


def tell_games(terminal: Terminal, work: Work, mailboxes: Sequence[str]) -> None:
    """Print all games, when each mailbox was last read, and how many letters wait."""
    games = work.session.exec(select(Game).order_by(col(Game.id))).all()
    if games:
        rows = [_row(terminal, work, one) for one in games]
        terminal.table("status", ("tag", "game", "turn", "deadline", "in"), rows)
        _tell_stuck(terminal, work, games)
    else:
        terminal.tell("status.none")
    _tell_mail(terminal, work, mailboxes)


def _tell_stuck(terminal: Terminal, work: Work, games: Sequence[Game]) -> None:
    """Name each turn that cannot go on, with its cause, and each game whose clock stands still."""
    for game in games:
        turn = positions.current(work, game)
        if turn is not None and turn.trouble:
            terminal.tell("status.game-stuck", style="red", tag=game.tag, turn=turn.number, trouble=turn.trouble)
        if game.paused is not None:
            since = terminal.when(iso(game.paused), positions.table(game).header.zone)
            terminal.tell("status.game-paused", style="yellow", tag=game.tag, since=since)


def _row(terminal: Terminal, work: Work, game: Game) -> tuple[str, ...]:
    turn = positions.current(work, game)
    word = terminal.say(f"game-status.{game.status}")
    if turn is None:
        return game.tag, word, "", "", ""
    zone = positions.table(game).header.zone
    state = terminal.say(f"turn-status.{turn.status}")
    deadline = terminal.when(_deadline(work, turn), zone) if _deadline(work, turn) else ""
    return game.tag, word, f"{turn.number} · {state}", deadline, _count(work, game, turn)


def _deadline(work: Work, turn: Turn) -> str:
    """Return the instant a game waits for: a turn's deadline, or that of its questions; "" where no clock ends it."""
    group = asking.current(work, turn)
    return iso(turn.deadline) if group is None else asking.deadline_of(work, group)


def _count(work: Work, game: Game, turn: Turn) -> str:
    group = asking.current(work, turn)
    if group is not None:
        asked = asking.now(work, game, turn, group).values()
        return f"{sum(one.word in ('orders in', 'ready') for one in asked)}/{len(asked)}"
    owing = positions.position(work, game, turn).owing
    ready = sum(seat.word in ("orders in", "ready") for seat in owing)
    return f"{ready}/{len(owing)}"


def _tell_mail(terminal: Terminal, work: Work, mailboxes: Sequence[str]) -> None:
    zone = work.config.service.zone
    known = {box.name: box for box in work.session.exec(select(Mailbox))}
    for name in mailboxes:
        box = known.get(name)
        good = terminal.when(iso(box.good), zone) if box is not None and box.good is not None else None
        trouble = terminal.say("status.trouble", code=box.trouble) if box is not None and box.trouble else ""
        terminal.tell("status.mailbox" if good else "status.mailbox-never", name=name, good=good, trouble=trouble)
    terminal.tell("status.letters", count=outbox.waiting(work))
    if outbox.sent_within(work, delivery.HOUR) >= (limit := work.config.limits.letters_per_hour):
        terminal.tell("status.breaker", style="red", limit=limit)
    if (pause := outbox.paused(work)) is not None:
        until, why = pause
        terminal.tell("status.paused", style="red", until=terminal.when(iso(until), zone), trouble=why)
    failed = select(Letter).where(Letter.status == "failed").order_by(col(Letter.id).desc()).limit(FAILED)
    for letter in work.session.exec(failed):
        terminal.tell("status.failed", style="red", address=letter.address, trouble=letter.trouble)


def tell_game(terminal: Terminal, work: Work, game: Game) -> None:
    """Print one game: who has joined, or its open turn with every seat's word."""
    turn = positions.current(work, game)
    if turn is None:
        terminal.tell(f"status.game-{game.status}", style="bold", tag=game.tag)
        if game.status == "created":
            _tell_invited(terminal, work, game)
        return
    header = positions.table(game).header
    facts = {
        "tag": game.tag,
        "turn": turn.number,
        "state": terminal.say(f"turn-status.{turn.status}"),
    }
    if deadline := _deadline(work, turn):
        terminal.tell("status.open", style="bold", **facts, deadline=terminal.when(deadline, header.zone))
    else:
        terminal.tell("status.no-deadline", style="bold", **facts)
    if turn.trouble:
        terminal.tell("status.stuck", style="red", trouble=turn.trouble)
    if (group := asking.current(work, turn)) is not None:
        _tell_asked(terminal, work, game, turn, group)
    else:
        _tell_seats(terminal, work, game, turn)


def _tell_asked(terminal: Terminal, work: Work, game: Game, turn: Turn, group: Asking) -> None:
    """Print whose decision is awaited and who has answered; what was asked is not the operator's to see."""
    titles = people.seat_titles(work, game)
    rows = []
    for seat, one in asking.now(work, game, turn, group).items():
        title = titles.get(seat, {}).get(terminal.language, seat)
        numbers = ", ".join(str(each.number) for each in one.asked)
        rows.append((seat, title, numbers, terminal.say(f"answered.{one.word.replace(' ', '-')}")))
    terminal.table("asked", ("seat", "title", "questions", "word"), rows)


def _tell_seats(terminal: Terminal, work: Work, game: Game, turn: Turn) -> None:
    titles = people.seat_titles(work, game)
    holders = {tenure.seat: people.player(work, tenure.player_id) for tenure in people.tenures(work, game)}
    rows = []
    for seat in positions.position(work, game, turn).seats.values():
        holder = holders.get(seat.seat)
        title = titles.get(seat.seat, {}).get(terminal.language, seat.seat)
        name = holder.name if holder is not None else ""
        address = people.main_address(work, holder) if holder is not None else ""
        rows.append((seat.seat, title, name, address, _word(terminal, seat)))
    terminal.table("seat", ("seat", "title", "name", "address", "word"), rows)


def _word(terminal: Terminal, seat: SeatNow) -> str:
    word = terminal.say(f"word.{seat.word.replace(' ', '-')}")
    return word + (terminal.say("word.waits") if seat.folded.wait else "")


def _tell_invited(terminal: Terminal, work: Work, game: Game) -> None:
    query = select(Invitation).where(Invitation.game_id == game.id).order_by(col(Invitation.id))
    invited = work.session.exec(query).all()
    rows = [(one.address, one.name, one.seat, terminal.say(f"status.{_answer(one)}")) for one in invited]
    if rows:
        terminal.table("invited", ("address", "name", "seat", "answer"), rows)
    joined = sum(one.joined is not None for one in invited)
    terminal.tell("status.joined", joined=joined, players=game.players)


def _answer(invitation: Invitation) -> str:
    if invitation.joined is not None:
        return "answer-joined"
    return "answer-refused" if invitation.refused is not None else "answer-none"

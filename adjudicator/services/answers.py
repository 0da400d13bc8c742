"""Answers that people ask for in a letter: status, map, log, rules, help, a report again; welcomes and refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.letters import LineVerdict, Notice, Reader
from adjudicator.services import callings, commands, logbook, mistyped, outbox, people, positions
from adjudicator.services.hearing import Hearing
from adjudicator.services.positions import Table
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Invitation, Letter, Mail, Player, Tenure, Turn
from engine.core import codec, registry
from engine.core.contract import Seat
from engine.core.names import Found, find
from mail.addresses import canonical
from mail.text import Line


def reader(work: Work, player: Player, address: str) -> Reader:
    """Return a player as the reader of a letter that belongs to no game."""
    return Reader(
        name=player.name,
        language="en" if player.language == "en" else "ru",
        zone=player.zone,
        address=people.main_address(work, player) if not address else canonical(address),
        reply_to=work.config.service.address,
    )


def games_of(work: Work, players: Sequence[Player]) -> list[dict[str, Any]]:
    """Return the games of these players with their deadlines."""
    found = []
    for player in players:
        for tenure, game in people.tenures_of(work, player):
            turn = positions.current(work, game)
            seat = people.seat_titles(work, game).get(tenure.seat, {})
            facts = {"tag": game.tag, "seat": tenure.seat, "titles": seat, "turn": turn.number if turn else None}
            found.append({**facts, "deadline": iso(turn.deadline) if turn else ""})
    return found


def open_games(work: Work) -> list[dict[str, Any]]:
    """Return the games that anybody may join now, in the order of their making."""
    found = []
    for game in work.session.exec(select(Game).where(Game.status == "created").order_by(col(Game.id))):
        if positions.table(game).header.entry == "open":
            joined = select(Invitation.id).where(Invitation.game_id == game.id, col(Invitation.joined).is_not(None))
            count = len(work.session.exec(joined).all())
            if count < game.players:
                facts = {"tag": game.tag, "ruleset": game.ruleset, "players": game.players, "joined": count}
                found.append({**facts, "titles": registry.ruleset(game.ruleset).info.titles})
    return found


def seat_named(work: Work, game: Game, typed: str, *, strict: bool = True) -> Seat:
    """Return the seat that words name, "" for none given. Raises `RefusedByRules` if ``strict`` and no seat fits."""
    if not typed.strip():
        return ""
    called = callings.titles(work, positions.table(game))
    names = {
        seat: [*titles.values(), *called.get(seat, {}).values(), seat]
        for seat, titles in people.seat_titles(work, game).items()
    }
    found = find(typed, names)
    if isinstance(found, Found):
        return found.key
    if strict:
        raise RefusedByRules("unknown-seat", seat=typed, seats=list(names))
    return "?"


def phrase_in(lines: Sequence[Line]) -> str:
    """Return the first dice phrase among lines, as written."""
    for line in lines:
        command = commands.read_command(line.text)
        if command is not None and command.name == "salt":
            return commands.phrase_of(line.raw)
    return ""


def reads_as_intent(table: Table, view: Any, lines: Sequence[str]) -> bool:
    """Say whether any of these lines reads as a command or an order."""
    if any(mistyped.read_command(line) is not None for line in lines):
        return True
    return bool(table.ruleset.read(view, (), tuple(lines), "ru").orders)


# What a receipt carries besides ---------------------------------------------------------------------------------------


def extras(
    work: Work, table: Table, tenure: Tenure, turn: Turn, against: Hearing, asked: Mapping[str, list[str]], who: Reader
) -> dict[str, Any] | None:
    """Return the answers that stand in the receipt itself, by command."""
    found: dict[str, Any] = {}
    if "games" in asked:
        person = people.player(work, tenure.player_id)
        found["games"] = {"games": games_of(work, (person,)), "open": open_games(work)}
    if "try" in asked:
        found["try"] = {}
    if "status" in asked:
        found["status"] = {"turn": turn.number, "status": turn.status}
    if "map" in asked:
        found["map"] = {"view": codec.encode(against.view)}
    if "log" in asked:
        found["log"] = journal(work, table, tenure, asked["log"][-1])
    if "rules" in asked:
        found["rules"] = {"topic": asked["rules"][-1], "text": rules_text(table, who.language, asked["rules"][-1])}
    if "help" in asked:
        found["help"] = {"examples": list(table.ruleset.examples(against.view, who.language))}
    return found or None


def journal(work: Work, table: Table, tenure: Tenure, argument: str) -> dict[str, Any]:
    """Return the events of some turns that a seat may know, for the судовой журнал; the last one's if none is named."""
    bounds = commands.range_of(argument)
    query = select(Turn).where(Turn.game_id == table.game.id, Turn.status == "resolved")
    if bounds is not None:
        query = query.where(Turn.number >= bounds[0], Turn.number <= bounds[1])
    turns = list(work.session.exec(query.order_by(col(Turn.number).desc())))
    if bounds is None and not argument:
        turns = turns[:1]
    entries = []
    for turn in reversed(turns):
        kind = tuple[table.ruleset.info.event, ...]  # type: ignore[name-defined]
        happened = work.vault.open_value(turn.events, kind) if turn.events else ()
        known = [codec.encode(event) for event in happened if event.known_to(tenure.seat)]
        at = iso(turn.resolved) if turn.resolved else ""
        entries.append({"turn": turn.number, "at": at, "events": known})
    state = positions.state_of(work, table, turns[0]) if turns else None
    view = codec.encode(table.ruleset.view(state, tenure.seat)) if state is not None else ""
    return {"turns": entries, "view": view}


def _rules(table: Table, language: str) -> str:
    file = resources.files(f"engine.{table.game.ruleset}").joinpath(f"rules.{language}.md")
    return file.read_text(encoding="utf-8")


def rules_text(table: Table, language: str, topic: str) -> str:
    """Return the rules as played here, or the part that a topic or a rule number names, as Markdown."""
    text = _rules(table, language)
    return part_of(text, topic) if topic else text


def part_of(text: str, topic: str) -> str:
    """Return the part of a rulebook that a rule number (``P18``, ``П18``, ``J6.4``) or a topic names, "" for none."""
    wanted = commands.folded(topic)
    number = wanted.replace("п", "p", 1) if wanted[1:2].isdecimal() else wanted
    for block in text.split("\n\n"):
        head, mark, _ = block.removeprefix("**").partition(".** ")
        if mark and block.startswith("**") and commands.folded(head) == number:
            return block.strip() + "\n"
    for part in text.split("\n## ")[1:]:
        heading, topics, *_ = part.split("\n", 2)
        if wanted in commands.folded(heading) or wanted in commands.folded(topics):
            return "## " + part.strip() + "\n"
    return ""


def refusal(work: Work, table: Table, tenure: Tenure, language: str, name: str, argument: str) -> LineVerdict | None:
    """Return why a question cannot be answered, as a line of a receipt without its text; None if it can."""
    if name == "report" and _report(work, table, tenure, argument) is None:
        return LineVerdict(text="", mark="command-refused", key="no-such-turn", facts={"turn": int(argument or 0)})
    if name == "rules" and argument and not rules_text(table, language, argument):
        topics = [line.removeprefix("## ") for line in _rules(table, language).splitlines() if line.startswith("## ")]
        return LineVerdict(text="", mark="command-refused", key="no-topic", facts={"topics": topics})
    return None


def resend(work: Work, table: Table, tenure: Tenure, asked: Mapping[str, list[str]], mail: Mail) -> None:
    """Queue a report again (``отчёт N``), and the whole log as a file (``журнал всё``)."""
    for argument in asked.get("report", ()):
        _report_again(work, table, tenure, argument, mail)
    if any(commands.folded(argument) in ("все", "all") for argument in asked.get("log", ())):
        titles = people.seat_titles(work, table.game)
        who = people.reader_of(work, table.game, tenure, titles)
        notice = Notice(kind="whole-log", reader=who, head=table.head, pin=logbook.pin(table.game))
        outbox.queue(
            work,
            f"whole-log/{table.game.tag}/{mail.id}/{tenure.seat}",
            who.address,
            outbox.Envelope(notice=notice, log_after=0, log_to=table.game.seq),
            game=table.game,
            tenure=tenure,
            in_reply_to=mail.message_id,
        )


def _report(work: Work, table: Table, tenure: Tenure, argument: str) -> tuple[Letter, outbox.Envelope] | None:
    """Return the report of a turn as it was sent to the holder of a seat, of the last turn where none is named."""
    query = select(Letter).where(
        Letter.game_id == table.game.id, Letter.tenure_id == tenure.id, Letter.kind == "report"
    )
    for letter in work.session.exec(query.order_by(col(Letter.id).desc())):
        envelope = outbox.envelope_of(work, letter)
        report = envelope.report if envelope is not None else None
        if envelope is not None and report is not None and (not argument or report.turn == int(argument)):
            return letter, envelope
    return None


def _report_again(work: Work, table: Table, tenure: Tenure, argument: str, mail: Mail) -> None:
    found = _report(work, table, tenure, argument)
    if found is None:
        return
    letter, envelope = found
    outbox.queue(
        work,
        f"report-again/{table.game.tag}/{mail.id}/{tenure.seat}/{letter.id}",
        people.main_address(work, people.player(work, tenure.player_id)),
        envelope,
        game=table.game,
        tenure=tenure,
        turn=letter.turn,
        in_reply_to=mail.message_id,
    )

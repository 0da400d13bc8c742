"""The moderator's verbs as functions: each names its turn, is logged with who and why, and shown to those it touches.

(play-by-mail 1.9, 6)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TypeAlias

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import events
from adjudicator.letters import Notice
from adjudicator.services import (
    answers,
    asking,
    disputes,
    games,
    hosting,
    households,
    instants,
    invitations,
    logbook,
    missing,
    outbox,
    pausing,
    people,
    positions,
    resolving,
    schedule,
    turns,
)
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Game, Invitation, Turn
from engine.core.contract import Seat, Value
from mail.addresses import canonical, mailboxes

PLACE: Final = ("судья", "судьи", "судью", "за судью", "картограф", "картографа", "moderator", "judge")
"""How a line ``место судья`` names the moderator's place."""

Who: TypeAlias = Literal["moderator", "operator", "players"]
"""Who does a verb: the holder of the moderator's place, the operator from the command line, the seats by a vote."""


class By(Value, frozen=True):
    """Who does a verb, and why, in his own words."""

    who: Who
    why: str = ""


Facts: TypeAlias = dict[str, Any]
Does: TypeAlias = Callable[[Work, Game, By, Verb], Facts]
"""Does a verb and returns the facts of its answer; raises `RefusedByRules` before anything has changed."""


# Logged, and shown ----------------------------------------------------------------------------------------------------


def note(work: Work, game: Game, by: By, what: str, *, seat: Seat | None = None, turn: int | None = None) -> None:
    """Enter in the log what was done by whom and why (play-by-mail 6): ``moderator · extend 7 24h · why``."""
    current = positions.current(work, game)
    number = turn if turn is not None else current.number if current is not None else 0
    text = " · ".join(part for part in (by.who, what, by.why) if part)
    logbook.append(work, game, events.Ruling(seq=0, at=logbook.at(work.now), turn=number, text=text[:4000], seat=seat))


def look(work: Work, game: Game, by: By, what: str, turn: int | None) -> None:
    """Log that somebody looks at sealed matter; to be committed before it is shown (fair-play L)."""
    who: Literal["moderator", "operator"] = "moderator" if by.who == "moderator" else "operator"
    logbook.append(work, game, events.Look(seq=0, at=logbook.at(work.now), turn=turn, who=who, what=what))


def tell_seats(work: Work, game: Game, kind: str, cause: str, facts: Facts, seats: Sequence[Seat]) -> int:
    """Queue a notice for the holders of some seats, and return how many there are."""
    table, titles = positions.table(game), people.seat_titles(work, game)
    told = [tenure for tenure in people.tenures(work, game) if tenure.seat in seats]
    for tenure in told:
        reader = people.reader_of(work, game, tenure, titles)
        notice = Notice(kind=kind, reader=reader, facts=facts, head=table.head, pin=logbook.pin(game))
        outbox.queue(
            work,
            f"{kind}/{game.tag}/{cause}/{tenure.seat}/{tenure.id}",
            reader.address,
            outbox.Envelope(notice=notice),
            game=game,
            tenure=tenure,
            turn=facts.get("turn"),
        )
    return len(told)


# Which turn, which seat -----------------------------------------------------------------------------------------------


def this_turn(work: Work, game: Game, verb: Verb) -> Turn:
    """Return the turn a verb names, whatever its state. Raises `RefusedByRules` if the game has moved on (1.9)."""
    turn = positions.current(work, game)
    if verb.turn is None:
        raise RefusedByRules("name-the-turn", verb=verb.name, turn=turn.number if turn else 0)
    if turn is None or turn.number != verb.turn:
        raise RefusedByRules(
            "not-that-turn",
            turn=verb.turn,
            current=turn.number if turn else None,
            status=turn.status if turn else game.status,
        )
    return turn


def open_turn(work: Work, game: Game, verb: Verb) -> Turn:
    """Return the open turn a verb names. Raises `RefusedByRules` if it is another one, or closed (1.9)."""
    return turns.named_turn(work, game, this_turn(work, game, verb).number)


def seat_of(work: Work, game: Game, verb: Verb) -> Seat:
    """Return the seat a verb names by its title. Raises `RefusedByRules` if there is none."""
    return answers.seat_named(work, game, verb.seat)


def address_of(verb: Verb) -> str:
    """Return the one address a verb names. Raises `RefusedByRules` if it is none."""
    found = mailboxes(verb.address)
    if len(found) != 1 or not found[0].address.partition("@")[2]:
        raise RefusedByRules("bad-address", address=verb.address)
    return found[0].address


def titles_of(work: Work, game: Game, seat: Seat) -> dict[str, str]:
    """Return the titles of a seat; the moderator's place has none."""
    return people.seat_titles(work, game).get(seat, {})


# The clock ------------------------------------------------------------------------------------------------------------


def process(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Lock the named turn at once; policy and default answer one that asks, one that is stuck is tried again."""
    turn = this_turn(work, game, verb)
    if turn.status == "stuck":
        resolving.unstick(work, game)
    else:
        asking.process(work, game, turn.number)
    note(work, game, by, f"process {turn.number}")
    facts = {"turn": turn.number, "who": by.who, "why": by.why}
    turns.tell_all(work, positions.table(game), "processed", f"{turn.number}/{game.seq}", facts)
    return {"turn": turn.number}


def deadline(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Give the named open turn another deadline: a moved one leaves everybody time to hear of it (1.4)."""
    turn, header = open_turn(work, game, verb), positions.table(game).header
    try:
        until = instants.parse(verb.when, header.zone, work.now)
    except instants.InstantError as cause:
        raise RefusedByRules("bad-when", when=verb.when, word=str(cause)) from cause
    return _move(work, game, by, turn, until, f"deadline {turn.number} {iso(until)}")


def extend(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Move the deadline of the named open turn by a span."""
    turn = open_turn(work, game, verb)
    try:
        span = schedule.parse_span(verb.span)
    except schedule.ScheduleError as cause:
        raise RefusedByRules("bad-span", span=verb.span) from cause
    what = f"extend {turn.number} {verb.span.strip()}"
    if turn.frozen is None:
        return _move(work, game, by, turn, turn.deadline + span, what)
    missing.wait(work, game, turn.number, min(span, timedelta(seconds=positions.table(game).header.extend_cap)))
    note(work, game, by, what)
    return {"turn": turn.number, "deadline": iso(turn.deadline)}


def _move(work: Work, game: Game, by: By, turn: Turn, until: datetime, what: str) -> Facts:
    cap = timedelta(seconds=positions.table(game).header.extend_cap)
    if until - turn.deadline > cap:
        hours = int(cap.total_seconds()) // 3600
        raise RefusedByRules("extend-cap", hours=hours, until=iso(turn.deadline + cap), turn=turn.number)
    soonest = work.now + schedule.min_notice(timedelta(seconds=turn.period))
    if until < min(soonest, turn.deadline):
        raise RefusedByRules("deadline-too-soon", until=iso(min(soonest, turn.deadline)), turn=turn.number)
    note(work, game, by, what)
    turns.move_deadline(work, game, turn, until, "extended", why=by.why, who=by.who)
    return {"turn": turn.number, "deadline": iso(until)}


def pause(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Stop the clock of a game in the named turn."""
    turn = this_turn(work, game, verb)
    pausing.pause(work, game)
    note(work, game, by, f"pause {turn.number}")
    return {"turn": turn.number}


def resume(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Start the clock of a game again in the named turn; deadlines move by the length of the pause."""
    turn = this_turn(work, game, verb)
    pausing.resume(work, game)
    note(work, game, by, f"resume {turn.number}")
    return {"turn": turn.number, "deadline": iso(turn.deadline)}


def let_go(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Let the named turn go on without the seats it waits for (play-by-mail 1.7, policy ``moderator``)."""
    turn = missing.let_go(work, game, this_turn(work, game, verb).number)
    note(work, game, by, f"let go {turn.number}")
    return {"turn": turn.number}


# People ---------------------------------------------------------------------------------------------------------------


def nudge(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Remind the seats that are awaited, once more and by hand."""
    current = positions.current(work, game)
    named = Verb(name=verb.name, line=0, last=0, turn=current.number if current and verb.turn is None else verb.turn)
    turn = open_turn(work, game, named)
    waited = [one.seat for one in positions.position(work, game, turn).owing if one.word in ("no orders", "draft")]
    note(work, game, by, f"nudge {turn.number}")
    facts = {"turn": turn.number, "deadline": iso(turn.deadline), "why": by.why}
    return {"turn": turn.number, "count": tell_seats(work, game, "nudge", str(game.seq), facts, waited)}


def broadcast(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Send a text to all seats."""
    note(work, game, by, "broadcast")
    facts = {"text": "\n".join(verb.text), "who": by.who}
    turns.tell_all(work, positions.table(game), "broadcast", str(game.seq), facts)
    return {"count": len(people.tenures(work, game))}


def rule(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Enter a ruling in the log, in full, and tell everybody; one about a disputed turn settles its dispute (6)."""
    text = "\n".join(verb.text)
    disputed = [one for one in disputes.open_disputes(work, game) if one.turn == verb.turn]
    if disputed:
        note(work, game, by, f"rule on the dispute of turn {verb.turn}", turn=verb.turn)
        disputes.settle(work, disputed[0], "rule", text)
        return {"seq": game.seq}
    note(work, game, By(by.who, text), "rule", turn=verb.turn)
    facts = {"text": text, "who": by.who}
    turns.tell_all(work, positions.table(game), "ruling", str(game.seq), facts)
    return {"seq": game.seq}


def stands(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Settle the dispute about a turn: it stands as it was resolved (play-by-mail 6)."""
    open_now = disputes.open_disputes(work, game)
    number = verb.turn if any(one.turn == verb.turn for one in open_now) or len(open_now) != 1 else open_now[0].turn
    if number is None:
        raise RefusedByRules("name-the-turn", verb=verb.name, turn=open_now[0].turn if open_now else 0)
    dispute = disputes.about(work, game, number)
    note(work, game, by, f"turn {number} stands", turn=number)
    disputes.settle(work, dispute, "stands", by.why)
    return {"turn": number}


def invite(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Invite whom ``Анна <anna@example.org> [seat]`` names to a game that has not started.

    Where somebody has joined from that address already, this is the word for a second seat there (play-by-mail 4).
    """
    judge = people.moderator(work, game)
    language = people.player(work, judge.player_id).language if judge else work.config.service.language
    invitation = hosting.invite(work, game, verb.address, language=language)
    written = invitation.created == work.now and invitation.joined is None
    if written:
        note(work, game, by, f"invite {invitation.id}")
    return {"address": invitation.address, "written": written, "second": invitation.second}


def start(work: Work, game: Game, by: By, _verb: Verb) -> Facts:
    """Start a game whose seats are taken."""
    games.start(work, game)
    note(work, game, by, "start")
    return {}


def allow(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Let an address that has a seat already hold a second one; it is asked once more (play-by-mail 4)."""
    address = canonical(address_of(Verb(name=verb.name, line=0, last=0, address=verb.rest or verb.address)))
    known = select(Invitation).where(Invitation.game_id == game.id, Invitation.address == address)
    invitation = work.session.exec(known).first()
    if invitation is None or invitation.joined is not None or not households.taken(work, game, address):
        raise RefusedByRules("nothing-to-allow", address=address)
    waiting = select(Asked).where(Asked.game_id == game.id, Asked.kind == "second-seat", col(Asked.settled).is_(None))
    for row in work.session.exec(waiting).all():
        if work.vault.open_value(row.facts, dict[str, Any]).get("invitation") == invitation.id:
            row.settled = work.now
            work.session.add(row)
    note(work, game, by, f"allow a second seat to invitation {invitation.id}")
    invitation.second = True
    work.session.add(invitation)
    invitations.write(work, game, invitation, again="second")
    return {"address": address}


DOES: Final[Mapping[str, Does]] = {
    "allow": allow,
    "process": process,
    "deadline": deadline,
    "extend": extend,
    "pause": pause,
    "resume": resume,
    "let-go": let_go,
    "nudge": nudge,
    "broadcast": broadcast,
    "rule": rule,
    "stands": stands,
    "invite": invite,
    "start": start,
}
"""What each verb does; those that hand a seat over, act for one or end the game are in modules of their own."""

"""``поправить N место: …`` and ``повторить N``: a turn is resolved again with the orders that should have counted (6).

It is shown first, and a look is logged; entered, it is one transaction: a `replay` and a new result for every turn it
changes, the position of the open turn, letters to all whom it touches. No die moves (fair-play C).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import update
from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import events, record
from adjudicator.fairplay.log import Object
from adjudicator.letters import LineVerdict, Reader, Report
from adjudicator.services import (
    commands,
    corrected,
    correcting,
    disputes,
    hearing,
    history,
    interludes,
    logbook,
    moderation,
    opened,
    people,
    positions,
    resolving,
    sheets,
    turns,
)
from adjudicator.services.correcting import Again, Correction, Played
from adjudicator.services.hearing import Heard, Hearing
from adjudicator.services.moderation import By, Facts
from adjudicator.services.positions import Table
from adjudicator.services.schedule import min_notice
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asking, Game, LogEntry, Mail, MailGame, Reading, Turn
from engine.core import codec
from engine.core.contract import MODERATOR, Language, Order, Seat, Sheet, State
from engine.core.dice import Throw
from mail.addresses import canonical
from mail.text import Line

VERBS: Final = ("amend", "replay")
"""What is shown before it is done, and done once it is confirmed."""
_SAID: Final = ("clear", "anew")
"""Commands that may stand among corrected orders."""
_QUOTED: Final = ("quote", "attribution", "forward")
"""Lines of a mail that are not its writer's."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A correction that is not entered yet.

    ``parts`` are those of the seat and its secrets, as the lock would have had them; ``befores`` the positions that the
    turns had led to; ``lost`` the lines of the open turn that would not read any more, by seat.
    """

    table: Table
    turn: Turn
    open: Turn
    seat: Seat
    lines: tuple[LineVerdict, ...]
    parts: Mapping[str, Object]
    vouched: bool
    correction: Correction
    befores: tuple[State, ...]
    lost: Mapping[Seat, Sequence[str]]

    @property
    def basis(self) -> list[int]:
        """What the correction was reckoned from: the results it replaces."""
        return [again.played.locked.turn.result_seq or 0 for again in self.correction.again]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a correction would do, for whoever is to confirm it; ``refusal`` is why it is not to be had."""

    facts: Facts
    reports: tuple[Report, ...] = ()
    refusal: RefusedByRules | None = None


def amend(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Enter a correction of a resolved turn (`mandate.DOES`). Raises `RefusedByRules` where it is not to be had."""
    plan = _plan(work, game, verb)
    if (refusal := _refusal(plan)) is not None:
        raise refusal
    _enter(work, plan, by)
    return {
        "about": plan.turn.number,
        "titles": moderation.titles_of(work, game, plan.seat) if plan.seat else {},
        "turns": [again.played.number for again in plan.correction.again],
        "what": verb.name,
    }


def show(work: Work, game: Game, by: By, verb: Verb, reader: Reader) -> Shown:
    """Log a look at what a correction would change, and return it; nothing is changed (fair-play L, play-by-mail 6)."""
    turn, now = _turns(work, game, verb)
    moderation.look(work, game, by, "correction", turn.number)
    try:
        plan = _plan(work, game, verb)
    except RefusedByRules as unread:
        return Shown({}, refusal=unread)
    if (refusal := _refusal(plan)) is not None:
        return Shown({}, refusal=refusal)
    titles = people.seat_titles(work, game)
    facts: Facts = {
        "about": turn.number,
        "turn": now.number,
        "why": verb.why,
        "what": verb.name,
        "turns": [again.played.number for again in plan.correction.again],
        "lost": [{"titles": titles.get(seat, {}), "lines": list(lines)} for seat, lines in plan.lost.items()],
        "vouched": plan.vouched,
        "as_read": [codec.plain(line) for line in plan.lines],
        "names": positions.view_text(work, plan.table, turn, plan.seat or MODERATOR),
        "verb": codec.plain(msgspec.structs.replace(verb, line=0, last=0)),
        "basis": plan.basis,
    }
    if plan.seat:
        facts["titles"] = moderation.titles_of(work, game, plan.seat)
    told = {"who": by.who, "why": verb.why, "titles": facts.get("titles", {}), "what": verb.name, "orders": []}
    return Shown(facts, tuple(corrected.previews(work, plan.table, plan.correction.again, plan.befores, reader, told)))


def demand_same(work: Work, game: Game, facts: Mapping[str, Any]) -> None:
    """Raise `RefusedByRules` if what was shown for confirmation has been corrected by somebody else since."""
    found = [turn.result_seq for turn in history.resolved(work, game) if turn.number in facts["turns"]]
    if found != facts["basis"]:
        raise RefusedByRules("amend-moved", about=facts["about"])


def demand_named(work: Work, game: Game, verb: Verb) -> Facts:
    """Return what a vote on a correction says. Raises `RefusedByRules` if it names no resolved turn or no seat."""
    turn, now = _turns(work, game, verb)
    facts: Facts = {"about": turn.number, "turn": now.number}
    if verb.name == "amend":
        facts["titles"] = moderation.titles_of(work, game, _seat(work, game, verb))
    return facts


# What it would be -----------------------------------------------------------------------------------------------------


def _turns(work: Work, game: Game, verb: Verb) -> tuple[Turn, Turn]:
    """Return the resolved turn that is meant, and the one that is played now."""
    now = positions.current(work, game)
    if now is None:
        raise RefusedByRules("not-running", tag=game.tag)
    if verb.turn is None:
        raise RefusedByRules("name-the-turn", verb=verb.name, turn=max(now.number - 1, 0))
    if now.number == verb.turn:
        raise RefusedByRules("amend-unresolved", turn=verb.turn, locked=now.status != "open")
    turn = history.turn_named(work, game, verb.turn)
    if now.status == "asking":
        raise RefusedByRules("amend-asking", turn=now.number)
    return turn, now


def _seat(work: Work, game: Game, verb: Verb) -> Seat:
    moderated = positions.table(game).ruleset.info.moderated
    if moderated and commands.folded(verb.seat) in moderation.PLACE:
        return MODERATOR
    return moderation.seat_of(work, game, verb)


def _plan(work: Work, game: Game, verb: Verb) -> Plan:
    table = positions.table(game)
    turn, now = _turns(work, game, verb)
    played = _played(work, table, turn, now)
    seats = [seat.seat for seat in people.seats(work, game)]
    language: Language = "en" if work.config.service.language == "en" else "ru"
    seat, vouched = "", True
    lines: tuple[LineVerdict, ...] = ()
    parts: dict[str, Object] = {}
    if verb.name == "amend":
        seat = _seat(work, game, verb)
        heard, parts = _corrected(work, table, played[0], seat, verb)
        lines = heard.verdicts()
        vouched = _stood_in_a_mail(work, game, turn, seat, verb.text)
        if not vouched and _afterthought(played[0], seat, parts):
            raise RefusedByRules("bid-laid")
    vouched = vouched and not _corrected_before(work, game, played)
    found = correcting.correct(
        table.ruleset,
        seats,
        played,
        {**played[0].parts, **parts},
        rests_on_word=not vouched,
        language=language,
    )
    befores = tuple(one.locked.state for one in played[1:] if one.throws is not None)
    befores = (*befores, positions.state_of(work, table, now))
    lost = _lost(work, table, now, found) if found.stop is None and now.status == "open" else {}
    return Plan(table, turn, now, seat, lines, parts, vouched, found, befores, lost)


def _corrected_before(work: Work, game: Game, played: Sequence[Played]) -> bool:
    """Say whether orders of these turns were corrected once: then what they lead to may rest on somebody's word."""
    numbers = [one.number for one in played]
    query = select(LogEntry.event).where(LogEntry.game_id == game.id, col(LogEntry.event).like('%"type":"replay"%'))
    found = [msgspec.json.decode(event) for event in work.session.exec(query)]
    return any(one["type"] == "replay" and one["turn"] in numbers and "private" in one for one in found)


def _played(work: Work, table: Table, turn: Turn, now: Turn) -> list[Played]:
    """Return the turns from the one that is corrected to the last that is locked."""
    later = [one for one in history.resolved(work, table.game) if one.number >= turn.number]
    found = []
    for one in (*later, *([now] if now.status in ("locked", "stuck") else [])):
        parts: dict[str, Any] = work.vault.open_value(one.orders or b"", dict[str, Any])
        throws = _thrown(work, one) if one.status == "resolved" else None
        found.append(Played(resolving.load(work, one.id or 0), parts, throws))
    return found


def _thrown(work: Work, turn: Turn) -> tuple[Throw, ...]:
    """Return all dice that a turn has thrown, those of its earlier revisions too."""
    query = select(Turn).where(Turn.game_id == turn.game_id, Turn.number == turn.number, col(Turn.dice).is_not(None))
    rows = work.session.exec(query.order_by(col(Turn.revision))).all()
    return tuple(dict.fromkeys(throw for row in rows for throw in history.throws_of(work, row)))


def _refusal(plan: Plan) -> RefusedByRules | None:
    """Return why a correction is not to be had, and what is (play-by-mail 6)."""
    stop = plan.correction.stop
    if stop is None:
        return None
    facts = dict(stop.facts)
    if "seat" in facts:
        facts["titles"] = {seat.id: seat.titles for seat in _infos(plan)}.get(facts["seat"], {})
    return RefusedByRules(f"amend-{stop.why}", about=plan.turn.number, turn=stop.turn, **facts)


def _infos(plan: Plan) -> Sequence[Any]:
    ruleset, game = plan.table.ruleset, plan.table.game
    options = codec.decode(game.options, ruleset.info.options)
    return ruleset.seats(options, game.players)


def _lost(work: Work, table: Table, now: Turn, found: Correction) -> dict[Seat, list[str]]:
    """Return by seat the lines of the open turn that do not read in the new position."""
    lost: dict[Seat, list[str]] = {}
    for seat in interludes.speakers(work, table.game, now):
        sheet = positions.seat_now(work, table, now, seat).folded.sheet
        _, lines = interludes.parted(work, table, now, found.state, seat, sheet)
        if lines:
            lost[seat] = lines
    return lost


# The corrected orders -------------------------------------------------------------------------------------------------


def _corrected(work: Work, table: Table, played: Played, seat: Seat, verb: Verb) -> tuple[Heard, dict[str, Object]]:
    """Read the lines against what the seat saw as the turn opened, and lay them upon what was locked for it."""
    turn, ruleset = played.locked.turn, table.ruleset
    at_once = turn.phase == turns.AT_ONCE
    if at_once and seat != MODERATOR:
        raise RefusedByRules("amend-at-once", about=turn.number)
    tenure = people.holder(work, table.game, seat)
    language = people.player(work, tenure.player_id).language if tenure is not None else work.config.service.language
    part = played.parts.get(seat, {"orders": (), "from": ()})
    kept: list[tuple[Order, events.Origin]] = [
        (codec.from_plain(order, ruleset.info.order), origin)
        for order, origin in zip(part["orders"], part["from"], strict=True)
    ]
    secret = [order for order in played.locked.sheets.get(seat, ()) if order.secret is not None]
    said = (*(order for order, origin in kept if origin in ("sent", "moderator")), *secret)
    standing = positions.history(work, table, turn, seat, by=turn.locked).now.standing
    before = sheets.SeatSheet(sheet=said, standing=standing)
    against = Hearing(
        table=table,
        view=positions.view_of(work, table, turn, seat),
        seat=seat,
        language="en" if language == "en" else "ru",
        before=sheets.History(now=before),
        number=0,
    )
    heard = _heard(against, verb.text)
    after = against.after(heard.effects)
    if after.standing != standing:
        raise RefusedByRules("amend-lasting", about=turn.number)
    sheet = _queued(played, after.sheet)
    if at_once:
        return heard, _parts(played, seat, sheet, dict.fromkeys((one.slot for one in sheet), "moderator"))
    filled = ruleset.merge(against.view, sheet, standing)
    silent = ruleset.silent(against.view, filled)
    sent = {order.slot for order in sheet}
    origins: dict[str, events.Origin] = dict.fromkeys((order.slot for order in filled), "moderator")
    origins |= {order.slot: origin for order, origin in kept if order in filled}
    origins |= {order.slot: "standing" for order in filled if order.slot not in sent}
    origins |= {order.slot: "silent" for order in silent}
    return heard, _parts(played, seat, filled + silent, origins)


def _parts(played: Played, seat: Seat, sheet: Sheet, origins: Mapping[str, events.Origin]) -> dict[str, Object]:
    """Return the parts of a lock that change with a seat's sheet. Raises `RefusedByRules` if none does."""
    locked = played.locked
    found = record.lock_parts(locked.table.ruleset, locked.state, {seat: sheet}, {seat: origins})
    changed = {name: part for name, part in found.items() if part != played.parts.get(name)}
    if not changed:
        raise RefusedByRules("amend-nothing", about=played.number)
    return dict(changed)


def _afterthought(played: Played, seat: Seat, parts: Mapping[str, Object]) -> bool:
    """Say whether an order would count that had to be laid before another seat's, which is known by now (rule N)."""
    kind = played.locked.table.ruleset.info.order
    orders = [codec.from_plain(order, kind) for order in parts.get(seat, {"orders": ()})["orders"]]
    return any(order.precedes and order not in played.locked.sheets.get(seat, ()) for order in orders)


def _queued(played: Played, sheet: Sheet) -> Sheet:
    """Let corrected orders whose order counts come after all that were locked (`engine.core.contract.Order`)."""
    places = [order.arrival for one in played.locked.sheets.values() for order in one if order.queues]  # type: ignore[attr-defined]
    last = max(places, default=0)
    return tuple(
        msgspec.structs.replace(order, arrival=last + 1) if order.queues and not order.arrival else order  # type: ignore[attr-defined]
        for order in sheet
    )


def _heard(against: Hearing, text: Sequence[str]) -> Heard:
    """Hear the lines as the seat's own; nothing but orders and starting anew may be said. Raises `RefusedByRules`."""
    heard = hearing.hear(against, [Line(number=place, raw=line) for place, line in enumerate(text)])
    foreign = [place for place, line in heard.lines.items() if line.mark == "command" and line.key not in _SAID]
    for place in [*foreign, *(place for _, place in heard.press)]:
        heard.lines[place] = LineVerdict(text=text[place].strip(), mark="command-refused", key="not-for-others")
    if not heard.touches or not heard.understood:
        read = heard.verdicts()
        refused = [line.text for line in read if line.mark in ("refused", "command-refused")]
        raise RefusedByRules(
            "amend-unread",
            lines=refused or [line.strip() for line in text if line.strip()],
            as_read=[codec.plain(line) for line in read],
            names=codec.encode(against.view),
        )
    return heard


def _stood_in_a_mail(work: Work, game: Game, turn: Turn, seat: Seat, text: Sequence[str]) -> bool:
    """Say whether the lines stand in one mail of the seat's whose hash is in the turn's lock (fair-play C).

    Mails that brought orders of the turn may stand in the lock of a command done at once before it.
    """
    locks = [turn.lock_seq]
    before = positions.turn(work, game, turn.number - 1)
    while before is not None and before.phase == turns.AT_ONCE:
        locks.append(before.lock_seq)
        before = positions.turn(work, game, before.number - 1)
    wanted = {_plain(line) for line in text if line.strip()}
    query = (
        select(Mail.id, Mail.sender)
        .join(MailGame, col(MailGame.mail_id) == col(Mail.id))
        .where(MailGame.game_id == game.id, col(MailGame.lock_seq).in_(locks), col(Mail.raw).is_not(None))
    )
    for number, sender in work.session.exec(query.order_by(col(Mail.id))).all():
        raw = work.session.get_one(Mail, number).raw if _is_of(work, game, number, sender, seat) else None
        if raw is None:
            continue
        read = opened.read(work, work.vault.open(raw), "").text
        own = [*read.own, *(aside.line for aside in read.set_aside if aside.why not in _QUOTED)]
        if wanted <= {_plain(line.text) for line in own}:
            return True
    return False


def _plain(line: str) -> str:
    return " ".join(line.split()).casefold()


def _is_of(work: Work, game: Game, number: int | None, sender: str, seat: Seat) -> bool:
    """Say whether a mail is a seat's: it was read for it, or its holder's address sent it."""
    known = select(Reading.id).where(Reading.mail_id == number, Reading.game_id == game.id, Reading.seat == seat)
    if work.session.exec(known).first() is not None:
        return True
    tenure = people.holder(work, game, seat)
    own = people.addresses(work, tenure.player_id) if tenure is not None else ()
    return canonical(sender) in [canonical(address) for address in own]


# Entering it ----------------------------------------------------------------------------------------------------------


def _enter(work: Work, plan: Plan, by: By) -> None:
    """Enter a correction: log, revisions, the position now, letters; the game's row is ours."""
    table, game, now = plan.table, plan.table.game, plan.open
    published = _published(work, game)
    revised = [
        _enter_turn(work, plan, again, by, published, plan.parts if place == 0 else {})
        for place, again in enumerate(plan.correction.again)
    ]
    _move_on(work, plan)
    for dispute in disputes.open_disputes(work, game):
        if dispute.turn == plan.turn.number:
            disputes.settle(work, dispute, "replay", by.why)
    titles = moderation.titles_of(work, game, plan.seat) if plan.seat else {}
    told = {"who": by.who, "why": by.why, "titles": titles, "what": "amend" if plan.seat else "replay", "orders": []}
    corrected.tell(work, table, plan.correction.again, revised, plan.befores, now, plan.seat, told)
    for tenure in interludes.holders(work, game):
        if lines := plan.lost.get(tenure.seat):
            facts = {"turn": now.number, "deadline": iso(now.deadline), "lines": lines}
            turns.tell(work, table, tenure, "read-again", f"{now.number}/{game.seq}", facts)


def _enter_turn(
    work: Work, plan: Plan, again: Again, by: By, published: Sequence[str], parts: Mapping[str, Object]
) -> Turn:
    """Log that a turn is resolved again and what comes of it, as a new revision; the old one is kept as it was."""
    table, game, old = plan.table, plan.table.game, again.played.locked.turn
    sealed = _sealed(plan, parts)
    entry = logbook.append(
        work,
        game,
        events.Replay(
            at=logbook.at(work.now),
            turn=old.number,
            replay=old.revision + 1,
            result=old.result_seq or 0,
            reason=by.why,
            by=by.who,
        ),
        parts=sealed,
        audience=_audience(plan, parts),
    )
    fields = {name: value for name, value in old.model_dump().items() if name != "id"}
    new = Turn(**{**fields, "revision": old.revision + 1, "state": work.vault.seal_value(again.locked.state)})
    new.orders = work.vault.seal_value({**again.played.parts, **parts})
    old.status = "withdrawn"
    work.session.add(old)
    work.add(new)
    work.session.execute(update(Asking).where(col(Asking.turn_id) == old.id).values(turn_id=new.id))
    resolving.enter_result(work, table, new, again.locked, again.resolution, published)
    if table.header.open_orders == "turn":
        secret = {one.name for one in table.ruleset.secrets(again.resolution.state)}
        for name in sealed:
            if name not in secret:
                logbook.open_part(work, game, entry.seq, name)
    return new


def _sealed(plan: Plan, parts: Mapping[str, Object]) -> dict[str, Any]:
    """Return the private parts of a `replay` event: the seat's corrected orders, and its secrets as a lock has them."""
    return {
        name: events.ReplayPart(orders=tuple(part["orders"]), origins=tuple(part["from"]))
        if name == plan.seat
        else part
        for name, part in parts.items()
    }


def _audience(plan: Plan, parts: Mapping[str, Object]) -> dict[str, tuple[Seat, ...]]:
    """Return who may open the secrets among the parts at once: those who know them, and the seat itself."""
    secrets = {one.name: one.audience for one in plan.table.ruleset.secrets(plan.correction.again[0].locked.state)}
    return {name: tuple(dict.fromkeys((*secrets.get(name, ()), plan.seat))) for name in parts if name != plan.seat}


def _published(work: Work, game: Game) -> list[str]:
    """Return the streams of secrets whose seeds the log has given."""
    query = select(LogEntry.event).where(LogEntry.game_id == game.id, col(LogEntry.event).like('%"type":"result"%'))
    found = [msgspec.json.decode(event)["seeds"] for event in work.session.exec(query.order_by(col(LogEntry.seq)))]
    return list(dict.fromkeys(stream for seeds in found for stream in seeds))


def _move_on(work: Work, plan: Plan) -> None:
    """Give the turn that is played now its new position; what its seats have said is read again."""
    table, game, now, state = plan.table, plan.table.game, plan.open, plan.correction.state
    for seat in plan.lost:
        sheet = positions.seat_now(work, table, now, seat).folded.sheet
        interludes.read_again(work, table, now, state, seat, sheet, now.number)
    now.state = work.vault.seal_value(state)
    work.session.add(now)
    for kind in ("state", "view", "view-text", "owed", "moderator-owes"):
        work.forget(kind, now.id)
    work.forget("steps", game.id, now.number)
    if now.status != "open":
        return
    now.phase, now.check = table.ruleset.phase(state), work.now
    soonest = work.now + min_notice(timedelta(seconds=now.period))
    if now.deadline < soonest:
        turns.put_deadline(work, game, now, turns.past_absences(work, game, now, soonest), "corrected")

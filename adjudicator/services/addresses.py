"""Where a player is written to: a new address confirmed from both ends, a dead one changed by the moderator (4)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from sqlmodel import select

from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import events
from adjudicator.letters import LineVerdict, Notice
from adjudicator.services import answers, asked, households, invitations, logbook, outbox, people, positions, unwanted
from adjudicator.services.commands import Command
from adjudicator.services.opened import Opened
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Address, Asked, Game, Player, Tenure
from mail.addresses import canonical, mailboxes, split_plus

FRESH: Final = timedelta(days=7)
"""How long both ends have to confirm a new address."""


def said(work: Work, said: Said, command: Command) -> LineVerdict:
    """Begin the change that ``адрес новый@…`` asks for, and return its line of the receipt."""
    person = people.player(work, said.tenure.player_id)
    return ask(work, person, command.argument, f"{said.mail.row.id}", said.written(command))


def ask(work: Work, person: Player, typed: str, cause: str, text: str) -> LineVerdict:
    """Ask both ends, the present main address and the new one, whether letters shall go to the new one."""
    try:
        new = _wanted(work, person, typed)
    except RefusedByRules as refusal:
        return LineVerdict(text=text, mark="command-refused", key=refusal.key, facts=refusal.facts)
    if new in people.addresses(work, person.id or 0):
        people.add_address(work, person, new, main=True)
        return LineVerdict(text=text, mark="command", key="address-main", facts={"address": new})
    old = people.main_address(work, person)
    facts: dict[str, Any] = {"player": person.id, "old": old, "new": new}
    fresh = asked.ask(
        work, "address", unwanted.stranger(work, new, person.language, name=person.name), facts, cause=cause
    )
    reader = answers.reader(work, person, old)
    back = asked.ask(work, "address-back", reader, facts, cause=cause, player_id=person.id)
    _pair(work, fresh, back, facts)
    return LineVerdict(text=text, mark="command", key="address", facts={"old": old, "new": new})


def _wanted(work: Work, person: Player, typed: str) -> str:
    """Return the address that was typed. Raises `RefusedByRules` if it cannot be this player's."""
    found = mailboxes(typed)
    if len(found) != 1:
        raise RefusedByRules("bad-address", address=typed)
    new = found[0].canonical
    if canonical(split_plus(new)[0]) == canonical(work.config.service.address):
        raise RefusedByRules("bad-address", address=typed)
    if new not in people.addresses(work, person.id or 0):
        _demand_free(work, person, new)
        if invitations.silent(work, new, ("confirm",)):
            raise RefusedByRules("address-asked-today", address=new)
    return new


def _demand_free(work: Work, person: Player, new: str) -> None:
    """Refuse an address that would hold two seats of one game: that needs the moderator's word (4)."""
    own = {game.id for _, game in people.tenures_of(work, person)}
    for other in people.holders_of(work, new):
        for tenure, game in people.tenures_of(work, other):
            if game.id in own and other.id != person.id and tenure.seat:
                raise RefusedByRules("address-taken", tag=game.tag)


def _pair(work: Work, fresh: Asked, back: Asked, facts: dict[str, Any]) -> None:
    for row, other in ((fresh, back), (back, fresh)):
        row.facts = work.vault.seal_value({**facts, "other": other.id, "agreed": False})
        work.session.add(row)


def confirmed(work: Work, row: Asked, facts: dict[str, Any], _mail: Opened) -> None:
    """Take one end's yes; the second makes the new address the main one."""
    if work.now - row.created > FRESH:
        raise RefusedByRules("address-stale")
    other = work.session.get_one(Asked, int(facts["other"]))
    there: dict[str, Any] = work.vault.open_value(other.facts, dict[str, Any])
    if other.settled is not None and not there["agreed"]:
        raise RefusedByRules("address-refused")
    facts["agreed"], facts["done"] = True, bool(there["agreed"])
    row.facts = work.vault.seal_value(facts)
    work.session.add(row)
    if not facts["done"]:
        return
    person = people.player(work, int(facts["player"]))
    _demand_free(work, person, str(facts["new"]))
    people.add_address(work, person, str(facts["new"]), main=True)
    unwanted.forgive(work, str(facts["new"]))
    _tell_seats(work, person, "address-changed", f"{row.id}", {"old": facts["old"], "new": facts["new"]})


def _tell_seats(work: Work, person: Player, kind: str, cause: str, facts: dict[str, Any]) -> None:
    """Write a player of his new address with each seat's key, so that he can answer from there."""
    for tenure, game in people.tenures_of(work, person):
        reader = people.reader_of(work, game, tenure, people.seat_titles(work, game))
        notice = Notice(kind=kind, reader=reader, facts=facts, head=positions.table(game).head, pin=logbook.pin(game))
        key = f"{kind}/{game.tag}/{cause}/{tenure.seat}/{tenure.id}"
        outbox.queue(work, key, reader.address, outbox.Envelope(notice=notice), game=game, tenure=tenure)


def replace(work: Work, game: Game, seat: str, address: str) -> Tenure:
    """Give the holder of a seat another address in place of a dead one, by the moderator's word.

    The log says that it was done, and not what it is. The dead address proves nothing any more; a seat that thereby
    shares an address with another is told to all. Raises `RefusedByRules` for a seat that nobody holds and for words
    that are no address.
    """
    holders = [*people.tenures(work, game), *filter(None, (people.moderator(work, game),))]
    tenure = next((one for one in holders if one.seat == seat), None)
    if tenure is None:
        raise RefusedByRules("unknown-seat", seat=seat, seats=[one.seat for one in holders])
    found = mailboxes(address)
    if len(found) != 1 or not found[0].address.partition("@")[2]:
        raise RefusedByRules("bad-address", address=address)
    person, before = people.player(work, tenure.player_id), households.shared(work, game)
    old, new = people.main_address(work, person), found[0].canonical
    people.add_address(work, person, new, main=True)
    if old != new:
        for row in work.session.exec(select(Address).where(Address.player_id == person.id, Address.address == old)):
            work.session.delete(row)
        work.session.flush()
        work.forget("holders", old)
    turn = positions.current(work, game)
    logbook.append(
        work,
        game,
        events.Ruling(
            seq=0, at=logbook.at(work.now), turn=turn.number if turn else 0, text=f"address {seat}", seat=seat
        ),
    )
    _tell_seats(work, person, "address-changed", f"ruling-{game.seq}", {"old": "", "new": new})
    fresh = [pair for pair in households.shared(work, game) if pair not in before]
    households.tell(work, game, fresh, f"address-{game.seq}")
    return tenure


def renew_key(work: Work, said: Said, command: Command) -> LineVerdict:
    """Give a seat another token; the old one is void at once (``новый ключ``)."""
    said.tenure.key_version += 1
    work.session.add(said.tenure)
    return LineVerdict(text=said.written(command), mark="command", key="new-key")

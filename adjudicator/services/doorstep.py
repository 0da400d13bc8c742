"""What people say of games they are not in: join an open one, watch one, hear no more of any (play-by-mail 0, 4)."""

from __future__ import annotations

import dataclasses
from typing import Final, Literal

from sqlmodel import select

from adjudicator.errors import RefusedByRules
from adjudicator.letters import LineVerdict, Notice
from adjudicator.services import (
    answers,
    asked,
    commands,
    games,
    identity,
    invitations,
    joining,
    logbook,
    observing,
    outbox,
    people,
    positions,
    unwanted,
    verdicts,
)
from adjudicator.services.commands import Command
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Invitation, Tenure
from mail.addresses import canonical

UNSUBSCRIBE: Final = "unsubscribe"
"""The subject of the mail that List-Unsubscribe of our letters makes (RFC 2369 3.2)."""


def heard(work: Work, mail: Opened, who: Speaker, game: Game | None) -> bool:
    """Do what a letter says of a game its writer is not in, if it says such a thing; return whether it does.

    From a stranger whose mailbox provider does not vouch for him nothing is taken: his mail is held like any other.
    """
    if "weak-automatic" in mail.reading.held or mail.reading.authentication.result == "fail" or not who.address:
        return False
    if commands.folded(mail.row.subject) == UNSUBSCRIBE:
        return _unsubscribes(work, mail, who)
    plan = mail.plan.commands
    for command in plan:
        if command.name == "never-again" and not who.tenures:
            return _never_again(work, mail, who, _tongue(mail, command))
        wanted = _game_of(work, command, game)
        if command.name == "unobserve" and not who.tenures:
            return _stops(work, mail, who, wanted)
        if wanted is None or _sits_in(work, who, wanted):
            continue
        if command.name == "observe" and not who.tenures:
            return _observes(work, mail, who, wanted, _tongue(mail, command))
        if command.name == "join" and not _answers_invitation(who, wanted) and not who.tenures:
            return _joins(work, mail, who, wanted, command)
    return False


def _game_of(work: Work, command: Command, game: Game | None) -> Game | None:
    """Return the game a command names by its tag, else the one the letter is for."""
    first = command.argument.partition(" ")[0]
    if not commands.TAG.fullmatch(first):
        return game
    return work.session.exec(select(Game).where(Game.tag == first.casefold())).first()


def _sits_in(work: Work, who: Speaker, game: Game) -> bool:
    return any(at.id == game.id for person in who.players for _, at in people.tenures_of(work, person))


def _answers_invitation(who: Speaker, game: Game) -> bool:
    return who.invitation is not None and who.invitation.game_id == game.id


def _tongue(mail: Opened, command: Command) -> str:
    """Return the language somebody writes in: that of the command's own word."""
    return _language(mail.own[command.line].text)


def _language(text: str) -> str:
    return "ru" if any("а" <= char <= "я" for char in text.casefold()) else "en"


def _name(mail: Opened) -> str:
    return next((one.name for one in mail.reading.incoming.sender if one.name), "")[:60]


def _registered(who: Speaker) -> bool:
    """Say whether a registered person speaks, proven by provider, source or any token of his."""
    return bool(who.players) and bool(who.proof)


# Joining --------------------------------------------------------------------------------------------------------------


def _joins(work: Work, mail: Opened, who: Speaker, game: Game, command: Command) -> bool:
    """Take in somebody registered or invited who is proven, ask a stranger whom his provider vouches for, or refuse."""
    known = _invitation(work, game, who.address)
    if not (who.players or known is not None or who.vouched):
        return False
    game = work.game_by_id(game.id)
    tongue = who.players[0].language if who.players else _tongue(mail, command)
    if known is None and (why := _shut(work, game)):
        _settle(work, mail, game, why.key)
        invitations.turned_away(work, game, who.address, tongue, mail.row, why)
        return True
    invitation = known or work.add(
        Invitation(
            game_id=game.id or 0,
            address=canonical(who.address),
            name=who.players[0].name if who.players else _name(mail),
            language=tongue,
            created=work.now,
            stranger=True,
        )
    )
    typed = joining.wish(game, command.argument)
    if _registered(who) or (known is not None and who.vouched and not known.stranger):
        _settle(work, mail, game, "join")
        joining.enter(work, mail, invitation, game, typed)
        return True
    seat = answers.seat_named(work, game, typed, strict=False)
    invitation.seat = seat if seat not in ("", "?") else invitation.seat
    work.session.add(invitation)
    _settle(work, mail, game, "join-asked")
    invitations.ask(work, game, invitation, mail.row, seat_unknown=typed if seat == "?" else "")
    return True


def _shut(work: Work, game: Game) -> RefusedByRules | None:
    """Return why a game takes no stranger, None if it does."""
    if game.status != "created":
        return RefusedByRules("already-started", tag=game.tag)
    if positions.table(game).header.entry != "open":
        return RefusedByRules("not-open", tag=game.tag)
    if len(games.joined(work, game)) >= game.players:
        return RefusedByRules("game-full", tag=game.tag)
    return None


def _invitation(work: Work, game: Game, address: str) -> Invitation | None:
    """Return the invitation of an address to a game that is not answered with yes yet."""
    query = select(Invitation).where(Invitation.game_id == game.id, Invitation.address == canonical(address))
    return next((one for one in work.session.exec(query) if one.joined is None), None)


def _settle(work: Work, mail: Opened, game: Game, why: str) -> None:
    if not mail.part:
        verdicts.assign(work, mail.row, game.id)
    verdicts.settle(work, mail.row, "orders", why)


# Watching -------------------------------------------------------------------------------------------------------------


def _observes(work: Work, mail: Opened, who: Speaker, game: Game, tongue: str) -> bool:
    if not (who.vouched or _registered(who)):
        return False
    try:
        observing.demand_open(work, game, who.address)
    except RefusedByRules as refusal:
        verdicts.settle(work, mail.row, "orders", refusal.key)
        _refuse_watching(work, mail, who, game, refusal, tongue)
        return True
    verdicts.settle(work, mail.row, "orders", "observe")
    if who.players:
        person = who.players[0]
        cause = f"{mail.row.id}"
        observing.begin(work, game, who.address, name=person.name, language=person.language, cause=cause)
    elif not _asked_today(work, who.address):
        facts = {"name": _name(mail), "language": tongue}
        reader = unwanted.stranger(work, who.address, tongue, name=_name(mail))
        asked.ask(work, "observe", reader, facts, cause=f"{mail.row.id}", game=game, in_reply_to=mail.row.message_id)
    return True


def _asked_today(work: Work, address: str) -> bool:
    return invitations.silent(work, address, invitations.TO_STRANGERS)


def _refuse_watching(work: Work, mail: Opened, who: Speaker, game: Game, refusal: RefusedByRules, tongue: str) -> None:
    if invitations.silent(work, who.address, ("observe-refused",) if who.players else invitations.TO_STRANGERS):
        return
    language = who.players[0].language if who.players else tongue
    notice = Notice(
        kind="observe-refused",
        reader=unwanted.stranger(work, who.address, language, name=_name(mail)),
        facts={"why": refusal.key},
        head=positions.table(game).head,
        pin=logbook.pin(game),
    )
    key = f"observe-refused/{game.tag}/{mail.row.id}"
    outbox.queue(
        work, key, canonical(who.address), outbox.Envelope(notice=notice), game=game, in_reply_to=mail.row.message_id
    )


def _stops(work: Work, mail: Opened, who: Speaker, game: Game | None) -> bool:
    """End the letters of an observer who is proven: by his token, his provider, or his registered address."""
    row = identity.observer(work, mail.reading)
    if row is None and game is not None and (who.vouched or _registered(who)):
        row = observing.of_address(work, game, who.address)
    if row is None:
        return False
    verdicts.settle(work, mail.row, "orders", "unobserve")
    observing.end(work, row, f"{mail.row.id}")
    return True


# From a seat of another game ------------------------------------------------------------------------------------------


def join_from_seat(work: Work, said: Said, command: Command) -> LineVerdict:
    """Let the holder of a seat join another, open game; what comes of it he is told in a letter of that game."""
    return _elsewhere(work, said, command, "join-other")


def observe_from_seat(work: Work, said: Said, command: Command) -> LineVerdict:
    """Let the holder of a seat watch another game."""
    return _elsewhere(work, said, command, "observe")


def stop_from_seat(work: Work, said: Said, command: Command) -> LineVerdict:
    """End the letters of somebody who watches another game."""
    return _elsewhere(work, said, command, "unobserve")


def _elsewhere(work: Work, said: Said, command: Command, key: str) -> LineVerdict:
    text, own = said.written(command), said.table.game
    game = _game_of(work, command, own)
    if game is None:
        tag = command.argument.partition(" ")[0]
        return LineVerdict(text=text, mark="command-refused", key="no-such-game", facts={"tag": tag})
    who = dataclasses.replace(said.who, tenures=(), game=game)
    if key == "join-other":
        done = _joins(work, said.mail, who, game, command)
    elif key == "observe":
        done = _observes(work, said.mail, who, game, said.against.language)
    else:
        done = _stops(work, said.mail, who, game)
    mark: Literal["command", "command-refused"] = "command" if done else "command-refused"
    return LineVerdict(text=text, mark=mark, key=key if done else "not-observing", facts={"tag": game.tag})


def never_again_from_seat(work: Work, said: Said, command: Command) -> LineVerdict:
    """Never invite the holder of a seat to another game; his seat stays his."""
    unwanted.enter(work, said.mail, said.who.address, said.against.language)
    return LineVerdict(text=said.written(command), mark="command", key="never-again")


# No more letters ------------------------------------------------------------------------------------------------------


def _never_again(work: Work, mail: Opened, who: Speaker, language: str) -> bool:
    row = identity.observer(work, mail.reading)
    if not (who.vouched or who.invitation is not None or row is not None or _registered(who)):
        return False
    if who.invitation is not None:
        language = who.invitation.language
    elif row is not None:
        language = row.language
    elif who.players:
        language = who.players[0].language
    verdicts.settle(work, mail.row, "orders", "never-again")
    unwanted.enter(work, mail, who.address, language)
    return True


def _unsubscribes(work: Work, mail: Opened, who: Speaker) -> bool:
    """End an observer's letters, or the invitations of somebody invited; a seated player is asked what he wants (5)."""
    if _stops(work, mail, who, None):
        return True
    if who.invitation is not None and who.invitation.joined is None:
        return _never_again(work, mail, who, who.invitation.language)
    if len(who.tenures) != 1 or who.doubt or who.game is None:
        return False
    _ask_seated(work, mail, who.game, who.tenures[0])
    return True


def _ask_seated(work: Work, mail: Opened, game: Game, tenure: Tenure) -> None:
    verdicts.settle(work, mail.row, "empty", UNSUBSCRIBE)
    reader = people.reader_of(work, game, tenure, people.seat_titles(work, game))
    notice = Notice(kind="leave", reader=reader, head=positions.table(game).head, pin=logbook.pin(game))
    outbox.queue(
        work,
        f"leave/{game.tag}/{mail.row.id}/{tenure.seat}",
        reader.address,
        outbox.Envelope(notice=notice),
        game=game,
        tenure=tenure,
        in_reply_to=mail.row.message_id,
    )

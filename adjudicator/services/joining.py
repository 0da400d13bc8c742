"""An answer to an invitation: somebody joins, or is told why he cannot (play-by-mail 0)."""

from __future__ import annotations

from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import chain
from adjudicator.services import (
    answers,
    games,
    handing,
    hearing,
    households,
    invitations,
    mistyped,
    positions,
    unwanted,
    verdicts,
)
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Invitation


def join(work: Work, mail: Opened, invitation: Invitation, game: Game) -> None:
    """Let ``вступаю`` in answer to an invitation register the address; it may carry a phrase.

    ``нет`` refuses it. A stranger's own wish, which we asked him to confirm, is confirmed by ``да`` as well.
    """
    wishes = {command.name: command.argument for command in mistyped.plan(mail.texts).commands}
    answer = mistyped.short_answer(mail.texts)
    if answer is not None and answer.no:
        verdicts.settle(work, mail.row, "orders", "refused")
        unwanted.refuse(work, invitation, "no")
        invitations.dropped(work, game, invitation, mail.row)
        return
    yes = invitation.stranger and answer is not None and answer.turn is None
    if "join" not in wishes and not yes:
        verdicts.settle(work, mail.row, "empty", "no-join")
        invitations.refused(work, game, invitation, mail.row, RefusedByRules("no-join"))
        return
    if invitation.substitute:
        handing.join(work, mail, invitation, game)
        return
    if language := hearing.LANGUAGES.get(wishes.get("language", "").casefold()):
        invitation.language = language
    enter(work, mail, invitation, game, wish(game, wishes.get("join", "")) or wishes.get("seat", ""))


def wish(game: Game, argument: str) -> str:
    """Return the seat that ``вступаю [pirates-7] [место]`` asks for, as typed."""
    first, _, rest = argument.partition(" ")
    return rest.strip() if first.casefold() == game.tag else argument


def enter(work: Work, mail: Opened, invitation: Invitation, game: Game, typed: str) -> None:
    """Take somebody in who has said yes, on the seat he typed if it is free; the last one starts the game."""
    if not invitation.name:
        invitation.name = next((one.name for one in mail.reading.incoming.sender if one.name), "")[:60]
    wished = ""
    automatic = chain.automatic_phrase(mail.row.message_id, mail.raw)
    try:
        wished = answers.seat_named(work, game, typed) or invitation.seat
        games.join(
            work,
            game,
            invitation,
            seat=wished,
            phrase=answers.phrase_in(mail.own),
            automatic=automatic,
            arrival=mail.row.counts,
        )
    except RefusedByRules as refusal:
        verdicts.settle(work, mail.row, "orders", refusal.key)
        if refusal.key == "same-address":
            households.ask_moderator(work, game, invitation, mail)
        invitations.refused(work, game, invitation, mail.row, refusal)
        return
    unwanted.forgive(work, invitation.address)
    verdicts.settle(work, mail.row, "orders", "join")
    invitations.welcome(work, game, invitation, mail.row, automatic=automatic, wished=wished)
    if positions.table(game).header.auto_start and len(games.joined(work, game)) == game.players:
        games.start(work, game)

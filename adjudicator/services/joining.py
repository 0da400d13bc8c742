"""An answer to an invitation: somebody joins, or is told why he cannot (play-by-mail 0)."""

from __future__ import annotations

from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import chain
from adjudicator.services import answers, commands, games, hearing, positions, verdicts
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Invitation


def join(work: Work, mail: Opened, invitation: Invitation, game: Game) -> None:
    """Let ``вступаю`` in answer to an invitation register the address; it may carry a phrase."""
    wishes = {command.name: command.argument for command in commands.plan(mail.texts).commands}
    if "join" not in wishes:
        verdicts.settle(work, mail.row, "empty", "no-join")
        answers.join_refused(work, game, invitation, mail.row, RefusedByRules("no-join"))
        return
    if language := hearing.LANGUAGES.get(wishes.get("language", "").casefold()):
        invitation.language = language
    if not invitation.name:
        invitation.name = next((one.name for one in mail.reading.incoming.sender if one.name), "")[:60]
    automatic = chain.automatic_phrase(mail.row.message_id, mail.raw)
    try:
        seat = answers.seat_named(work, game, wishes["join"] or wishes.get("seat", ""))
        games.join(
            work,
            game,
            invitation,
            seat=seat,
            phrase=answers.phrase_in(mail.own),
            automatic=automatic,
            arrival=mail.row.counts,
        )
    except RefusedByRules as refusal:
        verdicts.settle(work, mail.row, "orders", refusal.key)
        answers.join_refused(work, game, invitation, mail.row, refusal)
        return
    verdicts.settle(work, mail.row, "orders", "join")
    answers.welcome(work, game, invitation, mail.row, automatic=automatic)
    if positions.table(game).header.auto_start and len(games.joined(work, game)) == game.players:
        games.start(work, game)

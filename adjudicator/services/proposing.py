"""A game without a moderator: a player's line that names one of his verbs is a proposal to all seats (6)."""

from __future__ import annotations

from msgspec.structs import replace

from adjudicator.errors import RefusedByRules
from adjudicator.letters import LineVerdict
from adjudicator.services import mandate, verbs
from adjudicator.services.commands import Command
from adjudicator.services.said import Said
from adjudicator.services.work import Work


def propose(work: Work, said: Said, command: Command) -> LineVerdict:
    """Lay what a line proposes before all seats; one that names no turn means the turn its letter is about (1.9)."""
    text = said.written(command)
    verb = verbs.proposed(command.argument)
    if verb is None:
        raise ValueError(f"no verb in {command.argument!r}")
    if verb.wanting:
        return LineVerdict(text=text, mark="command-refused", key=f"wants-{verb.wanting}", facts={"verb": verb.name})
    answered = said.who.answered
    if verb.turn is None and answered is not None and answered.game_id == said.table.game.id:
        verb = replace(verb, turn=answered.turn)
    try:
        facts = mandate.propose(work, said.table.game, said.tenure.seat, verb)
    except RefusedByRules as refusal:
        return LineVerdict(text=text, mark="command-refused", key=refusal.key, facts=dict(refusal.facts))
    return LineVerdict(text=text, mark="command", key="proposed", facts={"number": facts["number"], "what": verb.name})

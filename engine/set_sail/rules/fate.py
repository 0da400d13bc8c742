"""The meeting with Fate (P17–P21, A20–A27)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from engine.core.codec import decode, encode
from engine.core.contract import MODERATOR, Choice, Question, Seat
from engine.set_sail.commands import Narrate, SetSailOrder
from engine.set_sail.events import FateChosen, FateMet, FateRolled, StatusChanged
from engine.set_sail.rules import luck
from engine.set_sail.rules.checks import throw
from engine.set_sail.rules.play import Play
from engine.set_sail.state import FATES, Status

ESCAPES, LUCKY, CHOOSES = 10, 12, 7
LEAVE: Final = "moderator"
"""The word of an option question by which a player leaves it to the moderator; so does his silence."""


def meet(play: Play, seats: Sequence[Seat], cause: str, rule: str = "P17") -> None:
    """Let pirates meet Fate: all are asked at once how they try to survive, then the dice of the answers fall."""
    met = [(seat, _key(play, seat)) for seat in seats if play.has_pirate(seat)]
    if not met:
        return
    for seat, _ in met:
        play.tell(FateMet(rule=rule, seat=seat, cause=cause))
    questions = [_how(seat, key, cause) for seat, key in met]
    words = play.ask(*questions)
    doomed: list[tuple[Seat, str, bool]] = []
    for (seat, key), question, word in zip(met, questions, words, strict=True):
        told = decode(word, SetSailOrder)
        text = told.text if isinstance(told, Narrate) else ""
        if (picks := _roll(play, seat, key, text, question)) is not None:
            doomed.append((seat, key, picks))
    _choose(play, doomed)


def _key(play: Play, seat: Seat) -> str:
    """Return actor and slot of the next Fate of a seat in this turn: ``anna/x1``."""
    play.fates[seat] = play.fates.get(seat, 0) + 1
    return f"{seat}/x{play.fates[seat]}"


def _how(seat: Seat, key: str, cause: str) -> Question:
    """Return the open question how the pirate tries to survive (P18); silent, the moderator says a line (A27)."""
    slot = f"{key}/fate/0"
    silent = encode(Narrate(key=slot, text=""))
    return Question(key=slot, seat=seat, what="fate", choices=(), default=silent, facts={"cause": cause})


def _roll(play: Play, seat: Seat, key: str, text: str, question: Question) -> bool | None:
    """Throw 2d6 without modifiers (P18, A13); return whether the player picks, None if the pirate escapes (P19)."""
    faces = throw(play.dice, f"{key}/fate", "normal")
    total = sum(faces)
    escapes = total >= ESCAPES
    play.tell(
        FateRolled(
            rule="P19",
            seat=seat,
            text=text,
            faces=faces,
            total=total,
            escapes=escapes,
            origin=play.answers.origin(question),
        )
    )
    if total == LUCKY:
        luck.regain(play, seat, 1, "fate", "P19")
    return None if escapes else total >= CHOOSES


def free(play: Play, seat: Seat) -> tuple[str, ...]:
    """Return the options that are not struck for a player (P21, A25)."""
    struck = play.player(seat).struck
    return tuple(option for option in FATES if option not in struck)


def _choose(play: Play, doomed: Sequence[tuple[Seat, str, bool]]) -> None:
    """Let those who may pick an option, then the moderator for all others (P19, P21)."""
    open_to = [(seat, key, picks and bool(free(play, seat))) for seat, key, picks in doomed]
    asked = [_which(play, seat, seat, f"{key}/option/0") for seat, key, picks in open_to if picks]
    words = dict(zip([one.key for one in asked], play.ask(*asked), strict=True)) if asked else {}
    chosen = {seat: words.get(f"{key}/option/0", LEAVE) for seat, key, _ in open_to}
    left = [(seat, key) for seat, key, _ in open_to if chosen[seat] == LEAVE and free(play, seat)]
    asked = [_which(play, seat, MODERATOR, f"{key}/option/1") for seat, key in left]
    ruled = play.ask(*asked) if asked else ()
    by_moderator = {seat: word for (seat, _), word in zip(left, ruled, strict=True)}
    for seat, _, _ in open_to:
        option = by_moderator.get(seat, "" if chosen[seat] == LEAVE else chosen[seat])
        _strike(play, seat, option, by_player=chosen[seat] != LEAVE)


def _which(play: Play, seat: Seat, asked: Seat, key: str) -> Question:
    """Return the question which option it is, of the player or of the moderator."""
    words = free(play, seat)
    choices = tuple(Choice(word=word, facts={"seat": seat}) for word in words)
    if asked == MODERATOR:
        return Question(key=key, seat=asked, what="fate-option", choices=choices, default=words[0], facts={"for": seat})
    choices = (*choices, Choice(word=LEAVE))
    return Question(key=key, seat=asked, what="fate-option", choices=choices, default=LEAVE, facts={"for": seat})


def _strike(play: Play, seat: Seat, option: str, *, by_player: bool) -> None:
    """Strike an option and take the pirate out of the scene; with none left the moderator tells it freely (P21)."""
    play.tell(FateChosen(rule="P21", seat=seat, option=option, chooser="player" if by_player else "moderator"))
    if option:
        player = play.player(seat)
        play.put_player(replace(player, struck=(*player.struck, option)))
    set_status(play, seat, "dead" if option == "death" else "out_of_scene", "P19")


def set_status(play: Play, seat: Seat, status: Status, rule: str) -> None:
    """Take a pirate out of the scene, bring him back, or let him die."""
    if play.pirate(seat).status != status:
        play.put_pirate(seat, status=status)
        play.tell(StatusChanged(rule=rule, seat=seat, status=status))

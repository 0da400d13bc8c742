"""What is open: scene, chapter, battle, passage, carouse (P10, P49, A10, A20, A28)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.core.contract import Seat
from engine.set_sail.commands import Gate
from engine.set_sail.events import AmbushChanged, Gated, TaleTold
from engine.set_sail.rules import fate, luck, ship, wounds
from engine.set_sail.rules.play import Play
from engine.set_sail.state import Enemy

LASTING: Final = ("battle", "passage", "carouse")
"""What is open or not; scenes and chapters follow each other."""


def gate(play: Play, order: Gate) -> str:
    """Open or close what the moderator says (P49); say why not where it is so already.

    So no battle is survived twice, and no passage mends twice, by a line that was sent again.
    """
    if order.what in LASTING and getattr(play.state, order.what) == order.opens:
        return "open-already" if order.opens else "closed-already"
    match order.what:
        case "scene":
            _scene(play, order)
        case "chapter":
            _chapter(play, order)
        case "battle":
            _battle(play, order)
        case "passage":
            _passage(play, order)
        case "carouse":
            play.set(carouse=order.opens, tale_told=False)
            play.tell(Gated(rule="P49", what="carouse", opens=order.opens))
    return ""


def _scene(play: Play, order: Gate) -> None:
    """Open a scene: tokens against absent enemies burn, those out of the last scene return, the code pays again."""
    if not order.opens:
        for pirate in play.state.pirates:
            left = tuple(one for one in pirate.forward if one.until != "scene")
            if left != pirate.forward:
                play.put_pirate(pirate.seat, forward=left)
        play.tell(Gated(rule="P49", what="scene", opens=False, number=play.state.scene))
        return
    play.set(
        scene=play.state.scene + 1,
        enemies=_enemies(play, order.enemies, dict(order.called)),
        code=tuple(replace(one, kept=()) for one in play.state.code),
        used=(),
    )
    play.tell(Gated(rule="P49", what="scene", opens=True, number=play.state.scene))
    here = {one.id for one in play.state.enemies if one.here}
    for pirate in play.state.pirates:
        _burn(play, pirate.seat, here)
        left = tuple(one for one in play.pirate(pirate.seat).forward if one.until != "scene")
        if left != pirate.forward:
            play.put_pirate(pirate.seat, forward=left)
        if pirate.status == "out_of_scene":
            fate.set_status(play, pirate.seat, "active", "P49")


def _enemies(play: Play, here: tuple[str, ...], called: dict[str, str]) -> tuple[Enemy, ...]:
    known = {one.id: replace(one, here=one.id in here) for one in play.state.enemies}
    return tuple((known | {one: known.get(one, Enemy(id=one, name=called.get(one, ""))) for one in here}).values())


def _burn(play: Play, seat: Seat, here: set[str]) -> None:
    """Burn the tokens whose enemy is not in the new scene (P10, A10)."""
    pirate = play.pirate(seat)
    for token in pirate.ambush:
        if token.enemy not in here:
            play.tell(AmbushChanged(rule="P10", seat=seat, enemy=token.enemy, n=-token.n, burnt=True))
    play.put_pirate(seat, ambush=tuple(token for token in pirate.ambush if token.enemy in here))


def _chapter(play: Play, order: Gate) -> None:
    """End a chapter: light wounds heal, then untreated terrible ones lead to Fate, once a pirate (P15, P16, A20)."""
    if order.opens:
        play.set(chapter=play.state.chapter + 1)
        play.tell(Gated(rule="P49", what="chapter", opens=True, number=play.state.chapter))
        return
    play.tell(Gated(rule="P49", what="chapter", opens=False, number=play.state.chapter))
    alive = [pirate.seat for pirate in play.state.pirates if pirate.status != "dead"]
    for seat in alive:
        wounds.heal_light(play, seat)
    doomed = [seat for seat in alive if any(wound.level == "terrible" for wound in play.pirate(seat).wounds)]
    fate.meet(play, doomed, "wound", "P16")


def _battle(play: Play, order: Gate) -> None:
    """Begin a battle with its breakdown to come; end it, and having survived it meets a condition (P31, P33, P49)."""
    play.set(battle=order.opens)
    play.put_ship(breakdown_used=False)
    play.tell(Gated(rule="P49", what="battle", opens=order.opens))
    if not order.opens and order.floats and play.state.ship.name:
        ship.raise_flag(play, "sea_battle")


def _passage(play: Play, order: Gate) -> None:
    """Leaving port opens a passage, mooring closes it (P49); a hole may be mended in each (A38)."""
    play.set(passage=order.opens)
    play.put_ship(patched=0)
    play.tell(Gated(rule="P49", what="passage", opens=order.opens))
    if not order.opens and order.new_shore:
        ship.raise_flag(play, "new_shore")


def tale(play: Play, seat: Seat, text: str) -> None:
    """Tell a tale at the carouse: the first brings a point of luck (P7, HB1, A56)."""
    pays = play.state.carouse and not play.state.tale_told and play.state.options.hb_tale == "on"
    play.tell(TaleTold(rule="P7", seat=seat, text=text, pays=pays))
    if pays:
        play.set(tale_told=True)
        luck.regain(play, seat, 1, "tale")

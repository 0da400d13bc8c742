"""Orders written as lines that read back the same (5.3)."""

from __future__ import annotations

from engine.core.contract import Language, Order
from engine.jackal.commands import (
    AllyRumOrder,
    Alternative,
    AnyAct,
    ConcludeOrder,
    Decision,
    Fly,
    Gift,
    Guard,
    Launch,
    Load,
    Pick,
    PolicyCase,
    PolicyOrder,
    PolicyRule,
    Raise,
    RumLeap,
    Sail,
    SlotOrder,
    SpinStep,
    Step,
    Want,
    When,
)
from engine.jackal.orders.lexicon import DIRECTIONS_RU, keys, written
from engine.jackal.state import JackalView
from engine.jackal.view import own_plan

_UNITS_RU = {"W": "Б", "Y": "Ж", "B": "Ч", "R": "К"}


class Writer:
    """Writes in one language."""

    def __init__(self, language: Language, view: JackalView | None = None) -> None:
        self.language = language
        self.plan = own_plan(view) if view is not None else ()

    def say(self, key: str, group: str = "phrases") -> str:
        """Return a phrase."""
        return written(group, key, self.language)

    def unit(self, unit: str) -> str:
        """Return a unit: «Б1», `W1`."""
        if unit[1:].isdecimal():
            return (_UNITS_RU[unit[0]] if self.language == "ru" else unit[0]) + unit[1:]
        return self.say(unit, "residents")

    def rhumb(self, rhumb: str) -> str:
        """Return a direction."""
        return DIRECTIONS_RU[rhumb] if self.language == "ru" else rhumb

    # Orders

    def order(self, order: Order) -> str:
        """Return the line of an order."""
        match order:
            case SlotOrder(colour=colour, number=number, alternatives=alternatives):
                said = f" {self.say('else')} ".join(self.alternative(one, colour) for one in alternatives)
                return self.slot(colour, number) + said
            case PolicyOrder(always=True):
                return f"{self.say('policy')}: {self.say('always')}"
            case PolicyOrder(rules=rules):
                return f"{self.say('policy')}: " + "; ".join(self.rule(rule) for rule in rules)
            case AllyRumOrder(bottles=bottles):
                said = self.say("yes") if bottles < 0 else str(bottles) if bottles else self.say("no")
                return f"{self.say('ally-rum')}: {said}"
            case ConcludeOrder(agreed=agreed):
                return self.say("conclude" if agreed else "not-conclude")
            case Decision(key=key, want=want, lay=lay):
                return self.decision(want, lay, key.split("/")[-2])
        raise TypeError(f"no order of «Шакал»: {order!r}")

    def slot(self, colour: str, number: int) -> str:
        """Return what names a slot: nothing where the viewer has only that one (5.3)."""
        several = len({one.colour for one in self.plan}) > 1
        if not any(one.colour == colour and one.number == number for one in self.plan):
            several, numbered = True, True
        else:
            numbered = max(one.number for one in self.plan) > 1
        return (f"{self.say(colour, 'colours')}: " if several else "") + (f"{number}) " if numbered else "")

    def decision(self, want: Want, lay: tuple[tuple[str, str], ...], topic: str) -> str:
        """Return the line of an answer to an open question of a topic."""
        if lay:
            return f"{self.say('lay')} " + ", ".join(f"{one}-{to}" for one, to in lay)
        if not (want.cells or want.pair or want.near or want.wishes):
            return self.say("as-it-was")
        return self.want(want, topic)

    def alternative(self, one: Alternative, colour: str) -> str:
        """Return an alternative."""
        if one.act is None:
            return self.say("default")
        parts = []
        if one.guards:
            parts.append(f"{self.say('if')} " + f" {self.say('and')} ".join(map(self.guard, one.guards)) + ":")
        said = "; ".join([self.act(one.act, colour), *map(self.gift, one.gifts)])
        parts.append(said + (" !" if one.perish else ""))
        if one.whens:
            parts.append("(" + "; ".join(map(self.when, one.whens)) + ")")
        if one.oath:
            parts.append(f'"{one.oath}"')
        return " ".join(parts)

    def guard(self, guard: Guard) -> str:
        """Return a guard."""
        kind = {"ship": "guard_ship"}.get(guard.kind, guard.kind)
        word = self.say(guard.what, "items") if guard.kind == "item" else self.say(kind)
        tile = f" {self.tile(guard.what)}" if guard.kind == "open" and guard.what else ""
        return (f"{self.say('not')} " if guard.negated else "") + f"{word} {guard.cell}{tile}"

    def tile(self, key: str) -> str:
        """Return a tile's word."""
        return self.say(key, "topics" if key in set(keys("topics")) else "tiles")

    def gift(self, gift: Gift) -> str:
        """Return a gift."""
        ally = f" {self.say('ally')}" if gift.ally else ""
        return f"{self.say('gift')} {self.unit(gift.unit)}{ally} {self.say('before' if gift.before else 'after')}"

    # Acts

    def act(self, act: AnyAct, colour: str) -> str:
        """Return an act."""
        match act:
            case Step(unit=unit, cell=cell, load=load, via=via):
                return f"{self.unit(unit)} {self.say('to')} {cell}{self.load(load)}{self.via(via)}"
            case SpinStep(unit=unit, load=load):
                return f"{self.unit(unit)} {self.say('step')}{self.load(load)}"
            case RumLeap(unit=unit, cell=cell, ally=ally, load=load, via=via):
                whose = f" {self.say('ally')}" if ally else ""
                to = f"{self.say('to')} {cell}{self.load(load)}{self.via(via)}"
                return f"{self.unit(unit)} {self.say('rum')}{whose} {to}"
            case Fly(unit=unit, cell=cell, load=load, via=via):
                return f"{self.unit(unit)} {self.say('fly')} {cell}{self.load(load)}{self.via(via)}"
            case Raise(unit=unit, dead=dead):
                return f"{self.unit(unit)} {self.say('raise')}" + (f" {self.unit(dead)}" if dead else "")
            case Launch(unit=unit, cell=cell):
                return f"{self.unit(unit)} {self.say('launch')} {cell}"
            case Sail():
                return self.sail(act, colour)
        raise TypeError(f"no act of «Шакал»: {act!r}")

    def sail(self, act: Sail, colour: str) -> str:
        """Return a ship's move."""
        word = self.say("boat_vessel" if act.boat else "ship")
        if act.colour != colour:
            word += f" {self.say(act.colour, 'colours')}"
        if act.route[0][-1].isdecimal():
            return f"{word} {self.say('to')} " + ", ".join(act.route)
        return f"{word} " + ", ".join(map(self.rhumb, act.route))

    def load(self, load: Load | None) -> str:
        """Return a load with its plus, "" for none."""
        if load is None:
            return ""
        said = f" +{self.say(load.item, 'items')}"
        if load.item != "cart" or load.bare:
            return said
        return said + " (" + ", ".join(self.say(item, "items") for item in load.inside) + ")"

    def via(self, via: tuple[Pick, ...]) -> str:
        """Return picks with their colon."""
        return " : " + ", ".join(map(self.pick, via)) if via else ""

    def pick(self, pick: Pick) -> str:
        """Return a pick or wish."""
        match pick.kind:
            case "way":
                return self.rhumb(pick.way)
            case "cell":
                return pick.way
            case "take":
                return f"{self.say('take')} {self.say(pick.way, 'items')}"
            case "launch":
                return f"{self.say('launch')} {pick.way}"
            case "ship":
                return self.say("guard_ship")
        return self.say(pick.kind)

    def when(self, when: When) -> str:
        """Return a when."""
        return f"{self.say(when.tile, 'topics')}: {self.want(when.want, when.tile)}"

    def want(self, want: Want, topic: str = "") -> str:
        """Return a want."""
        if want.near:
            return self.say("far" if topic == "quake" else "near")
        if want.cells:
            return ", ".join(want.cells)
        if want.pair:
            turned = zip(want.pair, want.turns, strict=False)
            turns = [f"{cell} {self.say('rotate')} {90 * turn}" for cell, turn in turned if turn]
            return ", ".join(["-".join(want.pair), *turns])
        return ", ".join(map(self.pick, want.wishes))

    def rule(self, rule: PolicyRule) -> str:
        """Return a rule of a policy."""
        said = f"{self.say(rule.tile, 'topics')} = "
        cases = " / ".join(self.case(one, rule.tile) for one in rule.cases)
        if not rule.ask:
            return said + cases
        return said + self.say("ask") + (f", {self.say('then')} {cases}" if cases else "")

    def case(self, case: PolicyCase, topic: str) -> str:
        """Return a case of a policy's rule for a topic."""
        return self.want(case.want, topic) + (f" {self.say(case.laden)}" if case.laden else "")


def write(order: Order, language: Language, view: JackalView | None = None) -> str:
    """Return the line that reads back as this order; with a view, without what only one slot leaves to be said."""
    return Writer(language, view).order(order)

"""Orders written as lines that read back the same (page 1.6)."""

from __future__ import annotations

from functools import singledispatchmethod
from typing import Final

from engine.core.codec import encode
from engine.core.contract import MODERATOR, Language, Order
from engine.set_sail.cards import stubs
from engine.set_sail.commands import (
    AnswerTrade,
    Bid,
    CallCheck,
    Choose,
    Conduct,
    CrossOut,
    Declare,
    Develop,
    DoEffect,
    DropPlan,
    Enlist,
    Gate,
    Hire,
    Idle,
    Launch,
    LayCards,
    Learn,
    Narrate,
    Offer,
    OpenTalk,
    Put,
    Repair,
    Ruling,
    Say,
    Scheme,
    SealBid,
    Spend,
    StandingAid,
    StandingBids,
    StandingBreakdown,
    StandingDamage,
    StandingLuck,
    StandingOffer,
    StandingStale,
    StandingTrade,
    StandingYield,
    StayOut,
    TakeDamage,
    TakeHole,
    TakePart,
    Tale,
    UndoEffect,
)
from engine.set_sail.orders.desk import Desk, Fault, NotOrder
from engine.set_sail.orders.lasting import ALWAYS, NEVER
from engine.set_sail.orders.lexicon import glosses, said
from engine.set_sail.orders.players import choose, option_names, read_wish
from engine.set_sail.orders.spelling import in_words
from engine.set_sail.state import SHIP_STATS, STATS, Decision, SetSailView
from engine.set_sail.view import roll_of

_STUBS: Final = {card.id: card.name for card in stubs()}


class Writer:
    """Writes in one language; with a view, pirates and cards by the names they bear."""

    def __init__(self, language: Language, view: SetSailView | None = None) -> None:
        self.language = language
        self.view = view
        self.desk = Desk(view, (), language) if view is not None else None
        cards = view.state.cards if view is not None else stubs()
        self.cards = {card.id: card.name or card.id for card in cards}

    # Words

    def say(self, key: str, group: str = "parts") -> str:
        """Return the word for a key."""
        return said(group, key, self.language)

    def head(self, key: str) -> str:
        """Return the word that begins a line."""
        return said("heads", key, self.language)

    def field(self, key: str, value: object) -> str:
        """Return a field with its value: «имя Анна»."""
        return f"{said('fields', key, self.language)} {value}"

    def seat(self, seat: str) -> str:
        """Return what a seat's pirate is called."""
        return self.desk.called(seat) if self.desk is not None and seat in self.desk.state.roster else seat

    def thing(self, id_: str) -> str:
        """Return what an enemy or side is called, where the name is read back as it; else the id."""
        return self.desk.titled(id_, self.desk.sides()) if self.desk is not None else id_

    def ref(self, key: str) -> str:
        """Return how a roll is named."""
        if self.desk is not None:
            return self.desk.ref(key)
        actor, _, slot = key.partition("/")
        return key if "/" in slot or actor == "gm" else f"{actor} {slot}"

    def move(self, move: str) -> str:
        """Return a move's name."""
        name = self.cards.get(move, move)
        if self.language == "en" and name == _STUBS.get(move) and (meant := glosses().get(move)):
            return meant
        return move if any(sign in name for sign in ",;:—") else name

    def stat(self, stat: str) -> str:
        """Return a stat's word."""
        return self.say(stat, "stats")

    def key(self, key: str, kinds: tuple[str, ...]) -> str:
        """Return the key of a decision where the viewer has several, or is not known, with a space before it."""
        if self.desk is not None:
            open_ = [one.key for one in self.desk.state.decisions if one.seat == self.desk.seat and one.kind in kinds]
            if open_ == [key]:
                return ""
        return f" {key}"

    def all_of(self, parts: object) -> str:
        """Return a list joined by «и»."""
        word = {"ru": "и", "en": "and"}[self.language]
        return f" {word} ".join(str(part) for part in parts)  # type: ignore[attr-defined]  # any iterable

    def effect(self, effect: str) -> str:
        """Return an effect in words, as far as there are some that read back the same."""
        return in_words(effect, self.language, self.view) if self.view is not None else effect

    def number(self, number: int) -> str:
        """Return the number of a declaration, with a space before it."""
        return f" o{number}"

    # Orders

    @singledispatchmethod
    def order(self, order: Order) -> str:
        """Return the line of an order."""
        raise TypeError(f"no order of «Поднять паруса!»: {order!r}")

    @order.register
    def _(self, order: Enlist) -> str:
        return f"{self.head('sheet')}: {self.sheet(order)}"

    def sheet(self, order: Enlist) -> str:
        """Return the fields of a sheet."""
        texts = [("name", order.name), ("post", order.post), ("background", order.background)]
        parts = [self.field(key, value) for key, value in texts if value]
        stats = [(self.stat(stat), getattr(order, stat)) for stat in STATS]
        given = [(stat, value) for stat, value in stats if value is not None]
        parts.append(", ".join(f"{stat} {value:+d}" if value else f"{stat} 0" for stat, value in given))
        parts += self.listed("moves", order.moves)
        return "; ".join(part for part in parts if part)

    def listed(self, field: str, ids: tuple[str, ...] | None) -> list[str]:
        """Return the field of a list of moves, if it says anything."""
        if ids is None:
            return []
        return [self.field(field, ", ".join(map(self.move, ids)) or self.say("no"))]

    @order.register
    def _(self, order: Declare) -> str:
        parts = [self.move(order.move)] if order.move else []
        parts += [self.stat(order.stat)] if order.stat else []
        parts += [self.say("chance")] if order.chance else []
        head = self.head("hidden" if order.hidden else "declare") + self.number(order.number)
        wish = ", ".join(parts)
        if not order.text:
            return f"{head}: {wish}"
        return f"{head}: {wish} — {order.text}" if wish or self._looks_wished(order.text) else f"{head}: {order.text}"

    def _looks_wished(self, text: str) -> bool:
        """Say whether a text would be taken for a move or stat if nothing stood before it."""
        if self.desk is None or text[:1] in "—–-":
            return True
        found = read_wish(Desk(self.desk.view, (), self.language), text)
        return found.text != text or bool(found.move or found.stat or found.chance)

    @order.register
    def _(self, order: Scheme) -> str:
        head = f"{self.head('scheme')}{self.number(order.number)}: {self.field('goal', order.goal)}"
        return f"{head}; {self.field('secrets', ', '.join(map(str, order.secrets)))}"

    @order.register
    def _(self, order: Idle) -> str:
        return self.head("idle") + self.number(order.number)

    @order.register
    def _(self, order: TakePart) -> str:
        return self.head("join") + (f": {self.seat(order.leader)}" if order.leader else "")

    @order.register
    def _(self, order: Tale) -> str:
        return f"{self.head('tale')}: {order.text}"

    @order.register
    def _(self, order: Say) -> str:
        moderator = self.view is not None and self.view.seat == MODERATOR
        text = " ↵ ".join(order.text.split("\n")) if order.text else "—"
        return f"{self.head('story' if moderator else 'say')}: {text}"

    @order.register
    def _(self, order: Spend) -> str:
        match order.act:
            case "luck":
                own = self.view is not None and order.roll.startswith(f"{self.view.seat}/o")
                ref = order.roll.partition("/")[2] if own and order.roll.count("/") == 1 else self.ref(order.roll)
                return f"{self.head('luck')} +1 {ref}"
            case "help" | "hinder" as act:
                return f"{self.head(act)} {self.ref(order.roll)}" + (f": {order.how}" if order.how else "")
            case _:
                return f"{self.head('stay-out')}: {self.ref(order.roll)}"

    @order.register
    def _(self, _order: StayOut) -> str:
        return self.head("stay-out")

    @order.register
    def _(self, order: AnswerTrade) -> str:
        word = self.say("yes" if order.take else "no")
        return f"{self.head('trade')} {word}{self.key(order.key, ('trade',))}"

    @order.register
    def _(self, order: TakeDamage) -> str:
        decisions = self.desk.state.decisions if self.desk is not None else ()
        wounds = next((one.n for one in decisions if one.key == order.key), order.luck) - order.luck
        parts = [f"{self.say('luck')} {order.luck}"] if order.luck or wounds <= 0 else []
        parts += [f"{self.say('wound')} {wounds}"] if wounds > 0 else []
        if order.place:
            parts.append(f"{self.say('place')} {order.place}")
        return f"{self.head('damage')}: " + ", ".join(parts) + self.key(order.key, ("damage",))

    @order.register
    def _(self, order: TakeHole) -> str:
        key = self.key(order.key, ("hole",))
        if order.kind == "hole":
            return self.head("hole") + key
        return f"{self.head('breakdown')} {self.say(order.kind, 'breakdowns')}{key}"

    @order.register
    def _(self, order: Choose) -> str:
        key = self.key(order.key, ("choice", "revel", "priority"))
        if order.options and (words := self.options(order)):
            return f"{self.head('choose')} {words}{key}"
        picked = ", ".join(order.options) or self.say("nothing")
        return f"{self.head('choose')} {picked}{key}"

    def options(self, order: Choose) -> str:
        """Return the options in the words they go by, "" where these are not read back as the same."""
        decisions = self.desk.state.decisions if self.desk is not None else ()
        one = next((one for one in decisions if one.key == order.key), None)
        if one is None or self.view is None:
            return ""
        desk = Desk(self.view, (), self.language)
        named = option_names(desk, one)
        words = ", ".join(self.option(one, option, named.get(option, (option,))) for option in order.options)
        try:
            same = choose(desk, f" {words} {order.key}") == order
        except (Fault, NotOrder):
            same = False
        return words if same else ""

    def option(self, one: Decision, option: str, names: tuple[str, ...]) -> str:
        """Return the word of an option."""
        if one.kind == "revel":
            return self.say(option)
        if one.kind == "priority":
            return said("fields", "hull", self.language) if option == "hull" else self.stat(option)
        return names[-1]

    @order.register
    def _(self, order: CrossOut) -> str:
        return f"{self.head('cross')} {order.id}{self.key(order.key, ('stale',))}"

    @order.register
    def _(self, order: Narrate) -> str:
        head = self.head("fate" if order.key.split("/")[1:2] == ["x1"] or "/fate/" in order.key else "how")
        return f"{head}: {order.text or '—'}"

    @order.register
    def _(self, order: Bid) -> str:
        talk = "" if self.only_talk(order.talk) else f" n{order.talk}"
        parts = [f"{self.head('bid')}{talk} {self.say(order.value, 'bids')}"]
        parts += [f"{said('heads', 'secret', self.language)} {order.uses}"] if order.uses else []
        parts += [self.say("chance")] if order.chance else []
        return "; ".join(parts) + (f": {order.text}" if order.text else "")

    # Standing words

    def standing(self, text: str, condition: str = "") -> str:
        """Return a word that stands, with its condition."""
        when = f"{self.head('if')} {condition}: " if condition else ""
        return f"{self.head('standing')}: {when}{text}"

    @order.register
    def _(self, order: StandingLuck) -> str:
        if order.when == "never":
            return self.standing(f"{self.head('luck')} {self.say('never')}")
        return self.standing(f"{self.head('luck')} +1", self.say("band") if order.when == "band" else "")

    @order.register
    def _(self, order: StandingAid) -> str:
        if not order.whom:
            return self.standing(f"{self.head('help')} {self.say('nobody')}")
        most = f"{self.field('to', order.most)}"
        how = f": {order.how}" if order.how else ""
        return self.standing(f"{self.head('help')} {self.seat(order.whom)} {most}{how}", self.say("band"))

    @order.register
    def _(self, order: StandingDamage) -> str:
        luck, wound = (f"{self.head('damage')} {self.say(word)}" for word in ("luck", "wound"))
        if order.above in (ALWAYS, NEVER):
            return self.standing(luck if order.above == ALWAYS else wound)
        either = f"{luck}; {said('fields', 'else', self.language)} {wound}"
        return self.standing(either, f"{self.say('luck')} > {order.above}")

    @order.register
    def _(self, order: StandingBreakdown) -> str:
        if order.kind == "hole":
            return self.standing(self.head("hole"))
        return self.standing(f"{self.head('breakdown')} {self.say(order.kind, 'breakdowns')}")

    @order.register
    def _(self, order: StandingBids) -> str:
        return self.standing(f"{self.head('bids')} " + ", ".join(self.say(one, "bids") for one in order.values))

    @order.register
    def _(self, order: StandingYield) -> str:
        word = self.head("yield" if order.give_up else "play-on")
        return self.standing(word, f"{said('fields', 'score', self.language)} 0:2")

    @order.register
    def _(self, order: StandingStale) -> str:
        return self.standing(f"{self.head('cross')} {order.id or self.say('oldest')}")

    @order.register
    def _(self, order: StandingTrade) -> str:
        return self.standing(f"{self.head('trade')} {self.say('yes' if order.take else 'no')}")

    @order.register
    def _(self, order: StandingOffer) -> str:
        return self.standing(f"{self.head('outcome')} {self.say('as-proposed')}")

    # The moderator

    @order.register
    def _(self, order: Ruling) -> str:
        head = f"{self.head('ruling')} {self.ref(order.roll)}: "
        if not order.rolls:
            parts = [self.say("no-roll"), *([self.move(order.move)] if order.move else [])]
            parts += [self.stat(order.stat)] if order.stat else []
        else:
            parts = [self.move(order.move)] if order.move else [] if self.schemes(order.roll) else [self.say("free")]
            parts.append(self.stat(order.stat) if order.stat else self.say("no-stat"))
        parts += self._dice_parts(order)
        if order.secrets is not None:
            parts.append(self.field("secrets", self.all_of(order.secrets) if order.secrets else self.say("no")))
        if order.veto:
            parts.append(self.field("veto", self.all_of(map(self.seat, order.veto))))
        return head + ", ".join(parts)

    def schemes(self, key: str) -> bool:
        """Say whether a roll is a scheme's: it has no card."""
        roll = roll_of(self.desk.state, key) if self.desk is not None else None
        return roll is not None and roll.kind == "scheme"

    def only_talk(self, number: int) -> bool:
        """Say whether a talk is the only one in which this seat may bid."""
        if self.desk is None:
            return False
        seat, roster = self.desk.seat, self.desk.state.roster
        mine = [
            one.number
            for one in self.desk.state.talks
            if (one.b not in roster if self.desk.moderator else seat in (one.a, one.b))
        ]
        return mine == [number]

    def _dice_parts(self, order: Ruling | CallCheck) -> list[str]:
        parts = [self.say("chance")] if order.chance else []
        parts += [self.say("gm-chance")] if order.gm_chance else []
        parts += [self.field("plan", order.plan)] if order.plan else []
        parts += [f"{order.bonus:+d}"] if order.bonus else []
        return [*parts, *([self.field("enemy", self.thing(order.enemy))] if order.enemy else [])]

    @order.register
    def _(self, order: Offer) -> str:
        head = f"{self.head('trade' if order.trade else 'outcome')} {self.ref(order.roll)}"
        parts = [] if order.effects is None else [self.effect(one) for one in order.effects] or [self.say("nothing")]
        if order.effects is None and (not order.trade or order.veto):
            parts.append(self.say("as-proposed"))
        if order.veto:
            parts.append(self.field("veto", self.all_of(map(self.seat, order.veto))))
        return head + (f": {'; '.join(parts)}" if parts else "")

    def numbered(self, number: int, line: str) -> str:
        """Return a command's line, with its number if it is not the first."""
        return line if number == 1 else f"c{number}: {line}"

    @order.register
    def _(self, order: DoEffect) -> str:
        words = self.effect(order.effect)
        line = words if words != order.effect else f"{self.head('effect')} {order.effect}"
        return self.numbered(order.number, line)

    @order.register
    def _(self, order: UndoEffect) -> str:
        rows = encode([list(row) for row in order.changes])
        return self.numbered(order.number, f"{self.head('undo')} {order.effect} {rows}")

    @order.register
    def _(self, order: Gate) -> str:
        line = f"{self.head('open' if order.opens else 'close')} {self.say(order.what, 'gates')}"
        called = dict(order.called)
        named = [called.get(one) or self.thing(one) for one in order.enemies]
        line += f": {', '.join(named)}" if named else ""
        line += "" if order.floats else f", {self.say('floats-not')}"
        line += f", {self.say('new-shore')}" if order.new_shore else ""
        return self.numbered(order.number, line)

    @order.register
    def _(self, order: OpenTalk) -> str:
        other = order.called or (self.seat(order.b) if self.seat(order.b) != order.b else self.thing(order.b))
        parts = [f"{self.head('talk')}: {self.seat(order.a)} — {other}"]
        parts += [self.say("threat")] if order.threat else []
        parts += [self.field("plan", order.plan)] if order.plan else []
        parts += [self.field("secrets", self.all_of(order.suitable_a))] if order.suitable_a else []
        parts += [self.field("their", self.all_of(order.suitable_b))] if order.suitable_b else []
        return self.numbered(order.number, "; ".join(parts))

    @order.register
    def _(self, order: SealBid) -> str:
        talk = "" if self.only_talk(order.talk) else f" n{order.talk}"
        line = f"{self.head('bid')}{talk} {self.say(order.value, 'bids')}"
        line += f"; {self.say('chance')}" if order.chance else ""
        secret = said("heads", "secret", self.language)
        return self.numbered(order.number, line + (f"; {secret}: {order.uses}" if order.uses else ""))

    @order.register
    def _(self, order: CallCheck) -> str:
        parts = [self.move(order.move)] if order.move else []
        parts.append(self.stat(order.stat) if order.stat else self.say("no-stat"))
        line = f"{self.head('check')} {self.seat(order.seat)}: " + ", ".join([*parts, *self._dice_parts(order)])
        return self.numbered(order.number, line)

    @order.register
    def _(self, order: Conduct) -> str:
        word = self.say("kept" if order.kept else "broken")
        return self.numbered(order.number, f"{self.head('code')} {self.seat(order.seat)}: {order.article} {word}")

    @order.register
    def _(self, order: Learn) -> str:
        about = self.field("about", self.seat(order.who))
        return self.numbered(order.number, f"{self.head('learn')} {self.seat(order.seat)} {about}: {order.text}")

    @order.register
    def _(self, order: DropPlan) -> str:
        return self.numbered(order.number, f"{self.head('plan')} {order.plan} {self.say('over')}")

    @order.register
    def _(self, order: Repair) -> str:
        n = f" {order.n}" if order.n != 1 else ""
        return self.numbered(order.number, f"{self.head('repair')} {self.say(order.what)}{n}")

    @order.register
    def _(self, order: Develop) -> str:
        card = f": {self.move(order.card)}" if order.card else ""
        return self.numbered(order.number, f"{self.head('develop')}: {self.say(order.option, 'developments')}{card}")

    @order.register
    def _(self, order: Launch) -> str:
        parts = [self.field(key, value) for key, value in (("name", order.name), ("kind", order.kind)) if value]
        stats = [(stat, getattr(order, stat)) for stat in SHIP_STATS]
        parts += [f"{self.stat(stat)} {value}" for stat, value in stats if value is not None]
        parts += [self.field("hull", order.hull)] if order.hull is not None else []
        parts += [*self.listed("moves", order.moves), *self.listed("rigging", order.rigging)]
        if order.bought is not None:
            bought = ", ".join(self.say(one, "developments") for one in order.bought) or self.say("no")
            parts.append(self.field("bought", bought))
        if order.priority:
            word = self.say("hull") if order.priority == "hull" else self.stat(order.priority)
            parts.append(self.field("priority", word))
        parts += [self.say("ordered")] if order.ordered else []
        return self.numbered(order.number, f"{self.head('ship')}: " + "; ".join(parts))

    @order.register
    def _(self, order: Hire) -> str:
        luck = f"; {self.field('luck', order.luck)}" if order.luck is not None else ""
        return self.numbered(
            order.number, f"{self.head('sheet')} {self.seat(order.seat)}: {self.sheet(order.sheet)}{luck}"
        )

    @order.register
    def _(self, order: Put) -> str:
        name = self.seat(order.id) if order.what == "captain" else order.name or order.id
        line = f"{self.head(order.what)} {name}"
        line += f" {order.n}" if order.n or "clock" in order.what else ""
        line += f": {order.text}" if order.text or order.what in ("prescription", "prohibition") else ""
        return self.numbered(order.number, line)

    @order.register
    def _(self, order: LayCards) -> str:
        return self.numbered(order.number, f"{self.head('deck')}: " + order.document.replace("\n", "↵"))


def write(order: Order, language: Language, view: SetSailView | None = None) -> str:
    """Return the line that reads back as this order; with a view, by the names pirates bear."""
    return Writer(language, view).order(order)

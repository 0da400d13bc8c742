"""Somebody who plays: what he sees, decides and writes in a turn, as people do it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from adjudicator.demo.cast import Person, Words, words
from adjudicator.demo.chance import Chance
from adjudicator.demo.programs import Draft
from engine.core.contract import Event, Order, Ruleset
from engine.pirates.state import GoldRevealed, ShipHit, ShipSunk

SALT_OF_TEN: Final = 3
"""How often of ten a letter whispers something to the dice."""
_NO_QUOTES: Final = str.maketrans("", "", "«»“”")


@dataclass(frozen=True, slots=True)
class Line:
    """An order in somebody's words, and the slot it is for."""

    slot: str
    text: str


@dataclass(frozen=True, slots=True)
class Sailor:
    """A person at his seat in an open turn: what he sees, what has happened, and the ruleset that reads him."""

    person: Person
    seat: str
    ruleset: Ruleset
    turn: int
    view: Any
    events: tuple[Event, ...]
    chance: Chance

    @property
    def words(self) -> Words:
        """The words of his language."""
        return words(self.person.language)

    @property
    def owes(self) -> bool:
        """Whether anything is asked of him."""
        return any(slot.seat == self.seat for slot in self.ruleset.owed(self.view))

    @property
    def is_awaited(self) -> bool:
        """Whether the turn waits for him."""
        return any(slot.seat == self.seat and not slot.optional for slot in self.ruleset.owed(self.view))

    # Orders -----------------------------------------------------------------------------------------------------------

    def decided(self) -> tuple[Order, ...]:
        """Return what the ruleset's own bot would do in his place."""
        return self.ruleset.bot(self.view, self.chance.chooser(self.turn, self.person.key, "orders"))

    def lines(self, orders: Iterable[Order]) -> list[Line]:
        """Return orders in his words."""
        return [Line(order.slot, self.phrased(order)) for order in orders]

    def phrased(self, order: Order) -> str:
        """Return an order as he puts it: by name or number, with habits that leave its meaning alone."""
        named = self.chance.below(3, self.turn, self.person.key, order.slot, "named") > 0
        line = self.ruleset.write(order, self.person.language, self.view if named else None)
        line = line.translate(_NO_QUOTES)  # no keyboard has them at hand
        for place, (usual, own) in enumerate(self.person.habits):
            other = line.replace(usual, own)
            if other != line and self.chance.below(3, self.turn, self.person.key, order.slot, place) > 0:
                line = other
        plain = self.ruleset.write(order, self.person.language, self.view)
        return line if self._means(line, order) else plain

    def _means(self, line: str, order: Order) -> bool:
        """Say whether a line reads as exactly this order, with nothing to mend."""
        reading = self.ruleset.read(self.view, (), (line,), self.person.language)
        return [(one.order, one.notes) for one in reading.orders] == [(order, ())] and not reading.complaints

    def namings(self) -> list[Line]:
        """Return names for his ships, in set-up."""
        free = [slot for slot in self.ruleset.owed(self.view) if slot.seat == self.seat and slot.what == "name"]
        return [
            Line(slot.key, self.words.line("naming", ship=slot.facts["ship"], name=name))
            for slot, name in zip(free, self.person.ships, strict=False)
        ]

    def reads_well(self, line: str) -> bool:
        """Say whether the rules read a line as an order, without complaint."""
        reading = self.ruleset.read(self.view, (), (line,), self.person.language)
        return bool(reading.orders) and not reading.complaints

    def cut(self, line: str) -> bool:
        """Say whether a line is an order of which a part will not be done."""
        reading = self.ruleset.read(self.view, (), (line,), self.person.language)
        return any(note.kind == "cut" for one in reading.orders for note in one.notes)

    def answers(self, lines: Sequence[Line]) -> dict[str, str]:
        """Return, by line of the answer template he was sent, his own line about the same ship."""
        own = {line.slot: line.text for line in lines}
        found = {}
        for offered in self.ruleset.template(self.view, self.person.language):
            reading = self.ruleset.read(self.view, (), (offered,), self.person.language)
            for one in reading.orders:
                if one.order.slot in own:
                    found[offered] = own[one.order.slot]
        return found

    # Letters ----------------------------------------------------------------------------------------------------------

    def draft(
        self, lines: Sequence[Line], *commands: str, said: Sequence[str] | None = None, salt: bool = True
    ) -> Draft:
        """Return a letter: hello, a few words, orders, commands, and a name."""
        letter = self.words.letter
        hello = self._pick(letter.greetings, "greeting")
        chat = self._chat() if said is None else list(said)
        intro = self._pick(letter.intros, "intro") if said is None and lines else ""
        body = [line.text for line in lines]
        body += [*self._salt(), *commands] if salt else list(commands)
        goodbye = self._pick(letter.closings, "closing")
        blocks = [[hello], chat, [*filter(None, [intro]), *body], [*filter(None, [goodbye]), self.person.short]]
        return Draft(lines=tuple(_joined(blocks)), signature=self.person.name, between=self.answers(lines))

    def ready(self) -> tuple[str, ...]:
        """Return the word that he is ready, where he adds it."""
        said = self.chance.below(10, self.turn, self.person.key, "ready") < self.person.ready
        return (self.person.word,) if said else ()

    def _salt(self) -> list[str]:
        if self.chance.below(10, self.turn, self.person.key, "salt") >= SALT_OF_TEN:
            return []
        return [self.words.line("salt", words=self._pick(self.person.salts, "phrase"))]

    def _chat(self) -> list[str]:
        return [self._pick(self.words.chat[self._mood()], "chat")]

    def _mood(self) -> str:
        """Return what there is to talk about."""
        own = {ship.number for ship in self.view.ships if ship.owner == self.seat}
        lost = {ship.number for ship in self.view.ships if ship.home == self.seat and ship.fate in ("sunk", "wrecked")}
        told: list[str] = []
        for event in self.events:
            match event:
                case GoldRevealed():
                    told.append("gold")
                case ShipSunk() if event.ship in lost:
                    told.append("lost")
                case ShipHit() if event.ship in own:
                    told.append("was_hit")
                case ShipHit() if own.intersection(event.by):
                    told.append("hit")
                case _:
                    pass
        if self.turn <= 1:
            return "first"
        return min(told, key=_TELLING.index, default=str(self.view.wind.force))

    def _pick(self, things: Sequence[str], what: str) -> str:
        return self.chance.pick(things, self.turn, self.person.key, what)


_TELLING: Final = ("gold", "lost", "was_hit", "hit")


def _joined(blocks: Sequence[Sequence[str]]) -> list[str]:
    """Return blocks of lines with an empty line between them."""
    found: list[str] = []
    for block in blocks:
        if block:
            found += [*([""] if found else []), *block]
    return found

"""Lines sorted into orders, complaints and prose, against what the seat sees (page 1.6).

A line is an order if it begins with a word of the order language and goes on as an order does; what somebody says and
tells is prose. A line that only might be an order gets a complaint with the line it would have to be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from engine.core.contract import PUBLIC, Complaint, Language, Note, Order, Reading, ReadOrder, Sheet
from engine.core.names import declined, words_of
from engine.core.scripts import layouts
from engine.set_sail.commands import Offer, Say, Spend, StayOut, Taken
from engine.set_sail.demands import DEMANDS
from engine.set_sail.orders import judging, lasting, players
from engine.set_sail.orders.desk import Desk, Fault, NotOrder
from engine.set_sail.orders.lexicon import (
    DIALOGUE,
    MOST_CHARACTERS,
    Head,
    at_dash,
    clean,
    fold,
    group,
    head_of,
    mended_heads,
    unlisted,
)
from engine.set_sail.orders.sheet import fold as laid_upon
from engine.set_sail.orders.writing import write
from engine.set_sail.state import SetSailView

MOST_OFFERS: Final = 4
_WRAPPED: Final = 55
"""A line as long as this was broken by the mail program, and goes on in the next."""
_MOST_LINES: Final = 40
_TEXTED: Final = frozenset(
    {"declare", "mine", "more", "hidden", "scheme", "tale", "help", "hinder", "bid", "fate", "how", "learn"}
)
"""Heads whose text may go on in the lines that follow."""
_SURE: Final = frozenset({"declare", "hidden", "scheme", "bid", "ruling"})
"""Heads that with a colon are meant as orders even where a dash stands before them."""
_ELSE: Final = re.compile(r"\s*(?:иначе|else)\b", re.IGNORECASE)
_ENDED: Final = re.compile(r"[.!?…:;»\"”)]\s*$")
_TO_MODERATOR: Final = re.compile(
    r"(?:картографу|ведущему|мастеру|судье|(?:to\s+)?(?:the\s+)?(?:gm|moderator))\s*:\s*(?=\S)", re.IGNORECASE
)
"""A note to the moderator goes as press: a line of its own would be read by nobody."""
_BARE_HEAD: Final = re.compile(r"\s*[^\W\d_]+(?:\s[^\W\d_]+)?(?:\s[oо]\d{1,2})?\s*:\s*")
"""A line that is the head of an order and no more."""
_BARE_WORDS: Final = 8

_Unit = tuple[tuple[int, ...], str]


def read(view: SetSailView, sheet: Sheet, lines: Sequence[str], language: Language) -> Reading:
    """Read lines against what the seat sees. Never raises; every line is an order, a complaint or prose."""
    if view.seat == PUBLIC:
        return Reading(prose=tuple(range(len(lines))), sheet=tuple(sheet))
    letter = _Letter(view, sheet, language)
    orders: list[ReadOrder] = []
    complaints: list[Complaint] = []
    traces: list[Order] = []
    prose: list[int] = []
    units = letter.units([clean(line) for line in lines])
    spoken = sum(bool(text.strip()) for _, text in units)
    for places, text in units:
        found = letter.line(text, alone=spoken == 1)
        if found is None:
            prose += places
        elif isinstance(found, Complaint):
            complaints.append(msgspec.structs.replace(found, lines=places, place=_place(lines[places[0]], found)))
            if letter.desk.numbered:
                traces.append(Taken(number=letter.desk.numbered))
        else:
            orders.append(msgspec.structs.replace(found, lines=places))
    orders = _joined(orders)
    told = () if letter.desk.moderator else _told(view, lines, prose, orders)
    before = tuple(order for order in sheet if not isinstance(order, Taken))
    laid = laid_upon(before, [one.order for one in (*orders, *told)])
    return Reading(
        orders=tuple(orders),
        complaints=tuple(complaints),
        prose=tuple(prose),
        told=told,
        sheet=laid,
        traces=tuple(traces),
        unheard=_unheard(lines, prose, told),
    )


def _unheard(lines: Sequence[str], prose: Sequence[int], told: Sequence[ReadOrder]) -> tuple[int, ...]:
    """Return the lines of prose that go neither into the story nor to anybody."""
    heard = {place for one in told for place in one.lines}
    return tuple(place for place in sorted(prose) if place not in heard and clean(lines[place]).strip(" -—–_*.,!"))


_SAYS: Final = re.compile(r"\s*(?:[—–―]\s*|-\s(?=.*(?:[!?…»]|\s-\s)))[A-ZА-ЯЁ«\"„“….]")
_OF_THE_TABLE: Final = re.compile(r"картограф|ведущ|судь[яюие]\b|мастер[ауе]?\b|\bgm\b|moderator|\(\(", re.IGNORECASE)
"""What is said to the moderator, and not to those in the story."""


_QUOTE: Final = r"(?:«[^«»]+»|“[^“”]+”|\"[^\"]+\")"
_QUOTED: Final = re.compile(rf":\s*{_QUOTE}|{_QUOTE}\s*,?\s*[—–-]\s")
"""What somebody says in a story: «Анна шепчет: «Тише»», ««Тише», — шепчет Анна»."""


def _told(
    view: SetSailView, lines: Sequence[str], prose: Sequence[int], orders: Sequence[ReadOrder]
) -> tuple[ReadOrder, ...]:
    """Return what the pirate says, unless `говорю:` says what is said.

    It is paragraphs of prose that begin with a dash, or name the pirate and quote him: «Анна шепчет: «Тише, черти».»
    """
    own = [word for one in view.state.pirates if one.seat == view.seat for word in words_of(one.name)]

    def says(line: str) -> bool:
        named = bool(_QUOTED.search(line)) and any(declined(word, name) for word in words_of(line) for name in own)
        return named or bool(_SAYS.match(line))

    if any(isinstance(one.order, Say) for one in orders):
        return ()
    places: list[int] = []
    texts: list[str] = []
    for paragraph in _paragraphs(lines, prose, says):
        text = " ".join(" ".join(clean(lines[place]).split()) for place in paragraph)
        if not _OF_THE_TABLE.search(text):
            places += paragraph
            texts.append(text)
    if not places:
        return ()
    said = "\n".join(texts)
    if len(said) > players.MOST_STORY:
        return ()
    return (ReadOrder(order=Say(text=said), lines=tuple(places)),)


def _paragraphs(lines: Sequence[str], prose: Sequence[int], says: Callable[[str], bool]) -> Iterator[list[int]]:
    """Yield the places of paragraphs of speech: what follows without an empty line goes with it."""
    found: list[int] = []
    for place in sorted(prose):
        goes_on = bool(found) and place == found[-1] + 1 and bool(lines[place].strip())
        begins = says(lines[place])
        if found and (begins or not goes_on):
            yield found
            found = []
        if begins or found:
            found.append(place)
    if found:
        yield found


def _joined(orders: Sequence[ReadOrder]) -> list[ReadOrder]:
    """Make one order of what a letter says in several places, and of lines about one roll's outcome."""
    found: dict[str, ReadOrder] = {}
    for one in orders:
        before = found.get(one.order.slot)
        if isinstance(one.order, Say) and before is not None and isinstance(before.order, Say):
            both = Say(text="\n".join(text for text in (before.order.text, one.order.text) if text))
            found[one.order.slot] = ReadOrder(order=both, lines=(*before.lines, *one.lines), notes=before.notes)
        elif isinstance(one.order, Offer) and before is not None:
            found[one.order.slot] = ReadOrder(
                order=one.order, lines=(*before.lines, *one.lines), notes=(*before.notes, *one.notes)
            )
        else:
            found[f"{one.order.slot}/{one.lines[0]}" if before is not None else one.order.slot] = one
    return sorted(found.values(), key=lambda one: one.lines[0])


def _place(line: str, complaint: Complaint) -> tuple[int, int] | None:
    """Return where the word at fault stands in its line."""
    typed = complaint.facts.get("typed")
    if not isinstance(typed, str) or not typed or typed not in line:
        return None
    start = line.index(typed)
    return start, start + len(typed)


def _left_open(order: Order) -> bool:
    """Say whether the dots of an example stand where the writer's own words belong."""
    said = [text for field in ("text", "how") if (text := getattr(order, field, ""))]
    return any(not text.strip(" .…") for text in said)


class _Letter:
    """One letter: its lines are read one after the other, each upon what those before it came to."""

    def __init__(self, view: SetSailView, sheet: Sheet, language: Language) -> None:
        self.view = view
        self.language = language
        self.desk = Desk(view, sheet, language)
        self.handlers = judging.HANDLERS if self.desk.moderator else players.HANDLERS

    # Lines that belong together

    def units(self, lines: Sequence[str]) -> list[_Unit]:
        """Return the lines joined to what is read as one, with the places they come from."""
        found: list[_Unit] = []
        place = 0
        while place < len(lines):
            end, sign = self._extent(lines, place)
            text = sign.join(lines[place:end])
            found.append((tuple(range(place, end)), text))
            place = end
        return found

    def _extent(self, lines: Sequence[str], place: int) -> tuple[int, str]:
        """Return where the unit that begins at a line ends, and what joins its lines."""
        line = unlisted(lines[place])
        head = head_of(line) if not DIALOGUE.match(line) else None
        if head is None:
            return place + 1, " "
        if head.key in ("say", "story", "deck") and line[head.end :].lstrip().startswith(":"):
            return self._block(lines, place, "deck" if head.key == "deck" else "story"), "\n"
        end = place + 1
        if head.key in ("standing", "if") and end < len(lines) and _ELSE.match(lines[end]):
            return end + 1, " "
        if head.key in _TEXTED:
            while end < len(lines) and end - place < _MOST_LINES and self._goes_on(lines[end - 1], lines[end]):
                end += 1
        return end, " "

    def _block(self, lines: Sequence[str], place: int, what: str) -> int:
        """Return where a text of several lines ends: at its end mark, else at an empty line or an order."""
        marks = {fold(word) for word in group("ends")[what]}
        for end in range(place, len(lines)):
            if fold(lines[end]) in marks:
                return end + 1
            if end > place and what == "story" and _opens_story(lines[end]):
                break  # the end mark below it is that one's
        if what == "deck":
            return len(lines)
        end = place + 1
        while end < len(lines) and lines[end].strip() and not self._reads(lines[end]):
            end += 1
        return end

    def _goes_on(self, before: str, line: str) -> bool:
        """Say whether a line goes on with the text of the one before it."""
        text = line.strip()
        if not text or self._reads(line):
            return False
        if _BARE_HEAD.fullmatch(before) and head_of(before):
            return True  # «Заявка:», and what it is in the line below
        wrapped = len(before.strip()) >= _WRAPPED or (not _ENDED.search(before) and text[:1].islower())
        return wrapped or bool(DIALOGUE.match(line))

    def _reads(self, line: str) -> bool:
        """Say whether a line by itself is an order, or might be one."""
        text = unlisted(line)
        if DIALOGUE.match(text) or not (head_of(text) or mended_heads(text)):
            return False
        return self.scratch().line(line, alone=False) is not None

    def scratch(self) -> _Letter:
        """Return a letter that stands where this one does, to try a line on."""
        trial = _Letter(self.view, tuple(self.desk.sheet.values()), self.language)
        trial.desk.last = self.desk.last
        return trial

    # One line

    def line(self, text: str, *, alone: bool) -> ReadOrder | Complaint | None:
        """Return what a unit is: an order with its notes, a complaint without places, None for prose."""
        self.desk.notes = []
        self.desk.numbered = 0
        text = _unmarked(text)
        plain = unlisted(text).strip()
        if not plain:
            return None
        if DIALOGUE.match(text):
            return self._spoken(plain)
        try:
            order = self.order(plain, alone=alone)
        except NotOrder:
            return None
        except Fault as fault:
            return self._complaint(plain, fault)
        return self._taken(order)

    def _taken(self, order: Order) -> ReadOrder:
        desk = self.desk
        before = desk.sheet.get(order.slot)
        if _left_open(order):
            desk.warn("left-open", "1.6")
        notes = list(desk.notes)
        adds = isinstance(before, Say | Offer) and before in desk.taken
        dropped = [before] if before is not None and before != order and not adds else []
        if isinstance(order, StayOut):
            dropped += [
                one
                for one in desk.sheet.values()
                if isinstance(one, Spend) and one.act != "nothing" and one not in desk.taken
            ]
        for one in dropped:
            said = write(one, self.language, self.view)
            notes.append(Note(kind="drops", key="order", rule="1.6", facts={"order": said}))
        desk.sheet[order.slot] = order
        desk.taken.append(order)
        return ReadOrder(order=order, lines=(), notes=tuple(notes))

    def _spoken(self, text: str) -> Complaint | None:
        """Return a question about a line that begins with a dash and goes on as an order."""
        rest = text.lstrip("—–― ").strip()
        head = head_of(rest)
        if head is None or head.key not in _SURE or not rest[head.end :].lstrip(" oо0123456789").startswith(":"):
            return None
        if self.scratch().line(rest, alone=False) is None:
            return None
        return Complaint(kind="ambiguous", key="doubtful", lines=(), rule="1.6", suggestions=(rest,))

    def order(self, text: str, *, alone: bool) -> Order:
        """Return the order a line is. Raises Fault, or NotOrder for prose."""
        number, body = judging.numbered(text) if self.desk.moderator else (None, text)
        head = head_of(body)
        if alone and self._asked(head):
            return players.answer(self.desk, text)
        if head is None and not self.desk.moderator and (told := _TO_MODERATOR.match(body)):
            word = {"ru": "письмо судье", "en": "press to moderator"}[self.language]
            raise Fault("unread", "note-to-moderator", "1.6", lines=(f"{word}: {body[told.end() :]}",))
        if head is None:
            return self._headless(body)
        if len(body) > MOST_CHARACTERS and head.key not in ("say", "story", "deck"):
            raise Fault("not-allowed", "too-long", "1.6", n=len(body), most=MOST_CHARACTERS)
        order = self.headed(head, body)
        return msgspec.structs.replace(order, number=number) if number and hasattr(order, "number") else order

    def _asked(self, head: Head | None) -> bool:
        """Say whether the one line of a letter is the answer to an open question."""
        open_ = any(not question.choices for question in self.view.questions)
        return open_ and (head is None or head.key not in ("fate", "how"))

    def headed(self, head: Head, text: str) -> Order:
        rest = text[head.end :]
        match head.key:
            case "standing":
                return self._standing(rest)
            case "if":
                return self._conditional(text)
            case "bids" if not self.desk.moderator:
                order = lasting.bids(self.desk, rest)
                self.desk.warn("lasts", "1.6")
                return order
            case key if key in self.handlers:
                return self._handled(key, rest, text)
            case key:
                raise self._not_his(key, rest)

    def _conditional(self, text: str) -> Order:
        """Read «если …: …» without «постоянный»: it stands all the same, and the receipt says so."""
        try:
            order = lasting.standing(self.desk, text)
        except Fault:
            if head_of(text.rpartition(":")[2].strip()) is None:
                raise NotOrder from None
            raise
        self.desk.warn("lasts", "1.6")
        return order

    def _standing(self, rest: str) -> Order:
        body = rest.lstrip()
        if not body.startswith(":") and not re.match(r"(?:если|if)\b", body, re.IGNORECASE):
            raise NotOrder
        body = body.lstrip(":").strip()
        try:
            return lasting.standing(self.desk, body)
        except NotOrder:
            offers = lasting.examples()
            raise Fault("unread", "unknown-standing", "1.6", typed=body, offers=offers) from None

    def _handled(self, key: str, rest: str, text: str) -> Order:
        try:
            return self.handlers[key](self.desk, _uncommented(key, rest))
        except Fault as fault:
            if fault.key in ("nothing-to-decide", "no-window", "nothing-asked") and not fault.offers:
                fault.offers = tuple(self._as_standing(text))
            raise

    def _as_standing(self, text: str) -> Iterator[Order]:
        """Yield what a line would be as a word that stands."""
        try:
            yield lasting.standing(Desk(self.view, (), self.language), text)
        except (Fault, NotOrder):
            return

    def _not_his(self, key: str, rest: str) -> Exception:
        """Return why a line of the other side's language is no order here: prose, if it is not wholly one."""
        others = players.HANDLERS if self.desk.moderator else judging.HANDLERS
        try:
            if key not in others:
                return NotOrder()
            others[key](Desk(self.view, (), self.language), rest)
        except NotOrder:
            return NotOrder()
        except Fault:
            sure = key in _SURE and rest.lstrip().startswith(":")
            if not (sure or players.names_somebody(self.desk, rest.partition(":")[0])):
                return NotOrder()
        return Fault("not-allowed", "only-players" if self.desk.moderator else "only-moderator", "P49")

    # Lines without a head

    def _headless(self, text: str) -> Order:
        """Return the one order that a line without a head can be mended to. Raises NotOrder, or Fault if doubtful."""
        if not self.desk.moderator and (declared := self._bare_declaration(text)) is not None:
            return declared
        found: dict[Order, tuple[Note, ...]] = {}
        fault: Fault | None = None
        for candidate, note in _mended(text):
            trial = self.scratch()
            head = head_of(candidate)
            if head is None:
                continue
            try:
                order = trial.headed(head, candidate)
            except NotOrder:
                continue
            except Fault as why:
                if candidate[head.end :].lstrip().startswith(":") and fault is None:
                    fault = why
                continue
            found.setdefault(order, (note, *trial.desk.notes))
        if len(found) == 1:
            ((order, notes),) = found.items()
            self.desk.notes += notes
            return order
        if found:
            raise Fault("ambiguous", "two-readings", offers=tuple(found))
        raise fault or NotOrder

    def _bare_declaration(self, text: str) -> Order | None:
        """Read «Угрожать насилием, дерзость — …» as a declaration; with the move alone it is asked about."""
        parted = at_dash(text) or (tuple(text.split(":", 1)) if ":" in text[:80] else None)
        if parted is None or len(parted[0].split()) > _BARE_WORDS:
            return None
        trial = self.scratch()
        wish, left = players.wished(trial.desk, parted[0], exact=True)
        if left or not wish.move:
            return None
        try:
            order = players.declare(trial.desk, f": {text}")
        except Fault as fault:
            if fault.key in DEMANDS:
                raise
            return None
        if not (wish.stat or wish.chance):
            raise Fault("ambiguous", "doubtful", offers=[order])
        self.desk.notes.append(Note(kind="repaired", key="declaration", facts={"typed": parted[0], "read": parted[0]}))
        return players.declare(self.desk, f": {text}")

    # Complaints

    def _complaint(self, text: str, fault: Fault) -> Complaint:
        lines = [*self._offered(text, fault), *fault.lines]
        facts = fault.facts | ({"numbered": self.desk.numbered} if self.desk.numbered else {})
        return Complaint(
            kind=fault.kind,
            key=fault.key,
            lines=(),
            rule=fault.rule,
            facts=facts,
            suggestions=tuple(dict.fromkeys(lines))[:MOST_OFFERS],
        )

    def _offered(self, text: str, fault: Fault) -> Iterator[str]:
        """Yield lines that could be sent instead: each is read as an order here."""
        typed = fault.facts.get("typed")
        for word in fault.instead:
            if isinstance(typed, str) and typed and typed in text:
                yield from self._tried(text.replace(typed, word, 1))
            elif not typed:
                head = head_of(text)
                yield from self._tried(f"{text[: head.end]} {word}{text[head.end :]}" if head else text)
        for offer in fault.offers:
            if isinstance(offer, str):
                yield from self._tried(offer.replace("{line}", text))
            else:
                yield write(offer, self.language, self.view)

    def _tried(self, line: str) -> Iterator[str]:
        trial = self.scratch()
        try:
            trial.order(line, alone=False)
        except (Fault, NotOrder):
            return
        yield line


def _opens_story(line: str) -> bool:
    """Say whether a line begins a text of several lines: «рассказ:», «говорю:»."""
    head = head_of(line)
    return head is not None and head.key in ("say", "story") and line[head.end :].lstrip().startswith(":")


def _mended(text: str) -> Iterator[tuple[str, Note]]:
    """Yield a line with its first word mended, and what its keys give in the other layout."""
    for head in mended_heads(text):
        start = text.index(head.typed)
        note = Note(kind="repaired", key=head.how, facts={"typed": head.typed, "read": head.read})
        yield text[:start] + head.read + text[start + len(head.typed) :], note
    for other in layouts(text):
        if head_of(other) is not None:
            facts = {"typed": text[:80].strip(), "read": other[:80].strip()}
            yield other, Note(kind="repaired", key="layout", facts=facts)


def _unmarked(text: str) -> str:
    """Return a block without its end mark."""
    first, *rest = text.split("\n")
    marks = {fold(word) for words in group("ends").values() for word in words}
    return "\n".join([first, *(line for line in rest if fold(line) not in marks)]) if rest else text


_COMMENT: Final = re.compile(r"(?:^|\s)//|#(?!\d)")


def _uncommented(key: str, rest: str) -> str:
    """Return the rest of a line without its comment; prose and lists of effects are taken whole (play-by-mail 2)."""
    if key in _TEXTED or key in ("say", "story", "deck", "sheet", "undo", "note", "secret", "exposed", "effect"):
        return rest
    found = _COMMENT.search(rest)
    return rest[: found.start()] if found else rest

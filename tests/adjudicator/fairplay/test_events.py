"""The closed list of events: what a line must have, and that it is written as it is read."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from adjudicator.fairplay.events import (
    TYPES,
    Absence,
    AbsencePart,
    Anchor,
    Answer,
    AnyEvent,
    Beacon,
    Burn,
    Deadline,
    Dispute,
    Finish,
    Genesis,
    Invite,
    Join,
    Lock,
    LogEvent,
    Look,
    Open,
    Order,
    OrdersPart,
    Phrase,
    Posted,
    Press,
    PressPart,
    Question,
    Rekey,
    RekeyChain,
    Replay,
    Restored,
    Result,
    Rollback,
    Ruling,
    Tenure,
    Void,
    read_event,
    write_event,
)
from adjudicator.fairplay.log import canon

HASH = "ab" * 32
AT = "2026-01-09T20:00:00Z"

EVENTS: list[AnyEvent] = [
    Genesis(
        seq=1,
        at=AT,
        campaign="pirates-7-5fd20c1e",
        ruleset="pirates",
        revision=1,
        edition="classic",
        options={"mode": "sealed"},
        seats=("spain-1", "pirates-1"),
        anchors={"main": HASH, "gold": HASH},
        n=4096,
        mode="salts",
        open_orders="turn",
        data={"name": "Атлантика"},
    ),
    Anchor(seq=2, at=AT, stream="deck-2", anchor=HASH, n=64),
    Invite(seq=2, at=AT, number=1, seat="spain-1"),
    Join(seq=2, at=AT, player="p1", seat="spain-1"),
    Open(seq=2, at=AT, turn=1, batch=3, roster=("pirates-1", "spain-1"), deadline=AT, round=27946612),
    Phrase(seq=2, at=AT, turn=None, batch=1, private=HASH),
    Order(seq=2, at=AT, turn=1, batch=3, private=HASH, seat="spain-1"),
    Lock(
        seq=2,
        at=AT,
        turn=1,
        batch=3,
        streams={"main": 3},
        rows={"main": {"spain-1": HASH, "pirates-1": "-"}},
        phrases={"spain-1": "йо-хо-хо"},
        mails=(HASH,),
        rulings=(17,),
        private={"spain-1": HASH, "gold": HASH},
    ),
    Beacon(seq=2, at=AT, turn=1, lock=9, round=27946612, value="-"),
    Question(
        seq=2, at=AT, turn=1, batch=4, group=1, seats=("spain-1",), roster=("spain-1",), private={"spain-1": HASH}
    ),
    Answer(seq=2, at=AT, turn=1, batch=4, private=HASH),
    Result(
        seq=2,
        at=AT,
        turn=1,
        revision=1,
        batches=(3, 4),
        seeds={"main": {"3": HASH, "4": HASH}},
        entropy={"main": {"3": HASH, "4": HASH}},
        dice=(("main", 3, "wind/x1/rhumb/0", 8, 7),),
        events=({"type": "wind-spun", "rhumb": "W"},),
        replay=1,
        seats={"spain-1": "p1"},
        outcome={"reason": "cadiz"},
        private={"spain-1": HASH},
    ),
    Ruling(seq=2, at=AT, turn=1, text="ветер прежний", options={"bend": "yes"}, dice=(("main", 3, "a/b/c/0", 6, 1),)),
    Look(seq=2, at=AT, turn=None, who="operator", what="state"),
    Deadline(seq=2, at=AT, turn=1, batch=3, deadline=AT, reason="outage", round=27946612),
    Absence(seq=2, at=AT, turn=1, private=HASH),
    Press(seq=2, at=AT, turn=1, private=HASH),
    Tenure(seq=2, at=AT, turn=1, seat="spain-1", reason="substitute", player="p3"),
    Dispute(seq=2, at=AT, turn=1, state="open", seat="spain-1", private=HASH),
    Replay(seq=2, at=AT, turn=1, replay=1, result=11, reason="строка прочтена неверно", private={"spain-1": HASH}),
    Void(seq=2, at=AT, turn=1, reason="сбой почты", assent=("spain-1",)),
    Burn(seq=2, at=AT, seeds={"main": {"5": HASH}}, reason="void"),
    Rollback(seq=2, at=AT, turn=1, reason="ошибка судьи", keep=True),
    Rekey(seq=2, at=AT, chains={"main": RekeyChain(anchor=HASH, after=5, n=4096)}, reason="ключ утрачен"),
    Restored(seq=2, at=AT, pin=9, head=HASH),
    Posted(seq=2, at=AT, turn=1, place="forum", text=HASH),
    Finish(seq=2, at=AT, reason="outcome", seeds={"gold": {"1": HASH}}, outcome={"reason": "cadiz"}),
]


def test_list_of_types_is_closed() -> None:
    spoken = (
        "genesis anchor invite join open phrase order lock beacon question answer result ruling look deadline absence "
        "press tenure dispute replay void burn rollback rekey restored posted finish"
    )

    assert list(TYPES) == spoken.split()
    assert [event.__struct_config__.tag for event in EVENTS] == spoken.split()


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__struct_config__.tag)
def test_event_read_is_the_event_written(event: AnyEvent) -> None:
    line = canon(write_event(event))

    assert read_event(json.loads(line)) == event
    assert canon(write_event(read_event(json.loads(line)))) == line


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__struct_config__.tag)
def test_event_takes_no_field_that_is_not_its_own(event: AnyEvent) -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `name`"):
        read_event({**write_event(event), "name": "Анна"})


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__struct_config__.tag)
def test_every_type_is_documented(event: AnyEvent) -> None:
    assert isinstance(event, LogEvent)
    assert (type(event).__doc__ or "").strip()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seq": 0}, "seq"),
        ({"seq": None}, "seq"),
        ({"at": "2026-01-09 20:00:00"}, "at"),
        ({"at": "2026-01-09T20:00:00Z\n"}, "at"),
        ({"batch": 0}, "batch"),
        ({"batch": "3"}, "batch"),
        ({"private": "AB" * 32}, "private"),
        ({"private": None}, "private"),
        ({"seat": "Spain 1"}, "seat"),
        ({"type": "batch_result"}, "type"),
    ],
)
def test_order_of_another_form_is_refused(changes: dict[str, Any], why: str) -> None:
    plain = {**write_event(EVENTS[6]), **changes}

    with pytest.raises(msgspec.ValidationError, match=why):
        read_event(plain)


@pytest.mark.parametrize("field", ["seq", "at", "type", "turn", "batch", "private"])
def test_order_without_a_field_it_needs_is_refused(field: str) -> None:
    plain = write_event(EVENTS[6])
    del plain[field]

    with pytest.raises(msgspec.ValidationError, match=field):
        read_event(plain)


def test_parts_bear_the_names_of_the_format() -> None:
    assert msgspec.to_builtins(OrdersPart(orders=({"type": "ship"},), origins=("standing",))) == {
        "orders": ({"type": "ship"},),
        "from": ("standing",),
    }
    assert msgspec.to_builtins(PressPart(writer="spain-1", readers=("*",), text="…")) == {
        "from": "spain-1",
        "to": ("*",),
        "text": "…",
    }
    assert msgspec.to_builtins(AbsencePart(seat="spain-1", first="2026-12-03", last="2026-12-10")) == {
        "seat": "spain-1",
        "from": "2026-12-03",
        "to": "2026-12-10",
    }

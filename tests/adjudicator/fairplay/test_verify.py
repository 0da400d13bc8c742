"""The check of a log: its verdicts, and that whatever is forged is found where it stands."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.fairplay.chain import BEACON_CHAIN, chain
from adjudicator.fairplay.events import Anchor, Beacon, Finish, Join, Lock, Order, Tenure
from adjudicator.fairplay.log import NO_HEAD, Opening, Pin, canon, commitment, link, write_log, write_pin
from adjudicator.fairplay.scribe import Scribe
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import Report, verify
from tests.adjudicator.fairplay.table import CAMPAIGN, Table, whole_game
from tests.adjudicator.fairplay.toy import TOY

RULESETS = {"toy": TOY}


def check(log: bytes, *pasted: str) -> Report:
    """Check one log file, with reports that were pasted beside it."""
    pins = [source for number, text in enumerate(pasted) for source in read_source(f"{number}.txt", text.encode())]
    return verify([*read_source("log.jsonl", log), *pins], RULESETS)


def verdicts(report: Report) -> list[str]:
    return [turn.verdict for turn in report.turns]


def lines_of(report: Report) -> list[tuple[str, int]]:
    """Return the faults as kind and line."""
    return [(fault.kind, fault.place.line) for fault in report.faults if fault.place]


def begun(hold: int | None = None) -> Table:
    table = Table()
    table.begin()
    if hold is not None:
        table.hide(hold)
    return table


# Verdicts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", range(8))
@pytest.mark.parametrize("hold", [0, 2])
def test_whole_game_is_replayed(secret: int, hold: int) -> None:
    report = check(whole_game(secret, hold).file())

    assert report.faults == ()
    assert verdicts(report) == ["replayed"] * 4
    assert [turn.turn for turn in report.turns] == [None, 0, 1, 2]
    assert (report.replayed, report.finished, report.sealed, report.pinned) == (True, True, (), 1)


def test_games_of_these_tests_ask_and_throw_from_the_batch_of_the_answer() -> None:
    batches = [event["batches"] for event in whole_game(10).events if event["type"] == "result"]

    assert batches == [[1], [2], [3, 4], [5, 6, 7]]


def value(number: int) -> str:
    return f"drand:{BEACON_CHAIN}:{number}:{sha256(b'%d' % number).hexdigest()}"


def test_game_by_beacon_is_replayed_and_shows_its_rounds() -> None:
    game = whole_game(beacon=value)
    report = check(game.file())

    assert (report.faults, verdicts(report)) == ((), ["replayed"] * 4)
    assert list(report.beacons) == [value(event["round"]) for event in game.events if event["type"] == "lock"]
    assert not any(turn.weak for turn in report.turns)


def test_turn_to_which_nobody_sent_a_phrase_is_weak() -> None:
    assert [turn.weak for turn in check(whole_game(2).file()).turns] == [False, True, False, False]


def test_turns_wait_for_the_secret_they_rest_on() -> None:
    game = whole_game(hold=0)

    report = check(game.file(lambda opening: opening.part != "cargo"))

    assert (report.faults, verdicts(report)) == ((), ["replayed", "dice checked", "dice checked", "dice checked"])
    assert [turn.missing for turn in report.turns] == [(), ("orders 10/cargo",), ("position",), ("position",)]
    assert [(sealed.seq, sealed.type, sealed.part) for sealed in report.sealed] == [
        (8, "result", "cargo"),
        (10, "lock", "cargo"),
        (11, "result", "cargo"),
        (15, "result", "cargo"),
    ]


def test_turn_left_to_the_lot_waits_for_the_stream() -> None:
    game = begun(hold=0)

    assert [turn.missing for turn in check(game.file()).turns] == [(), ("stream cargo",)]


def test_turn_waits_for_the_orders_of_each_seat() -> None:
    game = whole_game()

    report = check(game.file(lambda opening: opening.part != "crew-2"))

    assert [turn.missing for turn in report.turns] == [(), (), ("orders 14/crew-2",), ("position",)]


def test_sealed_cargo_is_nowhere_in_the_file() -> None:
    game = begun(hold=2)
    sealed = game.file(lambda opening: opening.part != "cargo" and opening.seq != 11)

    assert b'{"hold":2}' in game.file()
    assert b'{"hold":2}' not in sealed
    assert b'"hidden"' in game.file()
    assert b'"hidden"' not in sealed


def test_chosen_and_drawn_cargo_look_alike_while_sealed() -> None:
    shapes = []
    for hold in (0, 2):
        game = begun(hold=hold)
        shapes.append([sorted(event.get("private", {})) for event in game.events])

    assert shapes[0] == shapes[1]


@pytest.mark.parametrize(("rulesets", "missing"), [({}, "ruleset"), ({"toy": "older"}, "program")])
def test_turns_are_not_replayed_without_the_rules(rulesets: dict[str, Any], missing: str) -> None:
    class Older(type(TOY)):  # type: ignore[misc]
        @property
        def info(self) -> Any:
            return msgspec.structs.replace(TOY.info, revision=1)

    known = {name: Older() for name in rulesets}
    report = verify(read_source("log.jsonl", whole_game().file()), known)

    assert (report.faults, verdicts(report)) == ((), ["dice checked"] * 4)
    assert report.turns[0].missing == (missing,)


# Parts and pins -------------------------------------------------------------------------------------------------------


def parts_of(game: Scribe, *ends: int) -> list[bytes]:
    """Return the log in parts that end at these events, each with the openings of its events, as reports bring it."""
    parts, begin, head = [], 0, NO_HEAD
    for end in ends:
        events = game.events[begin:end]
        for event in events:
            head = link(head, event)
        openings = [opening for opening in game.openings if begin < opening.seq <= end]
        parts.append(write_log(events, openings, Pin(end, head)))
        begin = end
    return parts


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (2, 1, 0)])
@pytest.mark.parametrize("joined", [False, True])
def test_parts_are_taken_in_any_order(order: tuple[int, ...], *, joined: bool) -> None:
    game = whole_game()
    parts = parts_of(game, 9, 15, len(game.events))
    shuffled = [parts[place] for place in order]
    files = [b"".join(shuffled)] if joined else shuffled

    report = verify(
        [source for number, data in enumerate(files) for source in read_source(f"{number}", data)], RULESETS
    )

    assert (report.faults, verdicts(report), report.pinned) == ((), ["replayed"] * 4, 3)


def test_part_that_is_missing_is_a_gap_before_the_next_line() -> None:
    game = whole_game()
    parts = parts_of(game, 9, 15, len(game.events))

    report = verify([*read_source("a", parts[0]), *read_source("c", parts[2])], RULESETS)

    (gap,) = report.faults
    assert (gap.kind, gap.place and gap.place.source, gap.place and gap.place.line) == ("gap", "c", 1)
    assert (gap.first, gap.last) == (10, 15)
    assert verdicts(report) == ["replayed", "broken"]


def test_pasted_pins_are_compared() -> None:
    game = whole_game()
    head = NO_HEAD
    heads = {}
    for event in game.events:
        head = heads[event["seq"]] = link(head, event)
    genuine = write_pin(Pin(9, heads[9], CAMPAIGN), Pin(4, heads[4]))
    other = write_pin(Pin(9, heads[8], CAMPAIGN))
    later = write_pin(Pin(500, heads[8], CAMPAIGN))

    assert check(game.file(), genuine, later).faults == ()
    assert (check(game.file(), genuine, later).pinned, check(game.file(), genuine, later).beyond) == (3, 1)
    (fault,) = check(game.file(), other).faults
    assert (fault.kind, fault.place and fault.place.source, fault.first, fault.last) == ("pin", "0.txt", 1, 9)


def test_other_log_shown_to_another_reader_is_a_fork() -> None:
    game = whole_game()
    forged = edited(game, 9, later_deadline)

    report = verify([*read_source("anna", game.file()), *read_source("boris", forged)], RULESETS)

    assert ("fork", "boris", 9) in [(f.kind, f.place.source, f.place.line) for f in report.faults if f.place]


def test_nothing_is_no_log() -> None:
    for text in (b"", b"{}\n", b"hello"):
        assert "empty" in [fault.kind for fault in check(text).faults]


# Forgeries ------------------------------------------------------------------------------------------------------------


def edited(game: Scribe, seq: int, edit: Callable[[dict[str, Any]], object], *, honest_pin: bool = False) -> bytes:
    """Return the log with one event forged, and chain and pin made anew unless the forger cannot (``honest_pin``)."""
    events = json.loads(canon(game.events))
    edit(events[seq - 1])
    head = NO_HEAD
    for event in game.events if honest_pin else events:
        head = link(head, event)
    return write_log(events, game.openings, Pin(len(events), head))


def later_deadline(event: dict[str, Any]) -> None:
    event["deadline"] = "2027-01-01T00:00:00Z"


def forged_die(event: dict[str, Any]) -> None:
    event["dice"][0][4] = event["dice"][0][4] % 6 + 1


def forged_address(event: dict[str, Any]) -> None:
    event["dice"][0][2] = "crew-9/o1/main/0"


def die_left_out(event: dict[str, Any]) -> None:
    event["dice"].pop()


def forged_seed(event: dict[str, Any]) -> None:
    event["seeds"]["main"]["3"] = "00" * 32


def forged_entropy(event: dict[str, Any]) -> None:
    event["entropy"]["main"]["3"] = "00" * 32


def forged_event(event: dict[str, Any]) -> None:
    event["events"][0]["face"] += 1


def event_left_out(event: dict[str, Any]) -> None:
    event["events"].pop()


def forged_outcome(event: dict[str, Any]) -> None:
    event["outcome"]["winners"] = ["crew-1", "crew-2", "crew-3"]


def forged_phrase(event: dict[str, Any]) -> None:
    event["phrases"]["crew-1"] = "другая соль"


def forged_row(event: dict[str, Any]) -> None:
    event["rows"]["main"]["crew-2"] = "11" * 32


def row_left_out(event: dict[str, Any]) -> None:
    del event["rows"]["main"]["crew-2"]


def phrase_and_row(event: dict[str, Any]) -> None:
    event["phrases"]["crew-1"] = "другая соль"
    event["rows"]["main"]["crew-1"] = sha256("другая соль".encode()).hexdigest()


def roster_left_out(event: dict[str, Any]) -> None:
    event["roster"].remove("crew-2")


def other_seats(event: dict[str, Any]) -> None:
    event["seats"]["crew-1"], event["seats"]["crew-3"] = event["seats"]["crew-3"], event["seats"]["crew-1"]


def same_batch_again(event: dict[str, Any]) -> None:
    event["batch"], event["streams"] = 2, {"main": 2}


def mails_unsorted(event: dict[str, Any]) -> None:
    event["mails"] = ["bb" * 32, "aa" * 32]


@dataclass(frozen=True)
class Forgery:
    """A forged event, the faults it gives (kind and line), and the turns that are broken by it."""

    seq: int
    edit: Callable[[dict[str, Any]], None]
    faults: list[tuple[str, int]]
    broken: list[int]

    def __str__(self) -> str:
        return f"{self.seq}-{self.edit.__name__}"


def other_anchor(event: dict[str, Any]) -> None:
    event["anchors"]["main"] = "00" * 32


def other_wish(event: dict[str, Any]) -> None:
    event["seat"] = "crew-1"


def other_player(event: dict[str, Any]) -> None:
    event["player"] = "p7"


def outcome_left_out(event: dict[str, Any]) -> None:
    del event["outcome"]


def unknown_type(event: dict[str, Any]) -> None:
    event["type"] = "verdict"


def unknown_field(event: dict[str, Any]) -> None:
    event["colour"] = "red"


def die_of_another_batch(event: dict[str, Any]) -> None:
    """Add a die that shows what it must, but belongs to a turn that is over: somebody knew it beforehand."""
    first = next(one for one in whole_game().events if one["type"] == "result")
    event["dice"].append(first["dice"][0])


def seed_left_out(event: dict[str, Any]) -> None:
    event["seeds"], event["entropy"] = {}, {}


def batch_not_among_streams(event: dict[str, Any]) -> None:
    event["batch"] = None


def genesis_again(event: dict[str, Any]) -> None:
    first = whole_game().events[0]
    event.clear()
    event.update({**first, "seq": 2})


def no_genesis(event: dict[str, Any]) -> None:
    event.clear()
    event.update(at="2026-01-05T18:00:00Z", number=1, seq=1, type="invite")


def null_spelled_out(event: dict[str, Any]) -> None:
    event["seat"] = None


FORGERIES = [
    Forgery(1, other_anchor, [("seed", 8), ("seed", 11), ("seed", 15), ("seed", 19)], [0, 1, 2, 3]),
    Forgery(4, other_wish, [("dice", 8)], [0]),
    Forgery(4, other_player, [("join", 4), ("rows", 7), ("rows", 7), ("seats", 8)], [0]),
    Forgery(4, null_spelled_out, [("form", 4)], [0]),
    Forgery(8, other_seats, [("seats", 8)], [0]),
    Forgery(8, forged_die, [("die", 8), ("dice", 8)], [0]),
    Forgery(9, roster_left_out, [("roster", 9), ("rows", 10)], [1]),
    Forgery(10, mails_unsorted, [("mails", 10)], [1]),
    Forgery(14, forged_phrase, [("phrase", 13), ("phrase", 14)], [2]),
    Forgery(14, phrase_and_row, [("phrase", 13), ("entropy", 15), *[("die", 15)] * 3, ("events", 15)], [2]),
    Forgery(14, forged_row, [("entropy", 15), *[("die", 15)] * 3, ("events", 15), ("outcome", 19)], [2, 3]),
    Forgery(14, row_left_out, [("rows", 14), ("entropy", 15), ("die", 15), ("events", 15)], [2]),
    Forgery(14, batch_not_among_streams, [("lock", 14)], [2]),
    Forgery(14, same_batch_again, [("batch-again", 14), ("not-locked", 15)], [2]),
    Forgery(15, forged_die, [("die", 15), ("dice", 15)], [2]),
    Forgery(15, forged_address, [("die", 15), ("dice", 15)], [2]),
    Forgery(15, die_of_another_batch, [("die", 15), ("dice", 15)], [2]),
    Forgery(15, die_left_out, [("dice", 15)], [2]),
    Forgery(15, forged_seed, [("seed", 15)], [2]),
    Forgery(15, seed_left_out, [("no-seed", 15)], [2]),
    Forgery(15, forged_entropy, [("entropy", 15)], [2]),
    Forgery(15, forged_event, [("events", 15)], [2]),
    Forgery(15, event_left_out, [("events", 15)], [2]),
    Forgery(19, forged_outcome, [("outcome", 19)], [3]),
    Forgery(19, outcome_left_out, [("outcome", 19)], [3]),
    Forgery(19, unknown_type, [("form", 19)], []),
    Forgery(19, unknown_field, [("form", 19)], []),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery_by_the_service_itself_is_found_where_it_stands(forgery: Forgery) -> None:
    report = check(edited(whole_game(), forgery.seq, forgery.edit))

    assert lines_of(report) == forgery.faults
    assert [place for place, verdict in enumerate(verdicts(report)) if verdict == "broken"] == forgery.broken


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery_by_anybody_else_breaks_the_pin_too(forgery: Forgery) -> None:
    report = check(edited(whole_game(), forgery.seq, forgery.edit, honest_pin=True))

    assert sorted(lines_of(report)) == sorted([*forgery.faults, ("pin", len(whole_game().file().splitlines()))])
    assert set(verdicts(report)) == {"broken"}


def test_broken_turn_names_its_own_line_before_that_of_the_pin() -> None:
    report = check(edited(whole_game(), 15, forged_die, honest_pin=True))

    lines = [(turn.fault.kind, turn.fault.place.line) for turn in report.turns if turn.fault and turn.fault.place]
    pin = len(whole_game().file().splitlines())
    assert lines == [("pin", pin), ("pin", pin), ("die", 15), ("pin", pin)]


def test_forgery_between_two_pins_leaves_the_other_turns_whole() -> None:
    game = whole_game()
    parts = parts_of(game, 9, 15, len(game.events))
    parts[1] = parts[1].replace(b'"at":"2026-01-05T18:26:00Z"', b'"at":"2026-01-05T18:27:00Z"')

    report = verify(
        [source for number, data in enumerate(parts) for source in read_source(f"{number}", data)], RULESETS
    )

    assert [(fault.kind, fault.first, fault.last) for fault in report.faults] == [("pin", 10, 15)]
    assert verdicts(report) == ["replayed", "broken", "broken", "replayed"]


def test_forged_order_in_an_opening_does_not_fit() -> None:
    log = whole_game().file()
    lines = log.split(b"\n")
    number = next(place for place, text in enumerate(lines, 1) if b'"open":14,"part":"crew-2"' in text)
    lines[number - 1] = lines[number - 1].replace(b'"hold":1', b'"hold":2')

    report = check(b"\n".join(lines))

    assert [(fault.kind, fault.place and fault.place.line, fault.first) for fault in report.faults] == [
        ("opening", number, 14)
    ]
    assert verdicts(report) == ["replayed", "replayed", "broken", "dice checked"]


def test_order_forged_together_with_its_commitment_does_not_give_the_result() -> None:
    game = whole_game()
    opening = next(one for one in game.openings if (one.seq, one.part) == (14, "crew-2"))
    forged = Opening(14, opening.salt, {"from": ["sent"], "orders": [{"hold": 3, "type": "search"}]}, "crew-2")
    game.openings[game.openings.index(opening)] = forged
    committed = commitment(bytes.fromhex(opening.salt), forged.object)

    report = check(edited(game, 14, lambda event: event["private"].update({"crew-2": committed})))

    assert lines_of(report) == [("events", 15), ("outcome", 19)]


def test_forged_orders_on_which_the_rules_break_down_are_a_fault_and_no_crash() -> None:
    game = whole_game()
    opening = next(one for one in game.openings if (one.seq, one.part) == (14, "crew-2"))
    forged = Opening(14, opening.salt, {"from": [], "orders": []}, "crew-2")
    game.openings[game.openings.index(opening)] = forged
    committed = commitment(bytes.fromhex(opening.salt), forged.object)

    report = check(edited(game, 14, lambda event: event["private"].update({"crew-2": committed})))

    assert lines_of(report) == [("raised", 15)]


def test_secret_die_forged_together_with_its_commitment_does_not_follow_from_its_stream() -> None:
    game = whole_game(hold=0)
    opening = next(one for one in game.openings if (one.seq, one.part) == (11, "cargo"))
    (die,) = opening.object["dice"]
    forged = Opening(11, opening.salt, {"dice": [[*die[:4], die[4] % 3 + 1]]}, "cargo")
    game.openings[game.openings.index(opening)] = forged
    committed = commitment(bytes.fromhex(opening.salt), forged.object)

    report = check(edited(game, 11, lambda event: event["private"].update({"cargo": committed})))

    assert lines_of(report) == [("die", 11), ("dice", 11)]


def test_private_events_forged_together_with_their_commitment_are_found_by_playing_again() -> None:
    game = whole_game()
    opening = next(one for one in game.openings if (one.seq, one.part) == (15, "crew-2"))
    ((place, told),) = opening.object["events"]
    forged = Opening(15, opening.salt, {"events": [[place, {**told, "cargo": True}]]}, "crew-2")
    game.openings[game.openings.index(opening)] = forged
    committed = commitment(bytes.fromhex(opening.salt), forged.object)

    report = check(edited(game, 15, lambda event: event["private"].update({"crew-2": committed})))

    assert lines_of(report) == [("events", 15)]


def test_part_left_out_of_a_result_is_noticed() -> None:
    game = whole_game()
    game.openings = [one for one in game.openings if (one.seq, one.part) != (15, "crew-2")]

    report = check(edited(game, 15, lambda event: event["private"].pop("crew-2")))

    assert lines_of(report) == [("events", 15)]


def test_turn_that_asks_and_was_published_without_an_answer_is_noticed() -> None:
    game = whole_game(10)
    seq = next(event["seq"] for event in game.events if event.get("batches") == [3, 4])

    report = check(edited(game, seq, lambda event: event["batches"].pop()))

    assert ("asks", seq) in lines_of(report)


@pytest.mark.parametrize(("seq", "edit"), [(1, no_genesis), (2, genesis_again)])
def test_genesis_comes_first_and_once(seq: int, edit: Callable[[dict[str, Any]], None]) -> None:
    report = check(edited(whole_game(), seq, edit))

    assert ("genesis", seq) in lines_of(report)


def test_beacon_has_one_value() -> None:
    table = whole_game(beacon=value)
    first = next(event for event in table.events if event["type"] == "beacon")
    again = Beacon(at=table._at(), turn=None, lock=first["lock"], round=first["round"], value=first["value"])
    table._enter(again)

    assert lines_of(check(table.file())) == [("beacon", table.book.seq)]


def test_opening_of_a_part_there_is_not_is_a_stray() -> None:
    game = whole_game()
    lines = game.file().decode().split("\n")
    lines.insert(20, '{"object":{},"open":14,"part":"crew-9","salt":"00"}')
    lines.insert(21, '{"object":{},"open":99,"salt":"00"}')

    report = check("\n".join(lines).encode())

    assert lines_of(report) == [
        ("stray-opening", 21),
        ("stray-opening", 22),
    ]


@pytest.mark.parametrize("cut", range(1, 20))
def test_line_cut_out_is_a_gap_before_the_next(cut: int) -> None:
    lines = whole_game().file().split(b"\n")
    del lines[cut - 1]

    report = check(b"\n".join(lines))

    gaps = [(f.first, f.last, f.place.line) for f in report.faults if f.kind == "gap" and f.place]
    assert gaps == [(cut, cut, cut)]
    assert not report.sound


def test_end_cut_off_is_noticed_by_the_pin() -> None:
    lines = whole_game().file().split(b"\n")
    del lines[18:20]

    report = check(b"\n".join(lines))

    cuts = [(f.first, f.last) for f in report.faults if f.kind == "cut"]
    assert cuts == [(19, 20)]


@pytest.mark.parametrize("place", range(1, 20))
def test_lines_that_changed_places_are_out_of_order(place: int) -> None:
    lines = whole_game().file().split(b"\n")
    lines[place - 1], lines[place] = lines[place], lines[place - 1]

    report = check(b"\n".join(lines))

    assert lines_of(report) == [("reordered", place + 1)]


@pytest.mark.parametrize("place", [10, 14])
def test_events_that_changed_numbers_break_the_pin(place: int) -> None:
    events = json.loads(canon(whole_game().events))
    events[place - 1]["seq"], events[place]["seq"] = place + 1, place
    events[place - 1], events[place] = events[place], events[place - 1]
    lines = whole_game().file().split(b"\n")
    lines[: len(events)] = [canon(event) for event in events]

    report = check(b"\n".join(lines))

    assert "pin" in [fault.kind for fault in report.faults]


WHOLE = whole_game().file()
"""The log of the property tests."""


def same_lines(one: bytes, other: bytes) -> bool:
    """Say whether two files hold the same lines; empty ones and the kind of line end say nothing."""
    return [text for text in one.replace(b"\r\n", b"\n").split(b"\n") if text] == [
        text for text in other.replace(b"\r\n", b"\n").split(b"\n") if text
    ]


@settings(derandomize=True, max_examples=400, deadline=None)
@given(place=st.integers(0, len(WHOLE) - 1), byte=st.integers(0, 255), how=st.sampled_from(["change", "insert", "cut"]))
def test_any_single_byte_is_noticed(place: int, byte: int, how: str) -> None:
    end = place if how == "insert" else place + 1
    altered = WHOLE[:place] + (b"" if how == "cut" else bytes([byte])) + WHOLE[end:]

    report = verify(read_source("log.jsonl", altered))

    assert report.sound == same_lines(altered, WHOLE)


def test_every_byte_of_a_pin_and_of_an_event_counts() -> None:
    first, last = WHOLE.index(b"\n") + 1, WHOLE.rindex(b'{"head"')
    places = [*range(first, WHOLE.index(b"\n", first)), *range(last, len(WHOLE) - 1)]

    unnoticed = [place for place in places if verify(read_source("a", flipped(place))).sound]

    assert unnoticed == []


def flipped(place: int) -> bytes:
    return WHOLE[:place] + bytes([WHOLE[place] ^ 1]) + WHOLE[place + 1 :]


SCALARS = st.none() | st.booleans() | st.integers(-5, 1 << 40) | st.sampled_from(["", "-", "main", "crew-1", "ab" * 32])


@settings(derandomize=True, max_examples=150, deadline=None)
@given(data=st.data())
def test_whatever_is_forged_the_check_gives_a_report(data: st.DataObject) -> None:
    game = whole_game(10, 0)
    seq = data.draw(st.integers(1, len(game.events)))

    def forge(event: dict[str, Any]) -> None:
        node: Any = event
        while True:
            key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else list(range(len(node)))))
            if isinstance(node[key], dict | list) and node[key] and data.draw(st.booleans()):
                node = node[key]
                continue
            if key != "seq" or node is not event:
                node[key] = data.draw(
                    SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.just("main"), SCALARS)
                )
            return

    honest = data.draw(st.booleans())
    log = edited(game, seq, forge, honest_pin=honest)
    report = check(log)

    assert len(game.events) - report.events in (0, 1)
    assert report.sound == (log == game.file()) or not honest


def other_value(event: dict[str, Any]) -> None:
    event["value"] = value(event["round"])[:-64] + "00" * 32


def value_of_another_round(event: dict[str, Any]) -> None:
    event["value"] = value(event["round"] + 1)


def value_never_given(event: dict[str, Any]) -> None:
    del event["value"]


def another_round(event: dict[str, Any]) -> None:
    event["round"] += 1


def decided_in_the_past(event: dict[str, Any]) -> None:
    event["round"] -= 1000
    event["decided"] = "2026-01-05T17:26:00Z"


def phrase_besides_the_beacon(event: dict[str, Any]) -> None:
    event["rows"]["main"]["crew-2"] = "11" * 32


def round_without_deadline(event: dict[str, Any]) -> None:
    event["round"] = 27946612


BEACON_FORGERIES = [
    Forgery(10, other_value, [("entropy", 11)], [1]),
    Forgery(10, value_of_another_round, [("beacon", 10), ("beacon", 11)], [1]),
    Forgery(10, value_never_given, [("round-past", 10), ("beacon", 11)], [1]),
    Forgery(10, another_round, [("beacon", 10), ("beacon", 11)], [1]),
    Forgery(9, another_round, [("round", 9), ("beacon", 10), ("beacon", 11)], [1]),
    Forgery(9, decided_in_the_past, [("round-past", 9), ("beacon", 10), ("beacon", 11)], [1]),
    Forgery(9, phrase_besides_the_beacon, [("mixed", 9), ("entropy", 11)], [1]),
    Forgery(8, round_without_deadline, [("round", 8)], [1]),
]


@pytest.mark.parametrize("forgery", BEACON_FORGERIES, ids=str)
def test_beacon_forged_by_the_service_is_found_where_it_stands(forgery: Forgery) -> None:
    report = check(edited(whole_game(beacon=value), forgery.seq, forgery.edit))

    assert lines_of(report) == forgery.faults
    assert [place for place, verdict in enumerate(verdicts(report)) if verdict == "broken"] == forgery.broken


# Corrections ----------------------------------------------------------------------------------------------------------


def test_void_turn_is_played_anew_from_a_new_batch() -> None:
    table = begun(hold=2)
    table.search()
    table.void()
    table.search()

    report = check(table.file())

    assert (report.faults, verdicts(report)) == ((), ["replayed"] * 4)
    assert [turn.turn for turn in report.turns] == [None, 0, 1, 1]
    assert [event["batches"] for event in table.events if event["type"] == "result"] == [[1], [2], [3], [5]]


def test_rollback_goes_back_to_the_opening_of_its_turn() -> None:
    table = begun(hold=2)
    table.search()
    table.search()
    table.roll_back(1)
    table.search(2)
    table.search()

    report = check(table.file())

    assert (report.faults, verdicts(report)) == ((), ["replayed"] * 6)
    assert [turn.turn for turn in report.turns] == [None, 0, 1, 2, 1, 2]


def test_batch_that_is_used_twice_is_noticed() -> None:
    table = begun(hold=2)
    table.search()
    table.search()
    table._batch = 2
    table.roll_back(1)
    table.search(2)

    assert lines_of(check(table.file()))[:3] == [("batch-again", 19), ("batch-again", 20), ("batch-again", 21)]


def test_replay_keeps_the_dice_and_takes_the_corrected_orders() -> None:
    table = begun(hold=2)
    table.search()
    table.correct(1, table.positions[1], [3], crew_3=2)
    table.search()

    report = check(table.file())

    assert (report.faults, verdicts(report)) == ((), ["replayed"] * 5)
    assert [(turn.turn, turn.replay) for turn in report.turns] == [(None, 0), (0, 0), (1, 0), (1, 1), (2, 0)]
    first, again = [event for event in table.events if event["type"] == "result" and event["turn"] == 1]
    assert (first["dice"], first["seeds"] != {}) == (again["dice"], again["seeds"] == {})


def test_replay_goes_forward_over_later_turns() -> None:
    table = begun(hold=2)
    table.search()
    table.search()
    table.correct(1, table.positions[1], [3], crew_3=2)
    assert table.state is not None
    table.correct(2, table.state, [4], crew_1=3)

    report = check(table.file())

    assert (report.faults, verdicts(report)) == ((), ["replayed"] * 6)


def test_replay_with_orders_that_are_not_opened_waits_for_them() -> None:
    table = begun(hold=2)
    table.search()
    table.correct(1, table.positions[1], [3], crew_3=2)
    replay = next(event["seq"] for event in table.events if event["type"] == "replay")

    report = check(table.file(lambda opening: opening.seq != replay))

    assert report.turns[-1].missing == (f"orders {replay}/crew-3",)


def test_ruling_that_switches_an_option_holds_from_its_turn_on() -> None:
    table = begun(hold=2)
    table.search()
    table.switch(2, lucky=True)
    table.search()

    report = check(table.file())

    assert (report.faults, verdicts(report)) == ((), ["replayed"] * 4)


def test_chain_begun_anew_after_the_seeds_were_lost_goes_on() -> None:
    table = begun(hold=2)
    table.search()
    table.rekey(b"\x07" * 32)
    table.search()

    report = check(table.file())

    assert (report.faults, verdicts(report)) == ((), ["replayed"] * 4)


def test_chain_begun_anew_under_an_open_batch_is_noticed() -> None:
    table = begun(hold=2)
    table.search()
    table._batch -= 1
    table.rekey(b"\x07" * 32)

    assert [fault.kind for fault in check(table.file()).faults] == ["anchor", "batch-again"]


def test_mail_whose_orders_were_accepted_must_stand_in_the_lock() -> None:
    mail, other = sha256(b"raw").hexdigest(), sha256(b"other").hexdigest()
    reports = []
    for received in (mail, other):
        table = begun(hold=2)
        part = {"seat": "crew-1", "mail": mail, "text": other, "orders": []}
        table._enter(Order(at=table._at(), turn=1, batch=3), private=part)
        table.search()
        lock = max(event["seq"] for event in table.events if event["type"] == "lock")
        reports.append(check(edited(table, lock, partial(set_mails, mails=[received]))))

    assert [lines_of(report) for report in reports] == [[], [("mail", 13)]]


def set_mails(event: dict[str, Any], mails: list[str]) -> None:
    event["mails"] = mails


def test_anchor_of_a_stream_there_is_already_is_noticed() -> None:
    table = begun(hold=2)
    table._enter(Anchor(at=table._at(), stream="main", anchor="00" * 32, n=5))
    table.search()

    assert lines_of(check(table.file())) == [("anchor", 13)]


def test_stream_anchored_later_may_be_opened_later() -> None:
    table = begun(hold=2)
    table._chains["deck-2"] = chain(CAMPAIGN, "deck-2", b"\x09" * 32, 4)
    table._enter(Anchor(at=table._at(), stream="deck-2", anchor=table._chains["deck-2"][0].hex(), n=4))
    rows = {"p1": "-", "p2": "-", "p3": "-"}
    lock = Lock(at=table._at(), turn=1, batch=None, streams={"deck-2": 1}, rows={"deck-2": rows})
    table._enter(lock)
    table._enter(Finish(at=table._at(), reason="finish", seeds={"deck-2": {"1": table._chains["deck-2"][1].hex()}}))

    assert lines_of(check(table.file())) == []


def test_roster_is_that_of_the_seats_held() -> None:
    table = begun()
    table._held["crew-2"] = "p4"
    table._enter(Join(at=table._at(), player="p4"))
    table._enter(Tenure(at=table._at(), turn=0, seat="crew-2", reason="substitute", player="p4"))
    table._enter(Tenure(at=table._at(), turn=0, seat="crew-3", reason="resign"))
    still_listed = table.turn, table.file()
    del table._held["crew-3"]
    table._lock(0, {"main": 2}, ["crew-1", "crew-2", "crew-3"], {})
    table._open()

    assert lines_of(check(still_listed[1])) == []
    assert lines_of(check(table.file())) == []
    table._held["crew-3"] = "p3"
    table._open()
    assert lines_of(check(table.file())) == [("roster", table.book.seq)]


def test_same_game_gives_the_same_bytes() -> None:
    assert whole_game(10, 0).file() == whole_game(10, 0).file()
    assert whole_game(10, 0).file() != whole_game(11, 0).file()

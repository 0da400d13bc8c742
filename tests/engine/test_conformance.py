"""The laws of the contract, held against every registered ruleset and every edition of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.codec import decode, encode
from engine.core.contract import (
    MODERATOR,
    PUBLIC,
    Answers,
    Event,
    Language,
    Order,
    Resolution,
    Ruleset,
    Seat,
    Sheet,
    State,
)
from engine.core.dice import BatchDice, LoadedDice
from engine.core.registry import UnknownRuleset, ruleset, rulesets
from engine.core.selfplay import play

LANGUAGES: tuple[Language, Language] = ("ru", "en")
EVERY = 11
"""One legal order in so many is written and read back; a ship has hundreds."""


@dataclass(frozen=True)
class Turn:
    before: State
    sheets: Mapping[Seat, Sheet]
    result: Resolution


@cache
def game(name: str, edition: str, players: int) -> tuple[Turn, ...]:
    """Play a game of bots and keep its turns."""
    rules = ruleset(name)
    turns: list[Turn] = []
    play(
        rules,
        rules.info.editions[edition],
        players,
        f"conformance-{edition}-{players}",
        watch=lambda before, sheets, result: turns.append(Turn(before, sheets, result)),
    )
    return tuple(turns)


def tables() -> Iterator[tuple[str, str, int]]:
    for name, rules in rulesets().items():
        least, most = rules.info.seats
        for edition in rules.info.editions:
            for players in sorted({least, most}):
                yield name, edition, players


every_table = pytest.mark.parametrize(("name", "edition", "players"), list(tables()))
every_ruleset = pytest.mark.parametrize("name", list(rulesets()))


def roster_of(name: str, edition: str, players: int) -> tuple[Seat, ...]:
    rules = ruleset(name)
    return tuple(seat.id for seat in rules.seats(rules.info.editions[edition], players))


def sampled(turns: tuple[Turn, ...]) -> list[Turn]:
    """Return the first turns and every seventh after them."""
    return [*turns[:3], *turns[3::7]]


# Facts ----------------------------------------------------------------------------------------------------------------


def test_registry_finds_rulesets_in_order_and_names_those_it_has() -> None:
    assert list(rulesets()) == sorted(rulesets())
    assert "pirates" in rulesets()
    with pytest.raises(UnknownRuleset, match=r"no ruleset 'whist'; there are: .*pirates"):
        ruleset("whist")


@every_ruleset
def test_info_says_what_the_registry_says(name: str) -> None:
    info = ruleset(name).info

    assert info.name == name
    assert set(info.titles) == {"ru", "en"}
    assert info.revision >= 1
    assert info.seats[0] <= info.seats[1]
    assert info.editions
    assert all(isinstance(options, info.options) for options in info.editions.values())


@every_table
def test_seats_are_ids_with_titles_in_both_languages(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    seats = rules.seats(rules.info.editions[edition], players)

    assert len({seat.id for seat in seats}) == len(seats) == players
    assert all(re.fullmatch("[a-z0-9_-]{1,32}", seat.id) for seat in seats)
    assert all(set(seat.titles) == {"ru", "en"} for seat in seats)


@every_ruleset
def test_seats_outside_the_numbers_of_players_are_refused(name: str) -> None:
    rules = ruleset(name)
    options = next(iter(rules.info.editions.values()))
    for players in (rules.info.seats[0] - 1, rules.info.seats[1] + 1):
        with pytest.raises(ValueError, match=str(players)):
            rules.seats(options, players)


@every_ruleset
def test_editions_survive_json(name: str) -> None:
    info = ruleset(name).info
    for options in info.editions.values():
        assert decode(encode(options), info.options) == options


# Games ----------------------------------------------------------------------------------------------------------------


@every_table
def test_bot_game_ends_within_the_longest_game(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    turns = game(name, edition, players)

    assert rules.info.longest is None or len(turns) <= rules.info.longest
    assert rules.info.longest is None or rules.outcome(turns[-1].result.state) is not None


@every_table
def test_owed_is_empty_exactly_when_there_is_an_outcome(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in game(name, edition, players):
        for state in (turn.before, turn.result.state):
            owed = rules.owed(rules.view(state, MODERATOR))
            assert bool(owed) == (rules.outcome(state) is None)
            assert {slot.seat for slot in owed} <= {*roster_of(name, edition, players), MODERATOR}
            assert len({(slot.seat, slot.key) for slot in owed}) == len(owed)


@every_table
def test_state_orders_and_events_survive_json(name: str, edition: str, players: int) -> None:
    info = ruleset(name).info
    for turn in game(name, edition, players):
        assert decode(encode(turn.result.state), info.state) == turn.result.state
        for event in turn.result.events:
            assert decode(encode(event), info.event) == event
        for sheet in turn.sheets.values():
            assert tuple(decode(encode(order), info.order) for order in sheet) == sheet


@every_table
def test_resolve_is_deterministic_and_leaves_its_arguments_unchanged(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    turns = game(name, edition, players)
    again: list[Turn] = []
    watch = lambda before, sheets, result: again.append(Turn(before, sheets, result))  # noqa: E731
    play(rules, rules.info.editions[edition], players, f"conformance-{edition}-{players}", watch=watch)

    assert tuple(again) == turns
    assert [turn.before for turn in turns[1:]] == [turn.result.state for turn in turns[:-1]]
    assert encode([turn.result.state for turn in again]) == encode([turn.result.state for turn in turns])


@every_table
def test_state_read_back_from_json_resolves_the_same(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players)):
        stored = decode(encode(turn.before), rules.info.state)
        read_back = [[decode(encode(order), rules.info.order) for order in sheet] for sheet in turn.sheets.values()]
        sheets = {seat: tuple(sheet) for seat, sheet in zip(turn.sheets, read_back, strict=True)}
        one = rules.resolve(turn.before, turn.sheets, dice(), Answers({}))
        other = rules.resolve(stored, sheets, dice(), Answers({}))
        assert encode(one) == encode(other)


def dice() -> BatchDice:
    return BatchDice({stream: {1: b"conformance"} for stream in ("main", *streams())})


def streams() -> list[str]:
    return sorted({stream for rules in rulesets().values() for stream in rules.info.streams})


@every_table
def test_every_die_has_a_purpose(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players)):
        thrown = dice()
        rules.resolve(turn.before, turn.sheets, thrown, Answers({}, thrown))
        for throw in thrown.throws:
            key, facts = rules.dice_purpose(throw.address)
            assert re.fullmatch("[a-z0-9-]+", key)
            assert isinstance(facts, dict)


@every_table
def test_events_name_a_rule_and_know_their_audience(name: str, edition: str, players: int) -> None:
    seats = {*roster_of(name, edition, players), MODERATOR, PUBLIC, "*"}
    for turn in game(name, edition, players):
        for event in turn.result.events:
            assert re.fullmatch(r"[A-Z0-9][A-Za-z0-9.]*", event.rule), event
            assert set(event.audience) <= seats


@every_table
def test_phase_table_and_drawing_of_every_view(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players))[:3]:
        assert rules.phase(turn.before) in {"turn", "set-up", "window", "vote", "ruling"}
        for seat in (roster_of(name, edition, players)[-1], PUBLIC, MODERATOR):
            view = rules.view(turn.before, seat)
            columns, rows = rules.table(view)
            assert {len(row) for row in rows} <= {len(columns)}
            assert rules.draw(view) is not None


def test_view_of_a_stranger_is_refused() -> None:
    for name, edition, players in tables():
        with pytest.raises(ValueError, match="stranger"):
            ruleset(name).view(game(name, edition, players)[0].before, "stranger")


# Orders ---------------------------------------------------------------------------------------------------------------


def own_slots(rules: Ruleset, turn: Turn, seat: Seat) -> list[str]:
    return [slot.key for slot in rules.owed(rules.view(turn.before, seat)) if slot.seat == seat]


@every_table
def test_legal_orders_are_finite_distinct_and_always_the_same(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players)):
        for seat in roster_of(name, edition, players):
            view = rules.view(turn.before, seat)
            for key in own_slots(rules, turn, seat):
                orders = list(rules.legal(view, key))
                assert orders
                assert [encode(order) for order in rules.legal(view, key)] == [encode(order) for order in orders]
                assert len({encode(order) for order in orders}) == len(orders)
                assert {order.slot for order in orders} == {key}


@every_table
def test_read_and_write_are_inverse_over_legal_orders(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players))[:4]:
        for seat in roster_of(name, edition, players):
            view = rules.view(turn.before, seat)
            for key in own_slots(rules, turn, seat):
                for order in islice(rules.legal(view, key), 0, None, EVERY):
                    for language in LANGUAGES:
                        for shown in (None, view):
                            line = rules.write(order, language, shown)
                            assert orders_read(rules, view, line, language) == (order,), line


def orders_read(rules: Ruleset, view: object, line: str, language: Language) -> tuple[Order, ...]:
    reading = rules.read(view, (), [line], language)
    assert (reading.complaints, reading.prose) == ((), ()), line
    return tuple(one.order for one in reading.orders)


@every_table
def test_legal_orders_and_those_of_bots_are_taken(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players)):
        for seat, sheet in turn.sheets.items():
            view = rules.view(turn.before, seat)
            lines = [rules.write(order, "ru") for order in sheet]
            reading = rules.read(view, (), lines, "ru")
            assert [complaint.key for complaint in reading.complaints] == []
            assert {order.slot for order in reading.sheet} >= {order.slot for order in sheet}


@every_table
def test_template_and_examples_are_legal_lines(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players)):
        for seat in roster_of(name, edition, players):
            view = rules.view(turn.before, seat)
            for language in LANGUAGES:
                for line in (*rules.template(view, language), *rules.examples(view, language)):
                    assert orders_read(rules, view, line, language), line


@every_table
def test_silent_fills_every_owed_slot_and_is_never_refused(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players)):
        for seat in roster_of(name, edition, players):
            view = rules.view(turn.before, seat)
            silent = rules.silent(view, ())
            needed = {slot.key for slot in rules.owed(view) if slot.seat == seat and not slot.optional}
            assert {order.slot for order in silent} == needed
            assert rules.silent(view, silent) == ()
            for order in silent:
                orders_read(rules, view, rules.write(order, "en"), "en")


@every_table
def test_a_game_left_silent_plays_on(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players)):
        sheets = {seat: rules.silent(rules.view(turn.before, seat), ()) for seat in turn.sheets}
        assert isinstance(resolved_by_default(rules, turn.before, sheets), Resolution)


def resolved_by_default(rules: Ruleset, state: State, sheets: Mapping[Seat, Sheet]) -> Resolution:
    """Resolve a turn in which nobody answers what is asked in its middle."""
    answers: dict[str, str] = {}
    while True:
        batches = dict.fromkeys(range(1, len(answers) + 2), b"conformance")
        thrown = BatchDice(dict.fromkeys(("main", *streams()), batches))
        result = rules.resolve(state, sheets, thrown, Answers(answers, thrown))
        if isinstance(result, Resolution):
            return result
        answers |= {question.key: question.unanswered[0] for question in result.questions}


@every_table
def test_merge_drops_nothing_and_fold_takes_the_later_order(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players)):
        for seat, sheet in turn.sheets.items():
            view = rules.view(turn.before, seat)
            silent = rules.silent(view, ())
            assert rules.merge(view, sheet, silent) == sheet
            assert rules.fold(view, (), sheet) == sheet
            assert rules.fold(view, sheet, sheet) == sheet


@every_table
def test_foresight_comes_from_the_view_alone_and_throws_no_dice(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    for turn in sampled(game(name, edition, players)):
        for seat, sheet in turn.sheets.items():
            view = rules.view(turn.before, seat)
            seen = decode(encode(view), type(view))
            events = rules.foresee(view, sheet)
            assert all(event.known_to(seat) for event in events)
            assert encode(rules.foresee(seen, sheet)) == encode(events)


@every_ruleset
@settings(derandomize=True, max_examples=60, deadline=None)
@given(lines=st.lists(st.text(max_size=60), max_size=6), language=st.sampled_from(LANGUAGES))
def test_read_never_raises_and_sorts_every_line_once(name: str, lines: list[str], language: Language) -> None:
    rules = ruleset(name)
    edition = next(iter(rules.info.editions))
    turns = game(name, edition, rules.info.seats[0])
    for turn in (turns[0], turns[1], turns[-1]):
        for seat in (*roster_of(name, edition, rules.info.seats[0]), PUBLIC):
            reading = rules.read(rules.view(turn.before, seat), (), lines, language)
            places = [line for order in reading.orders for line in order.lines]
            places += [line for complaint in reading.complaints for line in complaint.lines]
            assert sorted([*places, *reading.prose]) == list(range(len(lines)))


# Secrets --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Worlds:
    """Two courses of one game that differ in a secret alone."""

    roster: tuple[Seat, ...]
    states: tuple[State, State]
    events: tuple[tuple[Event, ...], tuple[Event, ...]]


def secret_orders(rules: Ruleset, turn: Turn, roster: tuple[Seat, ...]) -> dict[Seat, list[Order]]:
    """Return for each seat that owes one the secret orders it could give."""
    found = {}
    for seat in roster:
        view = rules.view(turn.before, seat)
        orders = [order for key in own_slots(rules, turn, seat) for order in islice(rules.legal(view, key), 4)]
        sealed = [order for order in orders if type(order).secret is not None]
        if len(sealed) > 1:
            found[seat] = sealed
    return found


def dealt_worlds(name: str, edition: str, players: int) -> Iterator[Worlds]:
    """Start a game twice with dice that differ in one secret's own stream alone, as that of a deck."""
    rules = ruleset(name)
    roster = roster_of(name, edition, players)
    for stream in rules.info.streams:
        keys = [{one: {1: b"conformance"} for one in ("main", *rules.info.streams)} for _ in range(2)]
        keys[1][stream] = {1: b"another deal"}
        one, other = (rules.start(rules.info.editions[edition], roster, BatchDice(key)) for key in keys)
        if one.state != other.state:
            yield Worlds(roster, (one.state, other.state), (one.events, other.events))


def worlds(name: str, edition: str, players: int) -> Iterator[Worlds]:
    """Play worlds that differ in a secret order side by side with the same sheets until it is open in one of them."""
    rules = ruleset(name)
    roster = roster_of(name, edition, players)
    turns = game(name, edition, players)
    yield from dealt_worlds(name, edition, players)
    for start, turn in enumerate(turns):
        for seat, (one, other, *_) in secret_orders(rules, turn, roster).items():
            states = [turn.before, turn.before]
            for later, step in enumerate(turns[start:]):
                results = []
                for state, order in zip(states, (one, other), strict=True):
                    sheets = {**step.sheets, seat: (order,)} if later == 0 else step.sheets
                    result = rules.resolve(state, sheets, dice(), Answers({}))
                    assert isinstance(result, Resolution)
                    results.append(result)
                states = [result.state for result in results]
                if any(secret.open for state in states for secret in rules.secrets(state)):
                    break
                yield Worlds(roster, (states[0], states[1]), (results[0].events, results[1].events))


@every_table
def test_no_view_receipt_or_event_tells_a_secret_to_others(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    looked = 0
    for world in worlds(name, edition, players):
        knowing = {seat for secret in rules.secrets(world.states[0]) for seat in secret.audience}
        outsiders = [seat for seat in (*world.roster, PUBLIC) if seat not in knowing]
        assert world.states[0] != world.states[1]
        for seat in outsiders:
            one, other = (rules.view(state, seat) for state in world.states)
            assert encode(one) == encode(other)
            assert told(world.events[0], seat) == told(world.events[1], seat)
            assert encode(rules.read(one, (), ["1", "all"], "en")) == encode(rules.read(other, (), ["1", "all"], "en"))
            looked += 1
        for seat in sorted(knowing):
            assert encode(rules.view(world.states[0], seat)) != encode(rules.view(world.states[1], seat))
    assert looked or not rules.secrets(game(name, edition, players)[0].before)


def told(events: tuple[Event, ...], seat: Seat) -> list[str]:
    return [encode(event) for event in events if event.known_to(seat)]


@every_table
def test_sealed_orders_are_unsealed_as_they_were(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    roster = roster_of(name, edition, players)
    for turn in game(name, edition, players)[:2]:
        for seat, orders in secret_orders(rules, turn, roster).items():
            for order in orders:
                sealed = rules.seal(turn.before, seat, (order,))
                for key, value in sealed.items():
                    assert rules.unseal(turn.before, key, value) == (seat, (order,))


@every_table
def test_all_is_open_when_the_game_has_ended(name: str, edition: str, players: int) -> None:
    rules = ruleset(name)
    turns = game(name, edition, players)
    if rules.outcome(turns[-1].result.state) is not None:
        assert all(secret.open for secret in rules.secrets(turns[-1].result.state))
        assert not any(secret.open for secret in rules.secrets(turns[0].before))


def test_start_survives_json_and_throws_every_die_once() -> None:
    for name, edition, players in tables():
        rules = ruleset(name)
        thrown = LoadedDice({}, lambda _, sides: sides)
        opening = rules.start(rules.info.editions[edition], roster_of(name, edition, players), thrown)
        assert decode(encode(opening.state), rules.info.state) == opening.state
        assert [throw.address for throw in thrown.throws] == list(dict.fromkeys(t.address for t in thrown.throws))

"""The log's bytes: every vector of fair-play 8, canonical form, lines, files and pins."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.fairplay.log import (
    LARGEST,
    NO_HEAD,
    Event,
    NotCanonical,
    Opening,
    Pin,
    canon,
    commitment,
    fits,
    link,
    nonce,
    read_line,
    read_pins,
    seal,
    write_line,
    write_log,
    write_pin,
)

GENESIS = (
    '{"anchors":{"main":"524ea43d3ea48a79ecb97b8c8d4533b503904496008732a52bbf72cddcce8a1a"},"at":"2026-01-05T18:00:00Z",'
    '"campaign":"parusa-demo","n":3,"rules":"parusa/1","seq":1,"type":"genesis"}'
)
ORDER = (
    '{"at":"2026-01-07T09:12:00Z","batch":1,"player":"boris",'
    '"private":"5146e82ac05db640fa8a6cb73d2bd8504e4aa4ce1ced39abc0bd89e95f3dad72","seq":2,"type":"order"}'
)
RESULT = (
    '{"at":"2026-01-09T20:00:00Z","batch":1,"entropy":"6a036ec067463a457d15eace454304a575bc1f293a1734740d153dc4da83d4ca",'
    '"note":"Анна лезет на ванты","rolls":[{"dice":[6,5],"slot":"anna/o1/main"}],'
    '"seed":"5ccdc8928d1e33980610f56fbd279ec3e728681c33e9c1abd3b2bf954acf8c4b","seq":3,"type":"batch_result"}'
)
HEADS = [
    "9fd4e96e23d6e5cdf6e47680f667bd7830e5026cf083add00e8737beef123171",
    "bd6e8faf24fb70aa92be68874704ff7aa85c2a80821fb08b195215215149bc7b",
    "ba5849008f3abbb4370d61a1f1f7978de0bc2bbb1a034039da997a54af34ca81",
]


def test_heads_are_the_published_ones() -> None:
    heads = [NO_HEAD]
    for text in (GENESIS, ORDER, RESULT):
        event = read_line(text)
        assert isinstance(event, Event)
        assert canon(event.object).decode() == text
        heads.append(link(heads[-1], event.object))

    assert heads[1:] == HEADS


def test_commitment_is_the_published_one() -> None:
    hidden = {"pirate": "boris", "bid": ["slava", "koshelek", "zhizn"]}

    assert commitment(bytes(range(16)), hidden) == "5146e82ac05db640fa8a6cb73d2bd8504e4aa4ce1ced39abc0bd89e95f3dad72"


# Canonical bytes ------------------------------------------------------------------------------------------------------


def test_canonical_bytes_are_sorted_tight_and_unescaped() -> None:
    value = {"b": [1, True, None, -0], "a": {"Z": "ё\u2028😀/", "_": '"\\\n\x1f\x7f'}}

    assert canon(value).decode() == '{"a":{"Z":"ё\u2028😀/","_":"\\"\\\\\\n\\u001f\x7f"},"b":[1,true,null,0]}'


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (1.0, "float"),
        (float("nan"), "float"),
        ([0.5], "float"),
        ({"ключ": 1}, "key"),
        ({1: 1}, "key"),
        (LARGEST + 1, "large-integer"),
        (-LARGEST - 1, "large-integer"),
        ("\ud800", "lone-surrogate"),
        ({"a": {1, 2}}, "type"),
        (b"bytes", "type"),
    ],
)
def test_value_outside_the_format_has_no_canonical_bytes(value: Any, why: str) -> None:
    with pytest.raises(NotCanonical, match=why):
        canon(value)


def test_value_nested_too_deep_has_no_canonical_bytes() -> None:
    value: Any = 1
    for _ in range(40):
        value = [value]

    with pytest.raises(NotCanonical, match="too-deep"):
        canon(value)


# Private parts --------------------------------------------------------------------------------------------------------


def test_nonce_differs_by_event_and_part_and_comes_again_after_a_restore() -> None:
    nonces = [nonce(b"k" * 32, "pirates-7-5fd20c1e", seq, part) for seq in (1, 2) for part in ("-", "gold", "spain-1")]

    assert len(set(nonces)) == 6
    assert {len(one) for one in nonces} == {16}
    assert nonce(b"k" * 32, "pirates-7-5fd20c1e", 1, "gold") == nonces[1]
    assert nonce(b"x" * 32, "pirates-7-5fd20c1e", 1, "gold") != nonces[1]


def test_opening_fits_its_own_commitment_only() -> None:
    committed, opening = seal(b"k" * 32, "pirates-7-5fd20c1e", 9, {"gold": 2}, "gold")

    assert fits(opening, committed)
    for gold in (1, 3):
        assert not fits(Opening(9, opening.salt, {"gold": gold}, "gold"), committed)
    assert not fits(Opening(9, "00" * 16, {"gold": 2}, "gold"), committed)
    assert not fits(Opening(9, "no hex", {"gold": 2}, "gold"), committed)


def test_secret_choice_among_few_cannot_be_guessed_from_its_commitment() -> None:
    committed, _ = seal(b"k" * 32, "pirates-7-5fd20c1e", 9, {"gold": 2}, "gold")

    assert committed not in [commitment(b"", {"gold": gold}) for gold in (1, 2, 3)]
    assert committed != seal(b"x" * 32, "pirates-7-5fd20c1e", 9, {"gold": 2}, "gold")[0]


# Lines ----------------------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abz_Z19", max_size=5), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text("abcz", min_size=1, max_size=5), VALUES, max_size=4)
SEQS = st.integers(0, LARGEST)
ENTRIES = st.one_of(
    st.builds(lambda seq, fields: Event(seq, {**fields, "seq": seq, "type": "order"}), SEQS, OBJECTS),
    st.builds(Opening, SEQS, st.just("00" * 16), OBJECTS, st.none() | st.sampled_from(["gold", "spain-1"])),
    st.builds(Pin, SEQS, st.sampled_from(HEADS)),
)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(ENTRIES)
def test_line_read_is_the_line_written(entry: Event | Opening | Pin) -> None:
    assert read_line(write_line(entry)) == entry


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not-json"),
        ("[1]", "not-canonical"),
        ('{"seq":1, "type":"join"}', "not-canonical"),
        ('{"type":"join","seq":1}', "not-canonical"),
        ('{"seq":1,"seq":1,"type":"join"}', "not-canonical"),
        ('{"seq":1,"type":"\\u0451"}', "not-canonical"),
        ('{"seq":01,"type":"join"}', "not-json"),
        ('{"seq":1.0,"type":"join"}', "float"),
        ('{"seq":1,"type":NaN}', "float"),
        ('{"seq":true,"type":"join"}', "seq"),
        ('{"seq":-1,"type":"join"}', "seq"),
        ('{"seq":"1","type":"join"}', "unknown-line"),
        ('{"head":"00","pin":1}', "unknown-line"),
        ('{"object":{},"open":1,"part":1,"salt":""}', "part"),
        ('{"object":{},"open":1,"salt":"","x":1}', "unknown-line"),
        ('{"seq":1,"type":"\\ud800"}', "lone-surrogate"),
        ("[" * 100_000, "not-json"),
        ('{"a":' * 50 + "1" + "}" * 50, "too-deep"),
        ('{"a":' + "9" * 5000 + "}", "not-json"),
    ],
)
def test_line_that_would_not_have_been_written_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotCanonical, match=f"^{why}$"):
        read_line(text)


def test_line_is_measured_before_it_is_parsed() -> None:
    with pytest.raises(NotCanonical, match="too-long"):
        read_line('{"a":"' + "x" * (8 << 20) + '"}')


def test_file_holds_events_then_openings_then_the_pin() -> None:
    event = {"seq": 3, "type": "order", "private": "x"}

    assert write_log([event], [Opening(3, "ab", {"a": "ё"})], Pin(3, HEADS[0])).decode() == (
        '{"private":"x","seq":3,"type":"order"}\n'
        '{"object":{"a":"ё"},"open":3,"salt":"ab"}\n'
        f'{{"head":"{HEADS[0]}","pin":3}}\n'
    )


# Pins -----------------------------------------------------------------------------------------------------------------


def test_pin_is_written_as_published_where_80_columns_are_to_be_had() -> None:
    block = write_pin(Pin(3, HEADS[2], "parusa-demo"), Pin(2, HEADS[1]), width=80)

    assert block == (
        "--- pin ---------------------------------------------------------\n"
        f"parusa-demo #3  {HEADS[2]}\n"
        f"prev        #2  {HEADS[1]}\n"
    )


def test_pin_gives_the_hash_a_line_of_its_own_in_mail() -> None:
    block = write_pin(Pin(113, HEADS[2], "pirates-7-5fd20c1e"), Pin(98, HEADS[1]))

    assert block == (
        "--- pin ---------------------------------------------------------\n"
        f"pirates-7-5fd20c1e #113\n{HEADS[2]}\nprev #98\n{HEADS[1]}\n"
    )
    assert max(map(len, block.split("\n"))) <= 76


@pytest.mark.parametrize("width", [76, 120])
@pytest.mark.parametrize("before", ["", "> ", ">> ", "    ", "| "])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_pin_is_read_back_from_quoted_mail(width: int, before: str, ending: str) -> None:
    pin = Pin(113, HEADS[2], "pirates-7-5fd20c1e")
    block = write_pin(pin, Pin(98, HEADS[1], "pirates-7-5fd20c1e"), width)
    text = ending.join(f"{before}{line}" for line in ["Вот отчёт:", *block.split("\n"), "Анна"])

    assert list(read_pins(text)) == [pin, Pin(98, HEADS[1], "pirates-7-5fd20c1e")]


@pytest.mark.parametrize(
    "text",
    [f"#3 {HEADS[0]}", f"parusa #0  {HEADS[0]}", f"parusa #3  {HEADS[0][:-1]}", f"parusa #3  {HEADS[0]}0", "prev"],
)
def test_text_that_is_no_pin_gives_none(text: str) -> None:
    assert list(read_pins(text)) == []


def test_previous_pin_that_follows_none_belongs_to_nobody() -> None:
    assert list(read_pins(f"prev #2  {HEADS[1]}")) == []


def test_pin_without_campaign_is_not_written() -> None:
    with pytest.raises(ValueError, match="names no campaign"):
        write_pin(Pin(3, HEADS[0]))

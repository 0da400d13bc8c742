"""Seeds, entropy and keys: every vector of fair-play 5, and the rules around them."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.fairplay.chain import (
    BEACON_CHAIN,
    Batch,
    Seed,
    automatic_phrase,
    beacon_round,
    beacon_value,
    chain,
    check_beacon,
    entropy_document,
    leads_to,
    normalised,
    round_time,
    row,
)
from engine.core.dice import die

SEEDS = [
    "524ea43d3ea48a79ecb97b8c8d4533b503904496008732a52bbf72cddcce8a1a",
    "5ccdc8928d1e33980610f56fbd279ec3e728681c33e9c1abd3b2bf954acf8c4b",
    "f629604d2f30fddaa09f8699f993263258b8e72ce557d8b74678221c5f496705",
    "7fdca2f6e0c3605410c006db25c0182588f68ad01abb5a834cbdef95abca29d0",
]
ANNA = "2eee7fa8b6921f34fac1ec58c49da931db016cd6b4be5c8f49a82a46bb3e7a99"
BORIS = "cc61abfa0c9316355d486f96296e5e03cadc9a2bac5977be1dfce80f9b7dfa0e"
SIGNATURE = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
ROUND_VALUE = "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"


def test_chain_gives_the_published_seeds() -> None:
    seeds = chain("parusa-demo", "main", sha256(b"pbm-dice/1 test seed").digest(), 3)

    assert [seed.hex() for seed in seeds] == SEEDS


def test_chain_that_follows_a_lost_one_begins_at_the_last_batch_used() -> None:
    last = bytes(32)

    assert chain("parusa-demo", "main", last, 10, first=7) == chain("parusa-demo", "main", last, 10)[7:]


@pytest.mark.parametrize(("campaign", "last", "n", "first"), [("Паруса", bytes(32), 3, 0), ("a", bytes(31), 3, 0)])
def test_chain_refuses_what_cannot_be(campaign: str, last: bytes, n: int, first: int) -> None:
    with pytest.raises(ValueError, match=r"is not an id|no chain"):
        chain(campaign, "main", last, n, first)


def test_chain_of_usual_length_is_made_at_once() -> None:
    began = time.perf_counter()

    assert len(chain("pirates-7-5fd20c1e", "main", bytes(32))) == 4097
    assert time.perf_counter() - began < 1


def test_seed_leads_to_every_earlier_one_and_to_no_other() -> None:
    seeds = [Seed(number, bytes.fromhex(seed)) for number, seed in enumerate(SEEDS)]

    assert leads_to("parusa-demo", "main", seeds[3], seeds[0])
    assert leads_to("parusa-demo", "main", seeds[2], seeds[2])
    assert not leads_to("parusa-demo", "main", seeds[1], seeds[2])
    assert not leads_to("parusa-demo", "main", Seed(1, seeds[2].value), seeds[2])
    assert not leads_to("parusa-demo", "gold", seeds[3], seeds[0])
    assert not leads_to("parusa-demo", "main", Seed(2, seeds[3].value), seeds[0])


# Entropy --------------------------------------------------------------------------------------------------------------


def test_batch_of_phrases_gives_the_published_document_and_key() -> None:
    phrases = {"anna": " Йо-хо-хо  и бутылка рома ", "boris": "7 футов под килем"}
    rows = {seat: row(normalised(phrases.get(seat, ""))) for seat in ("vera", "boris", "anna")}
    batch = Batch("parusa-demo", "main", 1, rows)

    assert batch.document.decode() == (
        f"pbm-dice/1\nentropy\nparusa-demo\nmain\n1\nanna={ANNA}\nboris={BORIS}\nvera=-\nbeacon=-\n"
    )
    assert batch.entropy == "6a036ec067463a457d15eace454304a575bc1f293a1734740d153dc4da83d4ca"
    key = batch.key(bytes.fromhex(SEEDS[1]))
    assert key.hex() == "553454f964f640c2cbf3de520f8734aa29ab31a6bd0fb8911e5ddbfbd83638b1"


def test_batch_of_a_beacon_gives_the_published_document_and_key() -> None:
    beacon = beacon_value(657413, bytes.fromhex(SIGNATURE))
    batch = Batch("parusa-demo", "main", 2, {"anna": "-", "boris": "-", "vera": "-"}, beacon)

    assert beacon == f"drand:{BEACON_CHAIN}:657413:{ROUND_VALUE}"
    assert batch.entropy == "f6e3bcc0a391a2dd01aa2ed2befdab55cb5495101c6c0776cb261dc32b1a95b1"
    key = batch.key(bytes.fromhex(SEEDS[2]))
    assert key.hex() == "5e9471971010144cd4da4617bd61867794f31528accd423f77a672a6ad53b59f"
    assert [die(key, f"anna/o1/main/{k}", 6) for k in range(3)] == [5, 5, 2]


def test_rows_stand_in_ascii_order() -> None:
    document = entropy_document("parusa-demo", "main", 1, {"p2": "-", "p10": "-", "p1": "-"})

    assert document.decode().split("\n")[5:8] == ["p1=-", "p10=-", "p2=-"]


def test_phrases_and_beacon_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="exclude each other"):
        entropy_document("parusa-demo", "main", 1, {"anna": ANNA}, f"drand:{BEACON_CHAIN}:657413:{ROUND_VALUE}")


@pytest.mark.parametrize("rows", [{"Anna": "-"}, {"anna": ""}, {"anna": ANNA.upper()}, {"anna": "-\nboris=-"}])
def test_rows_of_another_form_are_refused(rows: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"is not an id|is not a row"):
        entropy_document("parusa-demo", "main", 1, rows)


def test_batch_is_weak_only_if_nobody_has_added_to_it() -> None:
    assert Batch("a", "main", 1, {"anna": "-", "boris": "-"}).weak
    assert not Batch("a", "main", 1, {"anna": ANNA, "boris": "-"}).weak
    assert not Batch("a", "main", 1, {"anna": "-"}, f"drand:{BEACON_CHAIN}:657413:{ROUND_VALUE}").weak


# Phrases --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "norm"),
    [
        (" Йо-хо-хо  и бутылка рома ", "Йо-хо-хо и бутылка рома"),
        ("е\u0308ж", "ёж"),
        ("семь\u00a0футов\u2003под\u3000килем", "семь футов под килем"),
        ("a\x85b\u2028c\td", "a b c d"),
        ("\u1680", ""),
        ("a\x1cb\x1dc\x1ed\x1fe", "a\x1cb\x1dc\x1ed\x1fe"),
        ("a\ufeffb\u200bc\u180ed", "a\ufeffb\u200bc\u180ed"),
    ],
)
def test_phrase_is_normalised_by_unicode_white_space(phrase: str, norm: str) -> None:
    assert normalised(phrase) == norm


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.text())
def test_phrase_is_normalised_once(phrase: str) -> None:
    assert normalised(normalised(phrase)) == normalised(phrase)
    assert "\n" not in normalised(phrase)


def test_automatic_phrase_is_the_message_id_as_it_stands() -> None:
    assert automatic_phrase(" <a.1@mail.example>\r\n", b"raw") == "mid:<a.1@mail.example>"
    assert automatic_phrase("<a b@mail.example>", b"raw") == "mid:<ab@mail.example>"


@pytest.mark.parametrize("message_id", [None, "", " \t"])
def test_automatic_phrase_of_a_mail_without_message_id_is_its_hash(message_id: str | None) -> None:
    assert automatic_phrase(message_id, b"raw") == f"mid:{sha256(b'raw').hexdigest()}"


# Beacon ---------------------------------------------------------------------------------------------------------------


def test_beacon_round_is_that_of_the_published_time() -> None:
    lead = 60
    assert beacon_round(int(datetime(2026, 4, 20, tzinfo=UTC).timestamp()) - lead) == 27946612


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.integers(1692803367, 4102444800))
def test_beacon_round_is_the_first_after_the_deadline(deadline: int) -> None:
    number = beacon_round(deadline)

    assert round_time(number) >= deadline + 60
    assert round_time(number - 1) < deadline + 60


@pytest.mark.parametrize("text", ["-", f"drand:{BEACON_CHAIN}:1:{ROUND_VALUE}", "text:lotto:2026-01-09:050613"])
def test_beacon_of_each_form_is_taken(text: str) -> None:
    assert check_beacon(text) == text


@pytest.mark.parametrize(
    "text", ["", "drand", f"drand:{BEACON_CHAIN}:01:{ROUND_VALUE}", "text:a\nb:2026-01-09:1", "text:x:2026-01-09:1\n"]
)
def test_beacon_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a beacon"):
        check_beacon(text)

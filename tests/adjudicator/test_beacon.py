"""The adapter to the beacon believes no relay blindly (fair-play 3.2)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adjudicator.beacon import BeaconMissing, Relays, relays
from adjudicator.fairplay.chain import beacon_value
from tests.servers.relay import Relay, relay, signature


@pytest.fixture
def good() -> Iterator[Relay]:
    with relay() as found:
        yield found


def test_value_is_made_of_the_signature_of_the_round(good: Relay) -> None:
    assert Relays((good.address,)).value(657413) == beacon_value(657413, signature(657413))
    assert good.asked == [657413]


@pytest.mark.parametrize("mode", ["missing", "lying", "huge", "other-round"])
def test_value_refuses_what_cannot_be_an_answer(good: Relay, mode: str) -> None:
    good.mode = mode

    with pytest.raises(BeaconMissing, match="127"):
        Relays((good.address,)).value(5)


def test_value_asks_the_next_relay_where_one_is_silent(good: Relay) -> None:
    assert Relays(("http://127.0.0.1:1", good.address)).value(5) == beacon_value(5, signature(5))


def test_value_believes_neither_of_two_relays_that_disagree(good: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    with relay() as other:
        monkeypatch.setattr("tests.servers.relay.signature", lambda number: signature(number + len(other.asked) - 1))
        assert Relays((good.address, good.address)).value(5)
        with pytest.raises(BeaconMissing, match="disagree"):
            Relays((good.address, other.address)).value(5)


def test_value_without_a_relay_says_so() -> None:
    with pytest.raises(BeaconMissing, match="no relay"):
        Relays().value(5)


@pytest.mark.parametrize("address", ["http://relay.example.org", "ftp://relay.example.org", "relay", "https://"])
def test_relays_refuses_an_address_that_is_not_https(address: str) -> None:
    with pytest.raises(ValueError, match="is not"):
        relays([address])

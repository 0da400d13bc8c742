"""Move cards: checked TOML; an error names the key."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.codec import encode
from engine.set_sail.cards import LARGEST, BadCards, added, deck, load, stubs

HEAD = '[meta]\nschema = "movecards/1"\n'
READY = """
[[move]]
id = "ugrozhat"
name = "Угрожать"
status = "ready"
[[move.option]]
id = "a"
effects = ["luck:+1:@who"]
[move.full]
text = "да"
choose = { n = 1, from = ["a"], by = "player" }
[move.partial]
text = "почти"
effects = ["damage:1:@who"]
[move.miss]
text = "нет"
"""

SCRAPS = (
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    '"""',
    "\n",
    "=",
    ".",
    ",",
    "#",
    "\\u202e",
    "\x00",
    "\u202e",
    "1e9",
    "inf",
    "[[move]]",
)
STUBS = [
    "vykrutitsya",
    "zataitsya",
    "smeknut",
    "soytis_yakoryami",
    "poladit",
    "ugrozhat",
    "udarit_v_spinu",
    "nanyat_komandu",
    "otdat_shvartovy",
    "provernut_shturval",
    "skolzit_po_volnam",
    "palit_izo_vsekh_pushek",
    "zalatat_bresh",
    "ne_poyti_ko_dnu",
    "lech_na_obratny_kurs",
    "korabl_prizrak",
    "korolevsky_venzel",
    "legendarnoe_imya",
    "sudno_s_istoriey",
    "cherny_flag",
    "kartech_i_knippeli",
    "krepkie_kladovye",
    "prochnye_parusa",
    "signalnye_fonari",
    "zakupitsya",
    "prodazha_dobychi",
    "razgulny_kutezh",
    "kurtuaznye_zabavy",
]


def test_the_twenty_eight_stubs_have_their_permanent_ids_in_order_and_no_texts() -> None:
    cards = stubs()

    assert [card.id for card in cards] == STUBS
    assert {card.status for card in cards} == {"stub"}
    assert [card.id for card in cards if card.trigger or card.option or card.full.text or card.miss.text] == []
    assert [card.id for card in cards if card.private] == []


def test_a_card_of_the_groups_own_takes_the_place_of_its_id() -> None:
    cards = deck(load(HEAD + READY))

    assert [card.id for card in cards] == STUBS
    card = next(card for card in cards if card.id == "ugrozhat")
    assert (card.status, card.private, card.cited, card.partial.effects) == (
        "ready",
        True,
        "ugrozhat@1",
        ("damage:1:@who",),
    )


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a = " + "[" * 100_000, "file"),
        ("a = " + "{a=" * 50_000, "file"),
        ("a = " + "9" * 200_000, "file"),
        ("a.b\n" + ".".join("a" * 100_000) + " = 1", "file"),
        (f"{HEAD}[{'.'.join('a' * 100_000)}]", "file"),
        (HEAD + '[[move]]\nid = "a"\nversion = ' + "9" * 4000, "move[0] (a).version"),
        (HEAD + '[[move]]\nid = "a"\nbonus = nan', "move[0].bonus"),
        (HEAD + '[[move]]\nid = "a"\nname = 1979-05-27', "move[0].name"),
        (HEAD + '[[move]]\nid = "a"\nname = "а\\nготов"', "move[0] (a).name"),
        (HEAD + '[[move]]\nid = "a"\nname = "\\u202eгад\\u202c"', "move[0] (a).name"),
        (HEAD + '[[move]]\nid = "a"\nname = "' + "я" * 81 + '"', "move[0] (a).name"),
        (HEAD + '[[move]]\nid = "a"\naliases = ["\\u0007"]', "move[0] (a).aliases[0]"),
        (HEAD + '[[move]]\nid = "a"\nrequires = { post = ["\\u2028"] }', "move[0] (a).requires.post[0]"),
        (HEAD + '[[move]]\nid = "a"\ntrigger = "\\u2066"', "move[0] (a).trigger"),
        (HEAD + '[[move]]\nid = "a"\naliases = [' + '"x",' * 61 + "]", "move[0] (a).aliases"),
        ('[meta]\nschema = "movecards/1"\nsource = "\\u202e"', "meta.source"),
    ],
    ids=lambda one: one[:30] if one.isascii() else "text",
)
def test_a_hostile_file_is_refused_at_once_and_names_the_key(text: str, key: str) -> None:
    with pytest.raises(BadCards) as caught:
        load(text)

    assert caught.value.key == key


@settings(derandomize=True, max_examples=60, deadline=None)
@given(cuts=st.lists(st.tuples(st.integers(0, 600), st.sampled_from(SCRAPS)), min_size=1, max_size=6))
def test_a_file_with_scraps_in_it_is_read_or_refused(cuts: list[tuple[int, str]]) -> None:
    text = HEAD + READY
    for place, scrap in cuts:
        text = text[: place % len(text)] + scrap + text[place % len(text) :]
    with suppress(BadCards):
        encode(deck(load(text)))


def test_a_card_may_replace_another() -> None:
    own = load(HEAD + '[[move]]\nid = "zapugat"\nreplaces = "ugrozhat"\n')

    assert [card.id for card in deck(own)] == [*(one for one in STUBS if one != "ugrozhat"), "zapugat"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[meta]\n", "meta"),
        ('[meta]\nschema = "movecards/2"\n', "meta.schema"),
        (HEAD + "extra = 1\n", "meta"),
        (HEAD + "[other]\n", "other"),
        (HEAD + '[[move]]\nid = "A"\n', "move[0] (A).id"),
        (HEAD + '[[move]]\nid = "a\\nb"\n', "move[0] (a\nb).id"),
        (HEAD + '[[move]]\nname = "x"\n', "move[0]"),
        (HEAD + '[[move]]\nid = "a"\n[[move]]\nid = "a"\n', "move[1] (a).id"),
        (HEAD + '[[move]]\nid = "a"\ncolour = "red"\n', "move[0]"),
        (HEAD + '[[move]]\nid = "a"\ngroup = "magic"\n', "move[0].group"),
        (HEAD + '[[move]]\nid = "a"\nprivate = true\n', "move[0].private"),
        (HEAD + '[[move]]\nid = "a"\nversion = 0\n', "move[0] (a).version"),
        (HEAD + '[[move]]\nid = "a"\nbonus = 9\n', "move[0] (a).bonus"),
        (HEAD + '[[move]]\nid = "a"\nuses = -1\n', "move[0] (a).uses"),
        (HEAD + '[[move]]\nid = "a"\nmodifies = "b"\n', "move[0] (a).modifies"),
        (HEAD + '[[move]]\nid = "a"\n[move.full]\neffects = ["win:1"]\n', "move[0] (a).full.effects[0]"),
        (HEAD + '[[move]]\nid = "a"\n[move.full]\nchoose = { n = 1, from = ["z"] }\n', "move[0] (a).full.choose.from"),
        (HEAD + '[[move]]\nid = "a"\n[move.full]\nchoose = { n = 3 }\n', "move[0] (a).full.choose.n"),
        (
            HEAD + '[[move]]\nid = "a"\n[[move.option]]\nid = "o"\n[[move.option]]\nid = "p"\n'
            '[move.full]\nchoose = { n = 2, from = ["o"] }\n',
            "move[0] (a).full.choose.n",
        ),
        (HEAD + '[[move]]\nid = "a"\nrequires = { token = "hold" }\n', "move[0].requires.token"),
        (HEAD + '[[move]]\nid = "a"\nroll = { kind = "ship", stat = "der" }\n', "move[0] (a).roll.stat"),
        (HEAD + '[[move]]\nid = "a"\nroll = { stat = ["der", "nav"] }\n', "move[0] (a).roll.stat"),
        (HEAD + '[[move]]\nid = "a"\nroll = { stat = [] }\n', "move[0] (a).roll.stat"),
        (HEAD + '[[move]]\nid = "a"\nstatus = "ready"\n', "move[0] (a).full.text"),
        (HEAD + '[[move]]\nid = "a"\n[[move.option]]\nid = "o"\n[[move.option]]\nid = "o"\n', "move[0] (a).option"),
        (HEAD + f'[[move]]\nid = "a"\ntrigger = "{"x" * 4001}"\n', "move[0] (a).trigger"),
        ("not toml", "file"),
        ("#" * (LARGEST + 1), "file"),
        (HEAD + '[[move]]\nid = "a"\n' * 0 + "".join(f'[[move]]\nid = "a{n}"\n' for n in range(201)), "move"),
    ],
)
def test_an_error_names_the_key(text: str, key: str) -> None:
    with pytest.raises(BadCards) as caught:
        load(text)

    assert caught.value.key == key


@pytest.mark.parametrize(
    ("card", "key"),
    [
        ('replaces = "nobody"', "move[0] (a).replaces"),
        ('group = "rigging"\nmodifies = "nobody"', "(a).modifies"),
        ('always = { effects = ["trigger:nobody"] }', "(a).effects"),
    ],
)
def test_a_card_that_points_at_none_is_refused(card: str, key: str) -> None:
    with pytest.raises(BadCards) as caught:
        deck(load(f'{HEAD}[[move]]\nid = "a"\n{card}\n'))

    assert caught.value.key == key


def test_a_second_file_is_added_to_the_first_and_replaces_what_has_its_ids() -> None:
    first = load(HEAD + '[[move]]\nid = "zapugat"\nreplaces = "ugrozhat"\n[[move]]\nid = "plyt"\n')
    second = load(HEAD + '[[move]]\nid = "plyt"\nversion = 2\n[[move]]\nid = "pet"\n')

    cards = added(deck(first), second)

    assert [card.cited for card in cards if card not in stubs()] == ["zapugat@1", "plyt@2", "pet@1"]
    assert "ugrozhat" not in {card.id for card in cards}


def test_files_together_hold_no_more_than_one_may() -> None:
    many = load(HEAD + "".join(f'[[move]]\nid = "a{n}"\n' for n in range(200)))

    with pytest.raises(BadCards, match="201 cards"):
        added(deck(many), load(HEAD + '[[move]]\nid = "b"\n'))

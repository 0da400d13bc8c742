"""Letters as people write them: what is read as an order, what is asked about, and what is said to reach nobody."""

from __future__ import annotations

import re
from importlib import resources

import pytest
from msgspec.structs import replace

from engine.core.contract import MODERATOR, Language, Seat
from engine.set_sail.commands import Spend, StayOut
from engine.set_sail.orders import fold, merge, read, write
from engine.set_sail.orders.spelling import in_words
from engine.set_sail.state import Clock, SetSailState, SetSailView
from engine.set_sail.view import view
from tests.engine.set_sail.order_positions import ANNA, BORIS, VERA, campaign, moderators_view, ruling_stage

CALLED = {ANNA: "Анна Бурая", BORIS: "Flint", VERA: "Вера Морган"}


def named(state: SetSailState) -> SetSailState:
    """The campaign with a pirate whose name is in Latin letters."""
    return replace(state, pirates=tuple(replace(one, name=CALLED[one.seat]) for one in state.pirates))


OPEN = named(campaign())
QUIET = replace(OPEN, rolls=(), decisions=(), talks=())
WINDOWS = replace(OPEN, decisions=(), talks=())
DESK = named(ruling_stage())

LETTERS: tuple[tuple[SetSailState, Seat, Language, str, tuple[str, ...]], ...] = (
    # state, who writes, his language, the letter; what is read: orders, "✗ key: ways out", "· what reaches nobody"
    (QUIET, ANNA, "ru", "Я бью часового в спину.", ("· Я бью часового в спину.",)),
    (
        QUIET,
        ANNA,
        "ru",
        "Ударить в спину, дерзость — пока он зевает",
        ("заявка o1: Ударить в спину, дерзость — пока он зевает",),
    ),
    (QUIET, ANNA, "ru", "Заявка — лезу на мачту", ("заявка o1: лезу на мачту",)),
    (QUIET, ANNA, "ru", "Заявка:\nЛезу на мачту.", ("заявка o1: Лезу на мачту.",)),
    (
        QUIET,
        ANNA,
        "ru",
        "Мой ход: Затаиться, изворотливость. Прячусь.",
        ("заявка o1: Затаиться, изворотливость — Прячусь.",),
    ),
    (QUIET, ANNA, "ru", "Ход: прячусь за бочками", ("заявка o1: прячусь за бочками",)),
    (QUIET, ANNA, "ru", "Ход у шхуны хороший", ("· Ход у шхуны хороший",)),
    (
        QUIET,
        ANNA,
        "ru",
        "заявка: Угрожать насилием (дерзость) — нож к горлу",
        ("заявка o1: Угрожать насилием, дерзость — нож к горлу",),
    ),
    (
        QUIET,
        ANNA,
        "ru",
        "заявка: Затаиться по изворотливости — в шлюпке",
        ("заявка o1: Затаиться, изворотливость — в шлюпке",),
    ),
    (
        QUIET,
        ANNA,
        "ru",
        "заявка: Скользить по волнам, шанс — уходим",
        ("заявка o1: Скользить по волнам, шанс — уходим",),
    ),
    (
        QUIET,
        ANNA,
        "ru",
        "заявка затаиться прячусь за бочками",
        ("✗ doubtful: заявка o1: Затаиться — прячусь за бочками",),
    ),
    (QUIET, ANNA, "ru", "заявка (втайне): краду карту", ("заявка втайне o1: краду карту",)),
    (
        QUIET,
        ANNA,
        "ru",
        "заявка: втайне от всех краду карту",
        ("✗ in-secret: заявка втайне o1: краду карту | заявка o1: краду карту",),
    ),
    (QUIET, ANNA, "ru", "заявка втайне: тайно краду карту", ("заявка втайне o1: тайно краду карту",)),
    (
        QUIET,
        ANNA,
        "ru",
        "Козни! Цель: украсть флагман. Тайны: 1 и 3",
        ("козни o1: цель украсть флагман; тайны 1, 3",),
    ),
    (
        QUIET,
        ANNA,
        "ru",
        "строим козни: украсть флагман, тайны №1, №3",
        ("козни o1: цель украсть флагман; тайны 1, 3",),
    ),
    (QUIET, ANNA, "ru", "Рассказываю байку: было это у Тортуги", ("байка: было это у Тортуги",)),
    (QUIET, ANNA, "ru", "Говорю Вере: держись рядом", ("говорю: Вере: держись рядом",)),
    (QUIET, ANNA, "ru", "Говорю я ей: пустое это дело", ("· Говорю я ей: пустое это дело",)),
    (QUIET, ANNA, "ru", "- Эй, на палубе! - кричит Анна.", ("говорю: - Эй, на палубе! - кричит Анна.",)),
    (
        QUIET,
        ANNA,
        "ru",
        "Анна говорит: «Ну что, черти, заскучали?»",
        ("говорю: Анна говорит: «Ну что, черти, заскучали?»",),
    ),
    (
        QUIET,
        ANNA,
        "ru",
        "Анна не поняла письмо про «ход пятый»",
        ("· Анна не поняла письмо про «ход пятый»",),
    ),
    (QUIET, ANNA, "ru", "Вера кричит: «Полундра, все наверх!»", ("· Вера кричит: «Полундра, все наверх!»",)),
    (QUIET, ANNA, "ru", "- Меня не будет до среды", ("· - Меня не будет до среды",)),
    (
        QUIET,
        ANNA,
        "ru",
        "Картограф, видно ли порт?\nзаявка: смотрю в трубу",
        ("заявка o1: смотрю в трубу", "· Картограф, видно ли порт?"),
    ),
    (
        QUIET,
        ANNA,
        "ru",
        "Картографу: краду карту",
        ("✗ note-to-moderator: письмо судье: краду карту",),
    ),
    (WINDOWS, ANNA, "ru", "Помогаю Флинту: держу трос", ("помощь Flint o1: держу трос",)),
    (WINDOWS, ANNA, "ru", "помогу Флинту, подержу трос", ("✗ doubtful: помощь Flint o1: подержу трос",)),
    (WINDOWS, ANNA, "ru", "Мешаю Флинту — роняю ведро", ("помеха Flint o1: роняю ведро",)),
    (WINDOWS, ANNA, "ru", "Трачу фарт на свой бросок", ("фарт +1 o1",)),
    (WINDOWS, ANNA, "ru", "фарт 1", ("фарт +1 o1",)),
    (WINDOWS, ANNA, "ru", "фарт не трачу", ("не вмешиваюсь",)),
    (OPEN, ANNA, "ru", "урон фартом", ("урон: фарт 2",)),
    (
        OPEN,
        ANNA,
        "ru",
        "Урон: плачу 1 фарт, одну рану беру",
        ("✗ unknown-part: урон: рана 2 | урон: фарт 1, рана 1 | урон: фарт 2",),
    ),
    (OPEN, ANNA, "ru", "Обмен: нет, спасибо", ("обмен нет",)),
    (OPEN, ANNA, "ru", "Ставка: слава. Довод: честь дороже!", ("ставка слава: честь дороже!",)),
    (OPEN, ANNA, "ru", "ставлю на славу — честь дороже", ("ставка слава: честь дороже",)),
    (
        QUIET,
        BORIS,
        "en",
        "I sneak past the guards using cunning.",
        ("· I sneak past the guards using cunning.",),
    ),
    (
        QUIET,
        BORIS,
        "en",
        "Move: Stab in the Back with daring - he never sees me",
        ("move o1: Stab in the Back, daring — he never sees me",),
    ),
    (
        QUIET,
        BORIS,
        "en",
        "my move: lie low (cunning) - behind the barrels",
        ("move o1: Lie Low, cunning — behind the barrels",),
    ),
    (WINDOWS, BORIS, "en", "I help Anna - hold the rope", ("help Анна Бурая o1: hold the rope",)),
    (WINDOWS, BORIS, "en", "Luck +1 on my roll", ("luck +1 o1",)),
    (WINDOWS, BORIS, "en", "no luck this time", ("· no luck this time",)),
    (
        DESK,
        MODERATOR,
        "ru",
        "бросок Флинта — затаиться, изворотливость\nбросок Веры: тайны подходят 1",
        ("бросок Flint o3: Затаиться, изворотливость", "бросок Вера Морган o1: дальновидность, тайны 1"),
    ),
    (
        DESK,
        MODERATOR,
        "ru",
        "рассказ: Луна зашла.\nбросок Анна o3: нет\nрассказ:\nВетер стих.\nконец рассказа",
        ("рассказ: Луна зашла. ↵ Ветер стих.", "бросок Анна Бурая o3: нет"),
    ),
)


@pytest.mark.parametrize(
    ("state", "seat", "language", "letter", "found"), LETTERS, ids=[row[3][:40] for row in LETTERS]
)
def test_letter_is_read_as_its_writer_meant_it(
    state: SetSailState, seat: Seat, language: Language, letter: str, found: tuple[str, ...]
) -> None:
    seen = view(state, seat)
    lines = letter.split("\n")
    reading = read(seen, (), lines, language)

    said = [write(one.order, language, seen) for one in (*reading.orders, *reading.told)]
    asked = [f"✗ {one.key}: {' | '.join(one.suggestions)}" for one in reading.complaints]
    assert (*said, *asked, *(f"· {lines[place]}" for place in reading.unheard)) == found


def test_declared_secret_stands_in_no_reading_that_is_open() -> None:
    reading = read(view(QUIET, ANNA), (), ["заявка: втайне краду карту"], "ru")

    assert reading.orders == ()
    assert [one.number for one in reading.traces] == [1]  # type: ignore[attr-defined]


def test_whoever_stays_out_of_all_takes_back_what_earlier_letters_put_in() -> None:
    seen = view(WINDOWS, ANNA)
    earlier = (Spend(roll=f"{ANNA}/o1", act="luck"),)
    reading = read(seen, earlier, ["помощь Флинту: держу трос", "не вмешиваюсь"], "ru")

    dropped = [note.facts["order"] for one in reading.orders for note in one.notes if note.kind == "drops"]
    filled = merge(seen, fold(earlier, [one.order for one in reading.orders]), ())
    assert dropped == ["фарт +1 o1"]
    assert [(one.roll, one.act) for one in filled if isinstance(one, Spend)] == [
        (f"{BORIS}/o1", "help"),
        (f"{ANNA}/o1", "nothing"),
    ]
    assert StayOut() in filled


EFFECTS = (
    ("luck:+1:@pirate-1", "фарт Анна Бурая +1", "luck Анна Бурая +1"),
    ("damage:2:@pirate-2", "урон Flint 2", "damage Flint 2"),
    ("damage:1:serious:@pirate-1", "урон Анна Бурая 1 серьёзная", "damage Анна Бурая 1 serious"),
    ("damage:?:@pirate-1", "damage:?:@pirate-1", "damage:?:@pirate-1"),
    ("heal:1:@pirate-1", "лечение Анна Бурая рана 1", "heal Анна Бурая wound 1"),
    ("rep:-1:@pirate-3", "репутация Вера Морган -1", "reputation Вера Морган -1"),
    ("money:-47:@pirate-1", "деньги Анна Бурая -9 дублонов 2 пиастра", "money Анна Бурая -9 doubloons 2 piastres"),
    ("money:+50:@treasury", "деньги казна +1 сундук", "money treasury +1 chest"),
    ("secret:+1:у губернатора есть брат", "тайна: у губернатора есть брат", "new secret: у губернатора есть брат"),
    ("secret:-1:2", "вычеркнуть тайну 2", "cross out secret 2"),
    ("wound:2:none:@pirate-1", "рана Анна Бурая 2 снята", "wound Анна Бурая 2 none"),
    ("clock:pogonya:+1", "часы погоня +1", "clock погоня +1"),
    ("chances:+1:gm:p1", "шансы +1 Картографу p1", "chances +1 gm p1"),
    ("gm_move", "неприятность", "trouble"),
)


@pytest.mark.parametrize(("effect", "russian", "english"), EFFECTS, ids=[row[0] for row in EFFECTS])
def test_effect_is_written_in_words_that_are_read_back(effect: str, russian: str, english: str) -> None:
    state = replace(DESK, clocks=(Clock(id="pogonya", n=1, name="погоня"),))
    seen: SetSailView = view(state, MODERATOR)

    assert (in_words(effect, "ru", seen), in_words(effect, "en", seen)) == (russian, english)


@pytest.mark.parametrize("language", ["ru", "en"])
def test_lines_of_the_moderators_help_are_orders(language: Language) -> None:
    source = (resources.files("templates") / "set_sail" / f"asks.{language}.j2").read_text("utf-8")
    block = source.partition("macro moderator_words")[2].partition("endmacro")[0]
    rows = [line.strip() for line in block.splitlines() if line.startswith("    ")]
    lines = [re.split(r"\s{2,}", one)[0] for row in rows for one in row.split(" · ")]
    whole = [one for one in lines if one and "…" not in one and one not in ("шанс Картографа", "gm chance")]
    unread = [line for line in whole if not read(moderators_view(), (), [line], language).orders]

    of_the_position = ("бросок Анна o1", "roll Anna o1", "кодекс Анна", "code Anna")
    assert [line for line in unread if not line.startswith(of_the_position)] == []
    assert len(whole) > len(rows)

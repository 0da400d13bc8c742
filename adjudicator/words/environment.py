"""The templates' environment: where they lie, what they may print, and how a phrase is found by its key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined, Undefined
from jinja2.runtime import Macro

from adjudicator.words import language as tongue
from adjudicator.words.language import Tongue
from adjudicator.words.layout import table
from adjudicator.words.text import Markdown, finalize, player, player_line

ROOT: Final = "templates"
SHARED: Final = "shared"


class _Templates(Environment):
    """Jinja whose dotted names look into mappings first: a fact may be called ``items`` or ``values``."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, Mapping):
            return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)


def _places() -> tuple[Path, ...]:
    """Return the folders of the package of templates: one, unless rulesets from elsewhere have added theirs."""
    return tuple(map(Path, import_module(ROOT).__path__))


def source(name: str) -> str | None:
    """Return the text of a template, None if there is none."""
    paths = (place.joinpath(*name.split("/")) for place in _places())
    return next((path.read_text(encoding="utf-8") for path in paths if path.is_file()), None)


@cache
def environment(language: Tongue) -> Environment:
    """Return the environment of a language. Undefined names raise; only `Markdown` passes unescaped."""
    made = _Templates(
        loader=FunctionLoader(source),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= _filters(language)
    made.globals["language"] = Markdown(language)
    return made


def _filters(language: Tongue) -> dict[str, Callable[..., Any]]:
    return {
        "plural": lambda number, *forms: Markdown(tongue.plural(number, language, *forms)),
        "count": lambda number, *forms: Markdown(f"{number} {tongue.plural(number, language, *forms)}"),
        "span_to": tongue.span,
        "moment": lambda text, zone: tongue.moment(text, zone, language),
        "day": lambda text: tongue.day(text, language),
        "lines": lambda text: [player_line(line) for line in text.split("\n")],
        "player": player,
        "together": _together,
        "glue": _glue,
        "cap": _capital,
        "table": lambda rows, head: table(
            [finalize(cell) for cell in head], [list(map(finalize, row)) for row in rows]
        ),
        "key": lambda text: text.replace("-", "_"),
    }


def _together(parts: Any, last: str, between: str = ", ") -> Markdown:
    """Join a list as people do: commas, and a word before the last."""
    words = [str(finalize(part)) for part in parts]
    if len(words) < 2:
        return Markdown("".join(words))
    return Markdown(between.join(words[:-1]) + last + words[-1])


def _glue(parts: Any, between: str = ", ") -> Markdown:
    return Markdown(between.join(str(finalize(part)) for part in parts))


def _capital(text: Any) -> Markdown:
    """Return the text with its first letter raised; marks before it (quotes, stars) are passed over."""
    words = str(finalize(text))
    place = next((place for place, char in enumerate(words) if char.isalpha()), 0)
    return Markdown(words[:place] + words[place : place + 1].upper() + words[place + 1 :])


@dataclass(frozen=True, slots=True)
class Phrases:
    """All phrases of a language and a ruleset: those of the ruleset first, then those shared by all.

    A folder's phrases lie in as many files as it likes, ``<topic>.<language>.j2``.
    """

    language: Tongue
    ruleset: str

    def __call__(self, group: str, key: str, facts: Any = None, cast: Any = None) -> Markdown:
        """Return the phrase ``<group>_<key>`` filled with facts. Raises LookupError if neither file has it."""
        macro = self.find(group, key)
        if macro is None:
            raise LookupError(f"no phrase {group}_{key.replace('-', '_')} in {self.language} for {self.ruleset!r}")
        return Markdown(str(macro({} if facts is None else facts, {} if cast is None else cast)).strip())

    def has(self, group: str, key: str) -> bool:
        """Say whether there is such a phrase."""
        return self.find(group, key) is not None

    def find(self, group: str, key: str) -> Callable[..., Any] | None:
        """Return the macro of a phrase, or None."""
        name = "_".join(part.replace("-", "_") for part in (group, key) if part)
        for folder in (self.ruleset, SHARED):
            macros = phrases_of(folder, self.language)
            if name in macros:
                return macros[name]
        return None


@cache
def phrase_files(folder: str, language: Tongue) -> tuple[str, ...]:
    """Return the names of a folder's phrase files in a language, sorted."""
    found = [place / folder for place in _places() if folder and (place / folder).is_dir()]
    names = {file.name for path in found for file in path.iterdir() if file.name.endswith(f".{language}.j2")}
    return tuple(f"{folder}/{name}" for name in sorted(names))


@cache
def phrases_of(folder: str, language: Tongue) -> Mapping[str, Callable[..., Any]]:
    """Return the macros of a folder's phrase files by name. Raises ValueError if two files have one of a name."""
    found: dict[str, Callable[..., Any]] = {}
    for file in phrase_files(folder, language):
        module = environment(language).get_template(file).module
        macros = {name: macro for name, macro in vars(module).items() if isinstance(macro, Macro)}
        if twice := sorted(set(macros) & set(found)):
            raise ValueError(f"{twice[0]!r} of {file} is the name of another phrase of {folder!r} too")
        found |= macros
    return found


def render(name: str, language: Tongue, ruleset: str, **context: Any) -> str:
    """Return a skeleton filled in; ``say(group, key, facts)`` in it gives phrases of the language and ruleset."""
    say = Phrases(language, ruleset)
    return environment(language).get_template(name).render(say=say, **context)


__all__ = ["Phrases", "Undefined", "environment", "phrase_files", "phrases_of", "render", "source"]

"""The golden letters, kept whole, and a picture; ``python -m tests.adjudicator.words.golden`` writes them anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from adjudicator.letters import Notice, Receipt, Report
from adjudicator.services.render import render
from tests.adjudicator.words import blockading, island, samples, voyage

FOLDER: Final = Path(__file__).parent / "golden"
SHEETS: Final = Path(__file__).parents[3] / "deploy" / "pictures" / "campaign-sheets.png"
"""The picture in the guide to a campaign: the sheets that come with the report."""
LETTERS: Final[dict[str, Callable[[samples.Tongue], Report | Receipt | Notice]]] = {
    "report": samples.report,
    "opening": samples.opening,
    "last": samples.last,
    "receipt": samples.receipt,
    "press": samples.press,
    "jackal-opening": island.opening,
    "jackal-report": island.report,
    "jackal-last": island.last,
    "jackal-question": island.question,
    "jackal-receipt": island.receipt,
    "blockade-opening": blockading.opening,
    "blockade-layout": blockading.layout,
    "blockade-report": blockading.report,
    "blockade-last": blockading.last,
    "blockade-question": blockading.question,
    "blockade-dash": blockading.dash,
    "blockade-receipt": blockading.receipt,
    "blockade-refused": blockading.refused_layout,
    "set-sail-opening": voyage.opening,
    "set-sail-report": voyage.report,
    "set-sail-desk": voyage.desk,
    "set-sail-public": voyage.public,
    "set-sail-question": voyage.question,
    "set-sail-receipt": voyage.receipt,
    "set-sail-last": voyage.last,
}
LANGUAGES: Final[tuple[samples.Tongue, ...]] = ("ru", "en")


def text(name: str, language: samples.Tongue) -> str:
    """Render a sample letter as its golden text: the subject, an empty line, the text part."""
    made = render(LETTERS[name](language))
    return f"{made.subject}\n\n{made.text}"


def sheets() -> bytes:
    """Paint the sheets of a campaign as an English letter brings them."""
    return dict(render(voyage.report("en")).images)["map"]


def main() -> None:
    """Write all golden letters, and the picture."""
    FOLDER.mkdir(exist_ok=True)
    for name in LETTERS:
        for language in LANGUAGES:
            (FOLDER / f"{name}.{language}.md").write_text(text(name, language), encoding="utf-8")
    SHEETS.write_bytes(sheets())


if __name__ == "__main__":
    main()

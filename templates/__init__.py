"""Every word people read, as data: phrase files per ruleset and language, and the skeletons of what is mailed.

No code lives here. Being a package lets the installed service find it: ``importlib.resources.files("templates")``.
"""

from __future__ import annotations

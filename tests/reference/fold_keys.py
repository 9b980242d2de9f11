"""Keys of names, of which two names share one if they differ only in how they are written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ocgdedup.matching.names.name_form import is_too_long, name_form
from ocgdedup.model import NameForm

_NUMBERED = re.compile(r"(\D*\s\D*[^\W\d_])(\d+)")


def fold_keys(name: str) -> tuple[str, ...]:
    form = name_form(name)
    is_one_word = not form.is_ordered and len(form.words) > 1 and len(name.split()) == 1
    if form.surname and not form.is_handle and not is_one_word and not is_too_long(name):
        return _keys_of_form(form)
    letters = "".join(
        c
        for c in unicodedata.normalize("NFKC", name).casefold()
        if c.isalnum() or (form.is_handle and c in "_-")
    )
    keys = (f"={letters}",) if letters else ()
    numbered = _NUMBERED.fullmatch(name) if form.is_handle else None
    if numbered is None:
        return keys
    return keys + _keys_of_form(name_form(numbered[1])._replace(number=numbered[2]))


def _keys_of_form(form: NameForm) -> tuple[str, ...]:
    keys = [" ".join(sorted(form.words))]
    if form.is_ordered:
        keys.append(" ".join(sorted(("".join(form.surname), "".join(form.given)))))
    if len(form.words) > 1 and min(map(len, form.words)) > 1:
        keys.append("".join(form.words))
    marks = "|".join(("", form.number, form.generation, str(form.birth_year or "")))
    return tuple(f"{key}{marks}" for key in keys)


def fold_groups(names: Sequence[str]) -> list[int | None]:
    """Return the index of the first name of each name's group, None for a name without letters."""
    keys = [set(fold_keys(name)) for name in names]
    group = list(range(len(names)))
    for _ in names:  # until nothing changes, in so many rounds at most
        for i, of_name in enumerate(keys):
            group[i] = min(group[j] for j, others in enumerate(keys) if i == j or of_name & others)
    return [number if keys[number] else None for number in group]

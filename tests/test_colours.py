"""The colours of the page: suits can be told apart, also by colour-blind people, and numbers can be read on them."""

import itertools
import re

import numpy as np
import pytest

pytest.importorskip("starlette")

from tamaya.game.hanab_live import VARIANTS
from tamaya.play.web.static_files import PAGE

SIGHTS = {
    "all cones": np.eye(3),
    "no red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "no blue": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
"""How people see who lack a kind of cones: Machado, Oliveira and Fernandes, 2009."""

TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def light(colour):
    """A colour such as #fff or #d55e00 as light."""
    digits = colour if len(colour) == 6 else "".join(2 * one for one in colour)
    value = np.array([int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)])
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def seen(light):
    """A light in the space CIELAB, in which distances are as large as they look."""
    ratio = TO_XYZ @ np.clip(light, 0, 1) / WHITE
    root = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


SUITS = {
    letter: (light(suit), light(on))
    for letter, suit, on in re.findall(
        r"\.suit(\w) { --suit: #(\w+); --on: #(\w+)", (PAGE / "style.css").read_text(encoding="utf-8")
    )
}


@pytest.mark.parametrize("letters", ["RYGWBM", *(one.letters for one in VARIANTS.values())])
@pytest.mark.parametrize("sight", SIGHTS)
def test_suits_can_be_told_apart(letters, sight):
    """A distance of 2.3 can just be noticed."""
    places = [seen(SIGHTS[sight] @ SUITS[letter][0]) for letter in letters]
    assert min(np.linalg.norm(one - other) for one, other in itertools.combinations(places, 2)) > 15


@pytest.mark.parametrize("letter", SUITS)
def test_numbers_can_be_read_on_suits(letter):
    """With the contrast of WCAG for large text."""
    bright, dark = sorted((TO_XYZ[1] @ one for one in SUITS[letter]), reverse=True)
    assert (bright + 0.05) / (dark + 0.05) >= 3

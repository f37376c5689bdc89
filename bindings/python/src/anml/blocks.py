"""Pieces of text that statements share: attributes in braces, and where a statement was made."""
from __future__ import annotations

import os
import sys
from typing import Any, Mapping, Tuple

from .expressions import code
from .parts import check_name

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def caller() -> Tuple[str, int]:
    """The nearest line outside of this package."""
    frame = sys._getframe(1)
    while frame.f_back and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _PACKAGE:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def attribute_block(attributes: Mapping[str, Any]) -> str:
    """` { rate = 1 Mbps, up { delay = 2 ms } }`; "" where all are None."""
    items = []
    for key, value in attributes.items():
        if isinstance(value, Mapping):
            items.append(f"{check_name(key)}{attribute_block(value)}")
        elif value is not None:
            items.append(f"{check_name(key)} = {code(value)}")
    return f" {{ {', '.join(items)} }}" if items else ""

"""Scenes of attribute_scenes.py beside each other in one model, each a component: one compilation and one run show what hundreds would. Nothing links two of them, so
that none has a part in what another does."""
import re

from attribute_scenes import IMPORTS

# What is of the whole model, or would have to be unlike for each: such a scene is a model of its own.
ALONE = re.compile(r"^  (addressing|routing) \{|\d+\.\d+\.\d+\.\d+|2001:|^component", re.M)
RUN = re.compile(r"\n  run \{ duration = (\d+ m?s) \}")
PARTS = re.compile(re.escape(IMPORTS) + r"\n(.*)\nmodel Pair \{\n(.*)\n\}\n", re.S)


def duration(text):
    """How long the scene with this text runs, as it says; None if it cannot be joined with others."""
    found = RUN.search(text)
    return found and not ALONE.search(text) and found[1]


def joined(texts, seconds, more="", above=""):
    """A model of scenes, of which the one at place i is the instance `s<i>`."""
    declared, components, instances = {above: None}, [], []
    for at, text in enumerate(texts):
        beside, body = PARTS.fullmatch(text).groups()
        declared[beside] = None  # those that have any have the same
        components.append(f"component S{at} {{\n{RUN.sub('', body)}\n}}")
        instances.append(f"  S{at} s{at}")
    return "\n".join([IMPORTS, *declared, *components, "model Joined {", more, *instances, f"  run {{ duration = {seconds} }}", "}", ""])

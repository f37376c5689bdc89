"""The section of docs/validation.md that lays three laws beside Linux's on five paths: means of ten runs, with intervals."""
from linux_section import missing, table  # noqa: F401


def make(context):
    lines, good = table(context, "study", ["--study", "--only", "NewReno, clean"], ["--study"])
    return "\n".join([context.circumstances(), "", *lines]), good

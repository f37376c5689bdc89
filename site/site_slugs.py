"""How a heading's anchor is called: as code hosts do, so that the pages' links hold in both."""
import re


def as_code_hosts_do(text, separator):
    return re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]*>", "", text).lower()).replace(" ", separator)

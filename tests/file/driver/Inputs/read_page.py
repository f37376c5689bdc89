"""read_page.py PAGE: what a page of documentation has, if all its elements are closed and all links lead somewhere."""
import html.parser
import sys
import urllib.parse
import xml.etree.ElementTree

EMPTY = {"meta", "img", "source"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], set(), []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in EMPTY:
            self.open.append(tag)
        if "id" in values:
            assert values["id"] not in self.ids, values["id"]
            self.ids.add(values["id"])
        if "href" in values:
            self.links.append(values["href"])
        for source in (values.get("src"), values.get("srcset")):
            if source:
                kind, _, data = source.partition(",")
                assert kind == "data:image/svg+xml;charset=utf-8", kind
                drawn = xml.etree.ElementTree.fromstring(urllib.parse.unquote(data))
                assert drawn.tag.endswith("svg"), drawn.tag
        if tag == "img":
            print("picture:", values["alt"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("h2", "h3", "p"):
            print(f"{self.open[-1]}: {data.strip()}")


page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
page.close()
assert not page.open, page.open
for link in page.links:
    assert link.startswith("#") and link[1:] in page.ids, link

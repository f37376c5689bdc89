"""Packages: the tutorial of docs/packages.md as it stands, and what may go wrong: conflicts, circles, changed files, archives that would write
elsewhere, repositories with hooks, tests that fail or do not end."""
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree
import zipfile

ANMLC = os.path.abspath(os.environ["ANMLC"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = dict(os.environ, PATH=f"{os.path.dirname(ANMLC)}:{os.environ['PATH']}", GIT_CONFIG_GLOBAL="/dev/null", TERM="dumb", GIT_AUTHOR_NAME="me",
                   GIT_AUTHOR_EMAIL="me@example.org", GIT_COMMITTER_NAME="me", GIT_COMMITTER_EMAIL="me@example.org")
failures = []


def fail(what, done=None):
    failures.append(f"{what}\n{done.stdout}{done.stderr}" if done else what)


def run(*command, cwd, status=0, has=(), lacks=()):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    said = done.stdout + done.stderr
    if done.returncode != status:
        fail(f"{command}: status {done.returncode} instead of {status}", done)
    for text in has:
        if text not in said:
            fail(f"{command}: it does not say `{text}`", done)
    for text in lacks:
        if text in said:
            fail(f"{command}: it says `{text}`", done)
    return said


def anmlc(*words, cwd, **expected):
    return run(ANMLC, *words, cwd=cwd, **expected)


def package(folder, name, *dependencies, module="pub component Box {\n  router r\n}\n", version="0.1.0"):
    (folder / "src").mkdir(parents=True)
    lines = [f'[package]\nname = "{name}"\nversion = "{version}"\n\n[dependencies]']
    (folder / "anml.toml").write_text("\n".join([*lines, *dependencies]) + "\n")
    (folder / "src" / f"{name}.anml").write_text(module)
    return folder


def model(folder, module, declared="Box"):
    path = folder / "main.anml"
    path.write_text(f"import {module}\nmodel M {{\n  {module.rsplit('.', 1)[-1]}.{declared} one\n  run {{ duration = 1 s }}\n}}\n")
    return path.name


def repository(folder, tag=""):
    run("git", "init", "-q", "-b", "main", ".", cwd=folder)
    run("git", "add", ".", cwd=folder)
    run("git", "commit", "-qm", "first", cwd=folder)
    if tag:
        run("git", "tag", tag, cwd=folder)
    return folder


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def tutorial(here):
    """Every `sh` block of the page, one after the other, as one script that ends at the first failure."""
    page = (ROOT / "docs/packages.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S)
    assert len(blocks) > 8, len(blocks)
    said = run("bash", "-euc", "\n".join(blocks), cwd=here,
               has=["4 passed, 0 failed", "1 failed", "`max_time(ping) < 5 ms` does not hold", "[missing-dependency]", "fetched metro 0.1.0 at", 'tag = "v0.1.0"'])
    if said.count("status 1") != 2:
        fail("the tutorial: two commands end with status 1\n" + said)
    report = xml.etree.ElementTree.parse(here / "metro/report.xml").getroot()
    suites = report.findall("testsuite")
    if report.tag != "testsuites" or int(report.get("tests")) != sum(len(s.findall("testcase")) for s in suites) or int(report.get("failures")) != 0:
        fail("the tutorial: report.xml is not what it says")
    if run("git", "status", "--porcelain", cwd=here / "metro"):
        fail("the tutorial: git would take what was made meanwhile")
    pages = here / "metro/.anml/doc"
    names = sorted(p.name for p in pages.iterdir())
    if names != ["example-head_office.html", "index.html", "metro.html", "metro.rings.html"]:
        return fail(f"the pages are {names}")
    links = set()
    for page in pages.iterdir():
        text = page.read_text()
        for target in re.findall(r'href="([^"]+)"', text):
            file, _, anchor = target.partition("#")
            links.add(file)
            to = pages / (file or page.name)
            if not to.exists() or (anchor and f'id="{anchor}"' not in to.read_text()):
                fail(f"{page.name}: `{target}` leads nowhere")
    if "metro.html" not in links or "data:image/svg" not in (pages / "example-head_office.html").read_text() + (pages / "metro.rings.html").read_text():
        fail("the pages have no links or pictures")
    index = (pages / "index.html").read_text()
    if '<a href="metro.html">metro</a>; a model' not in index or '<a href="example-head_office.html">head_office</a>.' not in index:
        fail("the README's links do not lead to the pages")
    if "metro.html#metro.Office" not in (pages / "example-head_office.html").read_text():
        fail("the example's text has no link to what it uses")


def starting(here):
    anmlc("new", "Ring-Lab", cwd=here)
    if 'name = "ring_lab"' not in (here / "Ring-Lab/anml.toml").read_text():
        fail("Ring-Lab is not called ring_lab")
    before = tree(here)
    anmlc("new", "Ring-Lab", cwd=here, status=1, has=["is there already"])
    anmlc("new", ".", cwd=here / "Ring-Lab", status=1, has=["is there already, and is not replaced"])
    anmlc("new", "model", cwd=here, status=1, has=["no name of a package"])
    anmlc("new", "3d", cwd=here, status=1, has=["no name of a package"])
    if tree(here) != before:
        fail("`new` has changed something that was there")
    anmlc("doc", "./taken", cwd=package(here / "taken", "std").parent, status=1, has=["`std` is the name of the standard library"])
    (here / "own").mkdir()
    (here / "own/README.md").write_text("mine\n")
    anmlc("new", ".", cwd=here / "own", status=1)
    if tree(here / "own") != {"README.md": b"mine\n"}:
        fail("`new` has left something behind")
    anmlc("add", cwd=here / "own", status=1, has=["there is no anml.toml here or above"])
    anmlc("test", cwd=here / "own", status=1, has=["there is no anml.toml here or above"])
    anmlc("fmt", "--check", "Ring-Lab", cwd=here)
    anmlc("lint", "Ring-Lab", cwd=here)


def editing(here):
    package(here / "one", "one")
    package(here / "two", "two")
    main = package(here / "main", "main")
    text = '# mine\n[package]\nname = "main"  # ours\nversion = "1.0.0"\n\n[dependencies]  # needed\n# first\n\n# last\n'
    (main / "anml.toml").write_text(text)
    anmlc("add", "../one", "../two", cwd=main, has=["one 0.1.0", "two 0.1.0"])
    now = (main / "anml.toml").read_text()
    if now != text.replace("needed\n", 'needed\none = { path = "../one" }\ntwo = { path = "../two" }\n'):
        fail(f"anml.toml is now\n{now}")
    if (main / "anml.lock").exists() or (main / ".anml").exists():
        fail("paths need no lock")
    anmlc("check", model(main, "two"), cwd=main)
    anmlc("add", "../one", cwd=main)
    if (main / "anml.toml").read_text() != now:
        fail("adding once more has changed anml.toml")
    (main / "deep").mkdir()
    anmlc("add", "../../one", cwd=main / "deep")
    if (main / "anml.toml").read_text() != now:
        fail("from a folder below, the path is another one")
    anmlc("add", "../main", cwd=main, status=1, has=["called as this package is"])
    anmlc("add", "../gone", cwd=main, status=1, has=["there is no `../gone`"])
    anmlc("add", "deep", cwd=main, status=1, has=["it has no anml.toml"])
    (main / "anml.toml").write_text('dependencies = {}\n[package]\nname = "main"\nversion = "1.0.0"\n')
    anmlc("add", "../one", cwd=main, status=1, has=["is not edited here", 'one = { path = "../one" }'])


def locking(here):
    library = repository(package(here / "lib", "lib"), "v1")
    main = package(here / "main", "main")
    name = model(main, "lib")
    anmlc("check", name, cwd=main, status=1, has=["[unknown-import]"])
    anmlc("add", f"file://{library}#v1", cwd=main, has=["fetched lib 0.1.0 at"])
    anmlc("check", name, cwd=main)
    lock = (main / "anml.lock").read_text()
    commit = run("git", "rev-parse", "v1", cwd=library).strip()
    if f'commit = "{commit}"' not in lock:
        fail(f"the lock does not have {commit}:\n{lock}")
    # What moves on behind a branch does not move the lock.
    (main / "anml.toml").write_text(f'[package]\nname = "main"\nversion = "1.0.0"\n[dependencies]\nlib = {{ git = "{library}", branch = "main" }}\n')
    anmlc("check", name, cwd=main, status=1, has=["[missing-dependency]", "from another place"])
    anmlc("add", cwd=main)
    first = (main / "anml.lock").read_text()
    (library / "src/lib.anml").write_text("pub component Case {\n  router r\n}\n")
    run("git", "commit", "-qam", "second", cwd=library)
    subprocess.run(["rm", "-r", main / ".anml"], check=True)
    anmlc("add", cwd=main, has=["fetched lib"])
    if (main / "anml.lock").read_text() != first:
        fail("fetching what the lock says has changed it")
    anmlc("check", name, cwd=main)
    anmlc("add", f"{library}#main", cwd=main)
    if (main / "anml.lock").read_text() == first:
        fail("adding the branch once more has not moved the lock")
    anmlc("check", model(main, "lib", "Case"), cwd=main)
    anmlc("add", f"{library}#{commit[:10]}", cwd=main)
    if f'rev = "{commit}"' not in (main / "anml.toml").read_text():
        fail("a short commit is not written in full")
    for missing in ("nothing", "1234567"):
        anmlc("add", f"{library}#{missing}", cwd=main, status=1, has=["[cannot-fetch]", f"there is no tag, branch or commit `{missing}` there"], lacks=["fatal"])
    anmlc("add", cwd=main, has=["everything is there"])
    # Pages made in what was fetched are none of its files.
    anmlc("doc", ".anml/deps/lib", cwd=main)
    if not (main / ".anml/deps/lib/.anml/doc/index.html").exists():
        fail("there are no pages in what was fetched")
    anmlc("check", model(main, "lib"), cwd=main)
    # A file that is changed is noticed, and mended.
    module = main / ".anml/deps/lib/src/lib.anml"
    before = module.read_text()
    module.write_text(before + "// mine\n")
    name = model(main, "lib")
    for verb in ("check", "lint", "graph"):
        anmlc(verb, name, cwd=main, status=1, has=["[changed-dependency]", "anmlc add"])
    anmlc("add", cwd=main, has=["fetched lib"])
    if module.read_text() != before:
        fail("`add` has not mended what was changed")
    anmlc("-MD", "-O0", name, cwd=main)
    rule = (main / "main.d").read_text()
    for file in (".anml/deps/lib/src/lib.anml", "anml.toml", "anml.lock"):
        if file not in rule:
            fail(f"{file} is not in the rule for make\n{rule}")
    # fmt and check of the folder leave alone what was fetched.
    module.write_text(before.replace("  router", "      router"))
    anmlc("fmt", ".", cwd=main)
    if "      router" not in module.read_text():
        fail("fmt has changed what was fetched")
    # The help keeps what was declared: git, and the tag or branch.
    for address, at, word in ((library, 'tag = "v1"', f"{library}#v1"), ("../lib", 'branch = "main"', "../lib#main"), (f"file://{library}/.git", 'tag = "v1"', f"file://{library}/.git#v1"),
                              ("../lib", "", "../lib/.git")):
        (main / "anml.toml").write_text(f'[package]\nname = "main"\nversion = "1.0.0"\n[dependencies]\nlib = {{ git = "{address}"{", " if at else ""}{at} }}\n')
        (main / "anml.lock").unlink()
        anmlc("add", cwd=main)
        lock = (main / "anml.lock").read_text()
        (main / "anml.lock").write_text(re.sub('sha256 = ".{64}"', f'sha256 = "{"0" * 64}"', lock))
        anmlc("add", cwd=main, status=1, has=["[changed-dependency]", f"`anmlc add {word}`"])
        anmlc("add", word, cwd=main)
        if "git = " not in (main / "anml.toml").read_text() or at not in (main / "anml.toml").read_text():
            fail(f"`anmlc add {word}` has made another dependency of it")
    # What is not needed any more is gone.
    (main / "anml.toml").write_text('[package]\nname = "main"\nversion = "1.0.0"\n')
    anmlc("add", cwd=main, has=["nobody needs lib"])
    if (main / ".anml/deps/lib").exists() or "[[package]]" in (main / "anml.lock").read_text():
        fail("what nobody needs is still there")


def graphs(here):
    """Transitive dependencies, conflicts, circles."""
    base = repository(package(here / "base", "base"), "v1")
    run("git", "tag", "v2", cwd=base)
    package(here / "left", "left", f'base = {{ git = "{base}", tag = "v1" }}', module="import base\npub component Box {\n  base.Box inner\n}\n")
    package(here / "right", "right", f'base = {{ git = "{base}", tag = "v2" }}')
    main = package(here / "main", "main")
    anmlc("add", "../left", cwd=main, has=["fetched base 0.1.0"])
    anmlc("check", model(main, "left"), cwd=main)
    anmlc("check", model(main, "base"), cwd=main, status=1, has=["[unknown-import]"])  # it is the other one's
    before = tree(main)
    anmlc("add", "../right", cwd=main, status=1, has=["[dependency-conflict]", "tag v1", "tag v2"])
    if tree(main) != before:
        fail("after a conflict something has changed")
    package(here / "a", "a", 'b = { path = "../b" }')
    package(here / "b", "b", 'c = { path = "../c" }')
    package(here / "c", "c", 'a = { path = "../a" }')
    anmlc("check", model(here / "a", "b"), cwd=here / "a", status=1, has=["[dependency-cycle]", "`a` needs `b` needs `c` needs `a`"])
    # A fetched package cannot name what lies here.
    sly = repository(package(here / "sly", "sly", 'base = { path = "../base" }'))
    anmlc("add", f"file://{sly}", cwd=package(here / "victim", "victim"), status=1, has=["may not name a place on this machine"])
    # The main file's folder does not stand in for a dependency's modules.
    (here / "left/src/left.anml").write_text("import parts\npub component Box {\n  parts.Part p\n}\n")
    (main / "parts.anml").write_text("component Part {\n  router r\n}\n")
    anmlc("check", model(main, "left"), cwd=main, status=1, has=["[unknown-import]"])
    (here / "left/src/parts.anml").write_text("component Part {\n  router r\n}\n")
    anmlc("check", model(main, "left"), cwd=main)


def archives(here):
    good = package(here / "lib", "lib")
    main = package(here / "main", "main")
    with tarfile.open(here / "lib.tar.gz", "w:gz") as archive:
        archive.add(good, "lib-0.1.0")
    with zipfile.ZipFile(here / "lib.zip", "w") as archive:
        for path in good.rglob("*"):
            if path.is_file():
                archive.write(path, path.relative_to(good))
    hashes = set()
    for word in ("../lib.tar.gz", f"file://{here}/lib.zip"):
        anmlc("add", word, cwd=main, has=["fetched lib 0.1.0"])
        anmlc("check", model(main, "lib"), cwd=main)
        hashes |= set(re.findall('sha256 = "(.*)"', (main / "anml.lock").read_text()))
    if len(hashes) != 1:
        fail("the same files have two hashes")
    anmlc("add", "../lib.tar.gz", cwd=main)
    kept = tree(main)

    def tar(name, **what):
        made = tarfile.TarInfo(name)
        data = what.pop("data", b"x")
        for key, value in what.items():
            setattr(made, key, value)
        made.size = len(data) if made.type == tarfile.REGTYPE else 0
        return made, data

    manifest = tar("anml.toml", data=b'[package]\nname = "lib"\nversion = "0.2.0"\n')
    link = dict(type=tarfile.SYMTYPE)
    for what, entries in {
        "above": [tar("../escaped")],
        "above, inside": [tar("src/../../escaped")],
        "absolute": [tar(f"{here}/escaped")],
        "link out": [tar("out", linkname="../..", **link)],
        "link to the root": [tar("out", linkname="/etc", **link)],
        "through a link": [tar("out", linkname=str(here), **link), tar("out/escaped")],
        "link by a link": [tar("a/b/c", data=b""), tar("d", linkname="a/b", **link), tar("e", linkname="d/../../..", **link)],
        "link below a link": [tar("a/b/c", data=b""), tar("g", linkname="a/b", **link), tar("g/s", linkname="../../..", **link), tar("g/s/escaped", linkname="../a", **link)],
        "link to nothing": [tar("dangling", linkname="nowhere", **link)],
        "hard link": [tar("hard", type=tarfile.LNKTYPE, linkname="/etc/passwd")],
        "device": [tar("null", type=tarfile.CHRTYPE, devmajor=1, devminor=3)],
        "pipe": [tar("pipe", type=tarfile.FIFOTYPE)],
        "twice": [tar("a"), tar("a")],
    }.items():
        bad = here / "bad.tar"
        with tarfile.open(bad, "w") as archive:
            for made, data in [manifest, *entries]:
                archive.addfile(made, io.BytesIO(data))
        anmlc("add", "../bad.tar", cwd=main, status=1, has=["[cannot-fetch]"])
        if (here / "escaped").exists() or (here.parent / "escaped").exists():
            fail(f"{what}: it has written elsewhere")
            (here / "escaped").unlink(missing_ok=True)
    bad = here / "bad.tar"
    bad.write_bytes(b"no archive at all")
    anmlc("add", "../bad.tar", cwd=main, status=1, has=["[cannot-fetch]"])
    bad.write_bytes((here / "lib.tar.gz").read_bytes()[:200])
    anmlc("add", "../bad.tar", cwd=main, status=1, has=["[cannot-fetch]"])
    with zipfile.ZipFile(here / "bad.zip", "w") as archive:
        archive.writestr("../escaped", "x")
    anmlc("add", "../bad.zip", cwd=main, status=1, has=["[cannot-fetch]"])
    with tarfile.open(here / "large.tar.gz", "w:gz") as archive:
        made = tarfile.TarInfo("large")
        made.size = 300 << 20
        archive.addfile(made, io.BytesIO(bytes(made.size)))
    anmlc("add", "../large.tar.gz", cwd=main, status=1, has=["256 MiB"])
    (here / "sparse").mkdir()
    for i in range(2):  # two holes of 200 MiB
        with open(here / f"sparse/hole{i}", "wb") as file:
            file.seek(200 << 20)
            file.write(b"x")
    subprocess.run(["tar", "--sparse", "-czf", here / "sparse.tar.gz", "-C", here, "sparse"], check=True)
    anmlc("add", "../sparse.tar.gz", cwd=main, status=1, has=["256 MiB"])
    anmlc("add", "ftp://localhost/lib.zip", cwd=main, status=1, has=["https://"])
    if tree(main) != kept:
        fail("archives that were refused have changed something")
    # What is kept lies in the package itself: a link that came along would have others' folders removed.
    (main / ".anml").rename(here / "elsewhere")
    (main / ".anml").symlink_to("../elsewhere")
    anmlc("add", cwd=main, status=1, has=["[cannot-write-output]", ".anml` is a link"])
    (main / ".anml").unlink()
    (here / "elsewhere").rename(main / ".anml")
    # Other content at the same place.
    with tarfile.open(here / "lib.tar.gz", "w:gz") as archive:
        (good / "src/lib.anml").write_text("pub component Box {\n  router other\n}\n")
        archive.add(good, "lib-0.1.0")
    subprocess.run(["rm", "-r", main / ".anml"], check=True)
    anmlc("add", cwd=main, status=1, has=["[changed-dependency]", "not what anml.lock says"])
    anmlc("add", "../lib.tar.gz", cwd=main)


def nothing_is_run(here):
    """Hooks, filters and submodules of a repository, and settings of the user's that they could name."""
    library = package(here / "lib", "lib")
    (library / ".gitattributes").write_text("* filter=evil\n")
    (library / ".gitmodules").write_text('[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch ' + str(here / "ran") + '"\n')
    repository(library)
    for hook in ("post-checkout", "pre-auto-gc", "reference-transaction", "post-merge", "upload-pack"):
        path = library / ".git/hooks" / hook
        path.write_text(f"#!/bin/sh\ntouch {here}/ran\n")
        path.chmod(0o755)
    settings = here / "settings"
    settings.write_text(f'[filter "evil"]\n\tsmudge = touch {here}/ran\n\tclean = touch {here}/ran\n\trequired = true\n')
    main = package(here / "main", "main")
    old = ENVIRONMENT["GIT_CONFIG_GLOBAL"]
    ENVIRONMENT["GIT_CONFIG_GLOBAL"] = str(settings)
    anmlc("add", f"file://{library}", cwd=main, has=["fetched lib"])
    anmlc("add", f"ext::sh -c touch% {here}/ran", cwd=main, status=1)
    anmlc("add", "--", "--upload-pack=touch ran", cwd=main, status=2)
    ENVIRONMENT["GIT_CONFIG_GLOBAL"] = old
    if (here / "ran").exists():
        fail("something of the repository was run")


def testing(here):
    main = package(here / "main", "main", module="pub component Box(size: int in 1 .. 9 = 1) {\n  host h[size]\n  router r\n  link h[*] -- r { rate = 1 Mbps, delay = 1 ms }\n}\n")
    tests = main / "tests"
    tests.mkdir()
    (tests / "good.anml").write_text("import main\nimport std.traffic\nmodel A {\n  main.Box b\n  workload p : traffic.Ping on b.h[0] { to = b.r, interval = 10 ms }\n"
                                     "  require max_time(p) < 5 ms\n  run { duration = 1 s }\n}\nmodel B {\n  main.Box b\n  run { duration = 1 s }\n}\n")
    anmlc("test", cwd=main, has=["2 passed, 0 failed", "ok    tests/good.anml: A"])
    anmlc("test", ".", "--list", cwd=main, has=["tests/good.anml: A\ntests/good.anml: B\n"])
    anmlc("test", "--filter", ": B", cwd=main, has=["running 1 test of main 0.1.0", "1 passed, 0 failed"])
    anmlc("test", "--junit", "gone/r.xml", cwd=main, status=1, has=["cannot write `gone/r.xml`"], lacks=["running"])
    anmlc("test", "--filter", "nothing", cwd=main, status=1, has=["no test has `nothing` in its name"])
    (tests / "bad.anml").write_text((tests / "good.anml").read_text().replace("< 5 ms", "< 2 ms else \"slow\"").replace("model B", "model Bad"))
    (tests / "broken.anml").write_text("model C {\n  host\n}\n")
    (tests / "static.anml").write_text("import main\nmodel D {\n  main.Box b\n  require hops(b.h[0], b.r) == 2\n  run { duration = 1 s }\n}\n")
    (tests / "long.anml").write_text("import main\nimport std.traffic\nmodel E {\n  main.Box b(size = 9)\n  workload p : traffic.Ping on b.h[*] { to = b.r, interval = 100 us, timeout = 10 ms }\n"
                                     "  run { duration = 10000 h }\n}\n")
    (tests / "errors.anml").write_text("import main\nmodel F {\n  main.Box b(size = 10)  // expect: error(out-of-range)\n"
                                       "  // expect: error(unknown-name)\n  // about this\n  main.Case c\n  run { duration = 1 s }\n}\n")
    said = anmlc("test", "--timeout", "8s", "--junit", "r.xml", "--jobs", "4", cwd=main, status=1,
                 has=["FAIL  tests/bad.anml: A", "tests/bad.anml:6:11", "max_time(p) < 2 ms", "max_time(p) is ", "slow", "FAIL  tests/broken.anml  ", "FAIL  tests/static.anml: D",
                      "ended after 8 s", "ok    tests/bad.anml: Bad", "4 failed"])
    root = xml.etree.ElementTree.parse(main / "r.xml").getroot()
    cases = {(c.get("classname"), c.get("name")): c for c in root.iter("testcase")}
    broken = {key for key, case in cases.items() if case.find("failure") is not None}
    wanted = {("tests/bad.anml", "A"), ("tests/broken.anml", "file"), ("tests/static.anml", "D"), ("tests/long.anml", "E")}
    if broken != wanted or int(root.get("failures")) != 4 or int(root.get("tests")) != len(cases):
        fail(f"report.xml has the failures {broken}\n{said}")
    if cases[("tests/long.anml", "E")].find("failure").get("type") != "timeout":
        fail("a test that took too long is not called so")
    anmlc("check", "tests/errors.anml", cwd=main)
    anmlc("lint", "-Werror", "tests/errors.anml", cwd=main)
    text = (tests / "errors.anml").read_text()
    (tests / "errors.anml").write_text(text.replace("out-of-range", "out-of-reach"))
    anmlc("test", "tests/errors.anml", cwd=main, status=1, has=["[unmet-expectation]", "no error has the name `out-of-reach`", "tests/errors.anml:3:"])
    (tests / "errors.anml").write_text(text.replace("  // expect: error(out-of-range)", ""))
    anmlc("test", "tests/errors.anml", cwd=main, status=1, has=["[out-of-range]", "1 failed"], lacks=["[unmet-expectation]"])
    (tests / "errors.anml").write_text(text.replace("size = 10", "size = 9"))
    for verb in ("check", "lint"):
        anmlc(verb, "tests/errors.anml", cwd=main, status=1, has=["[unmet-expectation]", "tests/errors.anml:3:"])
    anmlc("test", "tests/errors.anml", cwd=main, status=1, has=["there is no error `out-of-range` at line 3"])
    for wrong in ("out-of-range", "error out-of-range", "error(out-of-range"):
        (tests / "errors.anml").write_text(text.replace("expect: error(out-of-range)", f"expect: {wrong}"))
        anmlc("test", "tests/errors.anml", cwd=main, status=1, has=["this expectation has no meaning", "`// expect: error(NAME)`", "tests/errors.anml:3:"])
    (tests / "errors.anml").write_text("model G {\n  host h  //expect: unused\n  run { duration = 1 s }\n}\n")
    anmlc("test", "tests/errors.anml", cwd=main, status=1, has=["FAIL  tests/errors.anml: G", "this expectation has no meaning", "tests/errors.anml:2:11"])
    left = [p for p in pathlib.Path(ENVIRONMENT["TMPDIR"]).iterdir() if p.name.startswith("anmlc-")]
    if left:
        fail(f"{left} are left")


def documenting(here):
    """Errors of a module, of what a `Usage:` shows and of an example are said, and no page is left; `new` makes no folder of `..`."""
    anmlc("new", "gone/../made", cwd=here)
    if (here / "gone").exists() or not (here / "made/anml.toml").exists():
        fail("`new gone/../made` makes other folders than `made`")
    main = here / "made"
    for file, old, new, said in (("src/made.anml", "  port desks", "  link nowhere -- floor : ether.gigabit\n  port desks", "unknown name `nowhere`"),
                                 ("src/made.anml", "office(staff = 4)", "office(nosuch = 4)", "has no parameter `nosuch`"),
                                 ("examples/head_office.anml", "(staff = staff)", "(staff = 999)", "[out-of-range]")):
        text = (main / file).read_text()
        (main / file).write_text(text.replace(old, new))
        anmlc("doc", cwd=main, status=1, has=[said])
        if (main / ".anml").exists():
            fail(f"pages are left where {file} has errors")
        (main / file).write_text(text)
    anmlc("doc", cwd=main, has=[".anml/doc/index.html"])


def failing(here):
    """`// expect: failure` is of a requirement of what is measured, which is not met."""
    main = package(here / "main", "main")
    tests = main / "tests"
    tests.mkdir()
    text = ("import std.ether\nimport std.traffic\nmodel Slow {\n  host a\n  host b\n  link a -- b : ether.gigabit { delay = 10 ms }\n"
            "  workload ping : traffic.Ping on a { to = b, interval = 10 ms }\n"
            "  require max_time(ping) < 5 ms  // expect: failure\n  // expect: failure, too\n  // since it takes 20 ms\n  require mean_time(ping) < 6 ms\n"
            "  require failed(ping) < 1 %\n  run { duration = 1 s }\n}\n")
    (tests / "slow.anml").write_text(text)
    anmlc("test", cwd=main, has=["1 passed, 0 failed"])
    (tests / "slow.anml").write_text(text.replace("10 ms }", "1 ms }", 1))
    anmlc("test", cwd=main, status=1, has=["[unmet-expectation]", "the requirement of line 8 does not fail", "tests/slow.anml:8:", "max_time(ping) is"])
    (tests / "slow.anml").write_text(text.replace("  // expect: failure\n", "\n"))
    anmlc("test", cwd=main, status=1, has=["[requirement-failed]", "`max_time(ping) < 5 ms` does not hold"], lacks=["[unmet-expectation]"])
    (tests / "slow.anml").write_text(text.replace("host b\n", "host b  // expect: failure\n"))
    anmlc("test", cwd=main, status=1, has=["no requirement of what is measured stands at line 5", "error(requirement-failed)"])
    (tests / "slow.anml").write_text("// expect: failure\n" + text)
    anmlc("test", cwd=main, status=1, has=["this expectation has no meaning", "it belongs to a requirement in a model"])
    (tests / "slow.anml").write_text(text.replace("host b\n", "host b // expect: error(unknown-name)\n"))
    anmlc("test", cwd=main, status=1, has=["a file with expected errors is not run"])


def said_once(here):
    """A package that several want is missing once; the names that none can have are said as such."""
    library = repository(package(here / "lib", "lib"), "v1")
    package(here / "middle", "middle", f'lib = {{ git = "{library}", tag = "v1" }}')
    main = package(here / "main", "main", f'lib = {{ git = "{library}", tag = "v1" }}', 'middle = { path = "../middle" }')
    name = model(main, "lib")
    said = anmlc("check", name, cwd=main, status=1, has=["[missing-dependency]", "anml.toml:6:1", "`main` needs it", "../middle/anml.toml:6:1", "`middle` needs it, too"])
    if said.count("[missing-dependency]") != 1:
        fail("what is missing is said more than once\n" + said)
    anmlc("add", cwd=main)
    module = main / ".anml/deps/lib/src/lib.anml"
    module.write_text(module.read_text() + "// mine\n")
    said = anmlc("check", name, cwd=main, status=1, has=["`middle` needs it, too"])
    if said.count("[changed-dependency]") != 1:
        fail("what was changed is said more than once\n" + said)
    anmlc("new", "std", cwd=here, status=1, has=["`std` is no name of a package", "`std` is the standard library"])
    anmlc("new", "host", cwd=here, status=1, has=["it is a word of the language", "anmlc new my_host"])
    anmlc("new", "1st", cwd=here, status=1, has=["first a letter"])
    if any((here / name).exists() for name in ("std", "host", "1st")):
        fail("`new` has left something behind")


def main():
    for part in (tutorial, starting, editing, locking, graphs, archives, nothing_is_run, testing, failing, documenting, said_once):
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder).resolve() / "here"
            here.mkdir()
            temporary = pathlib.Path(folder).resolve() / "tmp"
            temporary.mkdir()
            ENVIRONMENT["TMPDIR"] = str(temporary)
            before = len(failures)
            part(here)
            print(f"{part.__name__}: {len(failures) - before} failures", flush=True)
    print("\n".join(failures))
    return bool(failures)


sys.exit(main())

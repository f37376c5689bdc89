#!/usr/bin/env python3
"""Makes a wheel of an installation: the Python package with anmlc and all that it needs.

Usage: wheel.py PREFIX FOLDER. PREFIX is what `cmake --install BUILD --strip` made; the wheel goes into FOLDER, and its
path is printed. pip puts anmlc beside the interpreter's programs and the runtime into lib/anml beside them, where
anmlc looks. The tag is the C library of this machine: anmlc and emulators ask for no version that it has not. Times
in the file are $SOURCE_DATE_EPOCH's, or 1980.
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What every Linux of that C library has.
SYSTEM = r"(libc\.so\.6|libm\.so\.6|ld-linux-[a-z0-9_-]+\.so\.[12])$"


def python(*words, **more):
    subprocess.run([sys.executable, "-m", *words], check=True, stdout=subprocess.DEVNULL, **more)


def readelf(*words):
    return subprocess.run(["readelf", "-W", *words], check=True, capture_output=True, text=True).stdout


def check(path, own, libc):
    """Ends with a message where the file would not run on another machine with that C library."""
    for name in re.findall(r"NEEDED.*\[(.*)\]", readelf("-d", path)):
        if not re.match(SYSTEM, name) and name not in own:
            sys.exit(f"wheel.py: {path} needs {name}, which is not in the wheel")
    asked = [tuple(map(int, v.split("."))) for v in re.findall(r"\bGLIBC_([0-9.]+)\b", readelf("-V", path))]
    if asked and max(asked) > libc:
        sys.exit(f"wheel.py: {path} needs version {max(asked)} of the C library")


def main(prefix, folder):
    name, version = platform.libc_ver()
    if name != "glibc":
        sys.exit("wheel.py: this system's C library is not glibc")
    libc = tuple(map(int, version.split(".")[:2]))
    tag = f"py3-none-manylinux_{libc[0]}_{libc[1]}_{platform.machine()}"
    environment = {**os.environ, "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", "315532800")}
    with tempfile.TemporaryDirectory(prefix="anml-wheel-") as scratch:
        scratch = pathlib.Path(scratch)
        source = scratch / "source"
        shutil.copytree(ROOT / "bindings/python", source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
        python("pip", "--disable-pip-version-check", "wheel", "--no-deps", "--no-index", "--no-build-isolation", "-w", scratch / "pure", source, env=environment)
        [pure] = (scratch / "pure").glob("*.whl")
        tree = scratch / "tree"
        with zipfile.ZipFile(pure) as file:
            file.extractall(tree)
        [info] = tree.glob("*.dist-info")
        data = tree / info.name.replace(".dist-info", ".data")
        (data / "scripts").mkdir(parents=True)
        shutil.copy(prefix / "bin/anmlc", data / "scripts/anmlc")
        for part in ("lib/anml", "share/man", "share/bash-completion", "share/zsh", "share/fish", "share/doc/anml/terms", "share/anml/editors"):
            shutil.copytree(prefix / part, data / "data" / part)
        shutil.copy(prefix / "share/doc/anml/copyright", data / "data/share/doc/anml")
        runtime = data / "data/lib/anml"
        own = [path.name for path in runtime.glob("*.so.*")]
        for path in [data / "scripts/anmlc", *runtime.glob("*.so.*")]:
            check(path, own, libc)
        about = info / "WHEEL"
        text = re.sub(r"^Root-Is-Purelib: .*$", "Root-Is-Purelib: false", about.read_text(), flags=re.M)
        about.write_text(re.sub(r"^Tag: .*$", f"Tag: {tag}", text, flags=re.M))
        for path in tree.rglob("*"):
            path.chmod(0o755 if path.is_dir() or path.parent.name == "scripts" else 0o644)
        folder.mkdir(parents=True, exist_ok=True)
        python("wheel", "pack", "-d", folder.resolve(), tree, env=environment)
    print(folder / f"{info.name.removesuffix('.dist-info')}-{tag}.whl")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))

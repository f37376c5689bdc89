#!/usr/bin/env python3
"""Carries out the Dockerfile without Docker, as root: each stage in a root of its own, which debootstrap makes of Debian.

Usage: dockerfile.py FOLDER. The stages' roots stay in FOLDER, and are taken as they are where they are there; the last
one's compiler then compiles and runs a model. Takes 15 minutes and 3 GB, and debootstrap and Debian's packages.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys


def instructions(text):
    """(NAME, rest) of each; a line that ends with a backslash goes on."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in joined.split("\n")]


def stages(text):
    """(name, instructions without FROM) of each."""
    found = []
    for name, rest in instructions(text):
        if name == "FROM":
            found.append((rest.split(" AS ")[1] if " AS " in rest else str(len(found)), [("FROM", rest.split()[0])]))
        else:
            found[-1][1].append((name, rest))
    return found


def in_root(root, folder, command):
    script = """mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$1" /bin/sh -c 'cd "$0" && eval "$1"' "$2" "$3" """
    subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", root, folder, command], check=True,
                   env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"})


def copy(source, target, left_out):
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, symlinks=True, ignore=left_out)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def carry_out(context, folder):
    roots = {}
    ignored = [word.removeprefix("**/").strip("/") for word in (context / ".dockerignore").read_text().split()]
    for name, steps in stages((context / "Dockerfile").read_text()):
        root = roots[name] = folder / name
        work = "/"
        entry = []
        for step, rest in steps:
            print(f"== {name}: {step} {rest}", flush=True)
            if step == "FROM":
                if root.exists():
                    continue
                suite = re.fullmatch(r"debian:(\d+)-slim", rest).group(1)
                mirror = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)"], check=True, capture_output=True, text=True).stdout.split()[0]
                subprocess.run(["debootstrap", "--variant=minbase", {"12": "bookworm"}[suite], root, mirror], check=True, stdout=subprocess.DEVNULL)
                shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
                for part in ("sources.list", "sources.list.d"):  # the mirror that this system uses
                    if (pathlib.Path("/etc/apt") / part).exists():
                        copy(pathlib.Path("/etc/apt") / part, root / "etc/apt" / part, None)
            elif step == "WORKDIR":
                work = rest
                (root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
            elif step == "COPY":
                words = shlex.split(rest)
                origin = roots[words.pop(0).removeprefix("--from=")] if words[0].startswith("--from=") else context
                target = root / words[-1].lstrip("/")
                for pattern in words[:-1]:
                    sources = [origin] if pattern == "." else sorted(origin.glob(pattern.lstrip("/")))
                    if not sources:
                        sys.exit(f"nothing to copy: {pattern}")
                    for source in sources:
                        copy(source, target / source.name if words[-1].endswith("/") else target, shutil.ignore_patterns(*ignored) if origin == context else None)
            elif step == "RUN":
                in_root(root, work, rest)
            elif step == "ENTRYPOINT":
                entry = json.loads(rest)
    return root, entry


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    context = pathlib.Path(__file__).resolve().parents[2]
    root, entry = carry_out(context, folder)
    shutil.copy(context / "examples/paper-wan/wan.anml", root / "work/wan.anml")
    in_root(root, "/work", f"{shlex.join([*entry, 'wan.anml', '-D', 'N=2', '-D', 'H=2', '-o', 'wan'])} && ./wan simulate")
    print("== the image's compiler works")


if __name__ == "__main__":
    if len(sys.argv) != 2 or os.geteuid() != 0:
        sys.exit(__doc__)
    main()

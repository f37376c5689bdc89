# How lit runs the file tests. Tests call `anmlc`, `FileCheck` and `not` by name, and:
#   %check       FileCheck that compares whole lines, blanks included; update.py can rewrite what it reads
#   %python      the interpreter that runs lit
#   %{path}      the PATH that tests run with
#   %exits N     runs a command and succeeds if it exits with N
import os
import shutil

import lit.formats

config.name = "anml"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".anml", ".test"]
config.excludes = ["Inputs", "gallery"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get("work", "/tmp/anml-file-tests")

# A folder of their own for the tools, so that no other anmlc can be found first.
tools = os.path.join(config.test_exec_root, "bin")
shutil.rmtree(tools, ignore_errors=True)
os.makedirs(tools)
filecheck = lit_config.params["filecheck"]
for name, path in (
    ("anmlc", lit_config.params["anmlc"]),
    ("FileCheck", filecheck),
    ("not", os.path.join(os.path.dirname(os.path.realpath(filecheck)), "not")),
):
    os.symlink(path, os.path.join(tools, name))
config.environment["PATH"] = tools + os.pathsep + config.environment["PATH"]
config.substitutions += [
    ("%check", "FileCheck --match-full-lines --strict-whitespace"),
    ("%python", os.sys.executable),
    ("%{path}", config.environment["PATH"]),
    ("%exits", "sh " + os.path.join(config.test_source_root, "exits.sh")),
]
# Sanitized builds have no bitcode of the runtime.
anmlc = os.path.realpath(lit_config.params["anmlc"])
if os.path.exists(os.path.join(os.path.dirname(anmlc), "../lib/anml/anmlrt.bc")):
    config.available_features.add("bitcode")
# A test must not depend on who runs it.
config.environment.update({"LC_ALL": "C.UTF-8", "TERM": "dumb"})
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "HOME", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

"""sarif.py ANMLC: what `--error-format=sarif` prints is a SARIF 2.1.0 log: the properties that the standard requires, indices
that fit, places inside their files, fixes that mend, and the rules that anmlc registers; and what GitHub's code scanning
asks of logs besides (docs.github.com, "SARIF support for code scanning"), as a JSON schema."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

ANMLC = os.path.abspath(sys.argv[1])
CASES = {
    "words.anml": "model M {\n  require 1 < 2 and 2 < 3\n  router b;\n  link a -- b { rate = 1 Mbps }\n  run { duration = 1 s }\n}\n",
    "names.anml": "import std.ether\ncomponent A { router x }\nmodel M {\n  A a[2]\n  link a[0].y -- a[1].x : ether.fst\n"
    "  run { duration = 1 s }\n}\n",
    "instance.anml": "component A(n: int) { require n > 3\n router x }\nmodel M {\n  A a[2](n = 1)\n  run { duration = 1 s }\n}\n",
    "überall & more.anml": "model M {\n  router \u00e9\n}\n",
    "library.anml": "import std.web\nmodel M {\n  endpoint e { simulated = web.server(workers = -1) }\n  run { duration = 1 s }\n}\n",
    "good.anml": "model M {\n  router a\n  router b\n  link a -- b { rate = 1 Mbps }\n  run { duration = 1 s }\n}\n",
}


TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
REGION = {"type": "object", "required": ["startLine", "startColumn", "endLine", "endColumn"],
          "properties": {k: {"type": "integer", "minimum": 1} for k in ("startLine", "startColumn", "endLine", "endColumn")}}
LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {"physicalLocation": {
        "type": "object",
        "required": ["artifactLocation", "region"],
        "properties": {
            # Relative references: a host takes them from the root of the repository.
            "artifactLocation": {"type": "object", "required": ["uri"],
                                 "properties": {"uri": {"type": "string", "pattern": "^[^/:][^:]*$"}}},
            "region": REGION,
        },
    }},
}
GITHUB = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "items": {
            "type": "object",
            "required": ["tool", "results"],
            "properties": {
                "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
                    "type": "object",
                    "required": ["name", "rules"],
                    "properties": {"rules": {"type": "array", "items": {
                        "type": "object",
                        "required": ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"],
                        "properties": {
                            "id": {"type": "string", "minLength": 1, "maxLength": 255},
                            "shortDescription": {**TEXT, "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 1024}}},
                            "fullDescription": {**TEXT, "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 1024}}},
                            "help": {**TEXT, "required": ["text", "markdown"]},
                            "defaultConfiguration": {"type": "object", "required": ["level"]},
                        },
                    }}},
                }}},
                "results": {"type": "array", "maxItems": 25000, "items": {
                    "type": "object",
                    "required": ["ruleId", "ruleIndex", "level", "message", "locations"],
                    "properties": {"message": TEXT, "level": {"enum": ["note", "warning", "error"]},
                                   "locations": {"type": "array", "minItems": 1, "maxItems": 10, "items": LOCATION}},
                }},
            },
        }},
    },
}


def check_location(location, files):
    for place in [location["physicalLocation"]] if "physicalLocation" in location else []:
        artifact, region = place["artifactLocation"], place["region"]
        assert artifact["uri"] and " " not in artifact["uri"] and "<" not in artifact["uri"], artifact
        assert 1 <= region["startLine"] <= region["endLine"], region
        assert region["startColumn"] >= 1 and region["endColumn"] >= 1
        assert region["startLine"] < region["endLine"] or region["startColumn"] <= region["endColumn"]
        assert region["byteOffset"] >= 0 and region["byteLength"] >= 0
        assert {"location": artifact, "encoding": "UTF-8", "sourceLanguage": "anml"} in files, artifact


def check(log, failed):
    jsonschema.validate(log, GITHUB)
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    assert len(log["runs"]) == 1
    run = log["runs"][0]
    driver = run["tool"]["driver"]
    assert driver["name"] == "anmlc" and driver["version"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"] == [{"executionSuccessful": not failed}]
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for rule in driver["rules"]:
        assert rule["fullDescription"]["text"] and rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        for location in result["locations"] + result.get("relatedLocations", []):
            check_location(location, run["artifacts"])
        for i, location in enumerate(result.get("relatedLocations", [])):
            assert location["id"] == i and location["message"]["text"]
    return run["results"]


def mended(text, result):
    """The text after the result's first fix, by its bytes."""
    data = text.encode()
    change = result["fixes"][0]["artifactChanges"][0]["replacements"][0]
    at, length = change["deletedRegion"]["byteOffset"], change["deletedRegion"]["byteLength"]
    return (data[:at] + change["insertedContent"]["text"].encode() + data[at + length :]).decode()


def main():
    with tempfile.TemporaryDirectory() as folder:
        results = {}
        for name, text in CASES.items():
            (pathlib.Path(folder) / name).write_text(text)
            command = [ANMLC, "check", "--error-format=sarif", name]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
            results[name] = check(json.loads(done.stderr), done.returncode != 0)
            assert done.returncode == (0 if name == "good.anml" else 1), done.stderr
        words = results["words.anml"]
        assert [r["ruleId"] for r in words] == ["syntax-error", "syntax-error"], words
        assert "1 < 2 && 2 < 3\n" in mended(CASES["words.anml"], words[0])
        assert "router b\n" in mended(CASES["words.anml"], words[1])
        names = {r["message"]["text"].split("\n")[0]: r for r in results["names.anml"]}
        assert "ether.fast" in mended(CASES["names.anml"], names["`std.ether` has no `fst`"])
        path = results["instance.anml"][0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]
        assert path.startswith("a"), path
        uri = results["überall & more.anml"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri == "%C3%BCberall%20%26%20more.anml", uri
        assert results["good.anml"] == []
        # A finding without a place stands at the beginning of the file; paths below the current folder are relative to it.
        path = str(pathlib.Path(folder).resolve() / "parts" / "empty.anml")
        os.mkdir(os.path.dirname(path))
        pathlib.Path(path).write_text("// nothing\n")
        log = pathlib.Path(folder) / "anml.sarif"
        done = subprocess.run([ANMLC, "check", "--format=sarif", "-o", log, path], cwd=folder, capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and not done.stderr, done.stderr
        place = check(json.loads(log.read_text()), True)[0]["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "parts/empty.anml" and place["region"]["startLine"] == 1, place
        # Of several files one log.
        command = [ANMLC, "fmt", "--check", "--error-format=sarif", "words.anml", "names.anml", "good.anml"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
        assert len(check(json.loads(done.stderr), True)) == 2, done.stderr
    print("sarif: fine")


main()

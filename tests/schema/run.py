#!/usr/bin/python3
"""Holds the JSON that the program writes against the schema beside this file, and the schema against that JSON.

usage: tests/schema/run.py [FILE...]    FILE: saved results to check beside those of the tests

The documents are those of the unit test of saved files, all that are kept in the tree, and FILEs. Prints TAP.
Debian's package of the validator is python3-jsonschema.
"""
import copy
import glob
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("1..0 # SKIP the Python module jsonschema is not installed")
    sys.exit(0)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(ROOT)
SCHEMA = json.load(open("tests/schema/result.schema.json", encoding="utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
KEPT = ("tests/fixtures/saved/**/*.json", "tests/golden/**/*.json")
UNIT_TESTS = "build/*/tests/test_record_json"


def place(path):
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def strict(schema):
    """The schema of what this version writes: without the members that came later a result is an older one."""
    schema = copy.deepcopy(schema)
    for _, value in objects(schema):
        if isinstance(value.get("properties"), dict) and value.get("additionalProperties") is False:
            value["required"] = list(value["properties"])
    return schema


def faults(document, validator):
    return [f"{place(error.absolute_path)}: {error.message[:300]}" for error in validator.iter_errors(document)][:10]


def refuse_constant(word):
    raise ValueError(f"'{word}' is no JSON")


def read(text):
    return json.loads(text, parse_constant=refuse_constant)


def is_latest(document):
    """Whether it has the members that came last; what has no evidence may be of any version."""
    evidence = [run["evidence"] for test in document["tests"] for run in test["runs"] if run["evidence"]]
    return any("idle_states" in each for each in evidence)


def unit_documents():
    """What the unit test of saved files writes, by name."""
    programs = sorted(glob.glob(UNIT_TESTS), key=os.path.getmtime)
    documents = {}
    if programs:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([programs[-1]], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env=dict(os.environ, SPEEDTEST_HD_DOCUMENTS=folder))
            for name in sorted(os.listdir(folder)):
                documents["unit test's " + name] = read(open(os.path.join(folder, name), encoding="utf-8").read())
    return documents


def kept_documents(arguments):
    documents = {}
    for path in sorted(path for pattern in KEPT for path in glob.glob(pattern, recursive=True)) + arguments:
        document = read(open(path, encoding="utf-8").read())
        if isinstance(document, dict) and document.get("format") == "speedtest-hd":
            documents[path] = document
    return documents


def objects(value, path=()):
    """All objects of a document with their paths."""
    if isinstance(value, dict):
        yield path, value
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from objects(each, path + (key,))


def spots(document):
    """One path for each kind of object: elements of one list are of one kind."""
    kinds = {}
    for path, _ in objects(document):
        kinds.setdefault(tuple("*" if isinstance(part, int) else part for part in path), path)
    return kinds.values()


def at(document, path):
    for part in path:
        document = document[part]
    return document


def not_noticed(document, validator):
    """Members that may be missing or added without a fault of the schema."""
    found = []
    for path in spots(document):
        spoilt = copy.deepcopy(document)
        at(spoilt, path)["another"] = 1
        if validator.is_valid(spoilt):
            found.append(f"{place(path)} may have more members")
        for key in at(document, path):
            spoilt = copy.deepcopy(document)
            del at(spoilt, path)[key]
            if validator.is_valid(spoilt):
                found.append(f"{place(path + (key,))} may be missing")
    return found


def keys_of_schema():
    return {key for _, value in objects(SCHEMA) if isinstance(value.get("properties"), dict)
            and value.get("additionalProperties") is False for key in value["properties"]}


def small(document):
    """The same with one element of each long list, for there are many ways to spoil it."""
    document = copy.deepcopy(document)
    document["environment"], document["tests"] = document["environment"][:1], document["tests"][:1]
    for test in document["tests"]:
        test["runs"] = test["runs"][:1]
    document["passages"] = document["passages"][:1]
    if document["comparison"]:
        document["comparison"]["rows"] = document["comparison"]["rows"][:1]
    return document


def main():
    count, failed = 0, 0

    def report(name, problems):
        nonlocal count, failed
        count += 1
        failed += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {count} - {name}")
        for problem in problems:
            print(f"# {problem}")

    try:
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        report("the schema is one", [])
    except jsonschema.SchemaError as error:
        report("the schema is one", [error.message])
    latest = jsonschema.Draft7Validator(strict(SCHEMA))
    made = unit_documents()
    report("the unit test wrote documents", [] if made else [f"no {UNIT_TESTS} is built"])
    documents = {**made, **kept_documents(sys.argv[1:])}
    for name, document in documents.items():
        is_older = name not in made and not is_latest(document)
        report(f"valid: {name}", faults(document, VALIDATOR if is_older else latest))
    full = [small(document) for name, document in made.items() if name.endswith((" full.json", " slog-1.json"))]
    report("no member can be missing, none can be added",
           [problem for each in full for problem in not_noticed(each, latest)])
    written = {key for document in documents.values() for _, value in objects(document) for key in value}
    report("every member of the schema is written", [f"never written: {key}" for key in keys_of_schema() - written])
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

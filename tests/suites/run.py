#!/usr/bin/env python3
"""Runs a suite of programs with known data races by `warpdojo play`, and counts what was found.

The suites are other people's and are not part of this repository: fetch one, then

    tests/suites/run.py scor PATH/TO/ScoR/microbenchmarks/src
    tests/suites/run.py gpuverify PATH/TO/gpuverify/testsuite/CUDA
    tests/suites/run.py indigo PATH/TO/HiRace/.../generated -j 2
    tests/suites/run.py sanitizer PATH/TO/compute-sanitizer-samples

Each suite says by its own names or marks which programs are wrong. Counted are
found (wrong, and a finding of the right kind), missed (wrong, none), false (right, and a finding of that
kind), clean (right, none) and refused (does not compile, crashes, or ends at the time limit).
Exit status: 0 when nothing was missed, false or refused.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

RACES = {"race"}
DIVERGENCE = {"race", "barrier_divergence"}
ANY = DIVERGENCE | {"absent_lane", "out_of_bounds", "uninitialized", "misaligned", "use_after_free",
                    "wrong_space", "leak"}


def scor(file, text):
    """ScoR's micro-benchmarks: race_... and norace_...; memory that nothing wrote is not their subject."""
    if file.name.startswith("norace_"):
        return False, RACES
    return (True, RACES) if file.name.startswith("race_") else None


def gpuverify(file, text):
    """GPUVerify: the first line is //pass or //xfail:KIND."""
    if text.startswith("//pass"):
        return False, DIVERGENCE
    mark = re.match(r"//xfail:\s*(\w+)", text)
    return (True, DIVERGENCE) if mark else None


def indigo(file, text):
    """Indigo, as HiRace generates it: the names of wrong programs contain Bug."""
    return ("Bug" in file.name, ANY if "boundsBug" in file.name else DIVERGENCE)


def sanitizer(file, text):
    """Compute Sanitizer's samples: each file is a demonstration of something to be found."""
    return (True, ANY) if "int main" in text else None


SUITES = {f.__name__: f for f in (scor, gpuverify, indigo, sanitizer)}


def play(program, file, limit_s):
    """Kinds of the findings, or None where the program was refused, and why."""
    try:
        done = subprocess.run([program, "play", str(file), "--json"], capture_output=True, text=True,
                              timeout=limit_s)
    except subprocess.TimeoutExpired:
        return None, "time limit"
    at = done.stdout.find('{"schema"')
    if at < 0:
        at = done.stdout.find("{")
    try:
        run = json.JSONDecoder().raw_decode(done.stdout[at:])[0]["runs"][0]
    except (ValueError, KeyError, IndexError):
        return None, f"exit status {done.returncode}"
    if run["status"] in ("compile_error", "crash", "timeout"):
        messages = [d["message"].splitlines()[0] for d in run["diagnostics"]]
        return None, run["status"] + (": " + messages[0] if messages else "")
    return {d["kind"] for d in run["diagnostics"] if d["severity"] != "warning" or d["kind"] == "leak"}, ""


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("suite", choices=sorted(SUITES))
    ask.add_argument("folder", type=pathlib.Path)
    ask.add_argument("-j", type=int, default=1, help="programs at once")
    ask.add_argument("--limit", type=float, default=120, help="seconds of the clock for one program")
    ask.add_argument("--program", default=os.environ.get("WARPDOJO", "build/release/warpdojo"))
    given = ask.parse_args()

    programs = []
    for file in sorted(given.folder.rglob("*.cu")):
        truth = SUITES[given.suite](file, file.read_text(errors="replace"))
        if truth:
            programs.append((file, *truth))
    if not programs:
        sys.exit(f"no program of {given.suite} below {given.folder}")

    count = dict.fromkeys(("found", "missed", "false", "clean", "refused"), 0)
    with concurrent.futures.ThreadPoolExecutor(given.j) as pool:
        results = pool.map(lambda p: play(given.program, p[0], given.limit), programs)
        for (file, wrong, kinds), (seen, why) in zip(programs, results):
            if seen is None:
                outcome = "refused"
            elif wrong:
                outcome = "found" if seen & kinds else "missed"
            else:
                outcome = "false" if seen & kinds else "clean"
            count[outcome] += 1
            if outcome in ("missed", "false", "refused"):
                said = why or " ".join(sorted(seen))
                print(f"{outcome:8} {file.relative_to(given.folder)} {said}", flush=True)
    print(given.suite + ": " + ", ".join(f"{n} {outcome}" for outcome, n in count.items()))
    sys.exit(1 if count["missed"] or count["false"] or count["refused"] else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs a suite of programs with known data races by `warpdojo play`, and counts what was found.

The suites are other people's and are not part of this repository: fetch one, then

    tests/suites/run.py scor PATH/TO/ScoR/microbenchmarks/src
    tests/suites/run.py gpuverify PATH/TO/gpuverify/testsuite/CUDA
    tests/suites/run.py indigo PATH/TO/HiRace-Artifact/indigo/indigo_sources -j 2
    tests/suites/run.py sanitizer PATH/TO/compute-sanitizer-samples

Each suite says by its own names or marks which programs are wrong. Counted are
found (wrong, and a finding of the right kind), missed (wrong, none), false (right, and a finding of that
kind), clean (right, none), quiet (wrong for other inputs only) and refused (does not compile, crashes, or
ends at the time limit).
Exit status: 0 when nothing was missed, false or refused.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

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
    """Indigo, as the HiRace artifact has it: the names of wrong programs contain Bug.

    A program with only a boundsBug reads a vertex's first neighbour without looking whether it has one. That
    is wrong only for a graph whose last vertices have none: where nothing is found, it counts as quiet.
    """
    bugs = set(re.findall(r"[a-z]+Bug", file.name))
    return (bool(bugs), ANY if "boundsBug" in bugs else DIVERGENCE, bugs == {"boundsBug"})


def with_graph(file, folder):
    """A copy of an Indigo program that has its graph in the source, since programs run without files here.

    The graph is input/DAG_100n_200e.egr of the artifact, with 256 threads per block and 1024 blocks: what the
    artifact's own scripts take.
    """
    root = next(p for p in file.parents if (p / "indigo_include").is_dir())
    data = (root / "input" / "DAG_100n_200e.egr").read_bytes()
    words = struct.unpack(f"<{len(data) // 4}i", data)
    nodes, edges = words[:2]
    index, neighbours = words[2:3 + nodes], words[3 + nodes:3 + nodes + edges]
    array = "static const int {}[] = {{{}}};\n".format
    listed = [", ".join(map(str, numbers)) for numbers in (index, neighbours)]
    reader = (array("graph_index", listed[0]) + array("graph_list", listed[1])
              + f"""ECLgraph readECLgraph(const char*) {{
  ECLgraph g{{{nodes}, {edges}, (int*)malloc(sizeof graph_index), (int*)malloc(sizeof graph_list)}};
  for (int i = 0; i <= {nodes}; ++i) g.nindex[i] = graph_index[i];
  for (int i = 0; i < {edges}; ++i) g.nlist[i] = graph_list[i];
  return g;
}}

""")
    header = (root / "indigo_include" / "indigo_cuda.h").read_text()
    begin, end = header.index("ECLgraph readECLgraph"), header.index("void freeECLgraph")
    header = header[:begin] + reader + header[end:]
    copy = pathlib.Path(folder) / file.name
    text = file.read_text(errors="replace")
    include = '#include "indigo_cuda.h"'
    # The program's own lines keep their numbers up to the header's.
    copy.write_text(text.replace(include, header))
    return copy, ["DAG_100n_200e.egr", "256", "1024"]


def sanitizer(file, text):
    """Compute Sanitizer's samples: each file is a demonstration of something to be found."""
    return (True, ANY) if "int main" in text else None


SUITES = {f.__name__: f for f in (scor, gpuverify, indigo, sanitizer)}


def play(program, suite, file, limit_s):
    """Kinds of the findings, or None where the program was refused, and why."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        if suite == "indigo":
            file, arguments = with_graph(file, folder)
        return played(program, file, arguments, limit_s)


def played(program, file, arguments, limit_s):
    try:
        done = subprocess.run([program, "play", "--json", str(file), *arguments], capture_output=True,
                              text=True, timeout=limit_s)
    except subprocess.TimeoutExpired:
        return None, "time limit"
    try:
        run = json.loads(done.stdout)["runs"][0]
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
            programs.append((file, *truth) if len(truth) == 3 else (file, *truth, False))
    if not programs:
        sys.exit(f"no program of {given.suite} below {given.folder}")

    count = dict.fromkeys(("found", "missed", "false", "clean", "quiet", "refused"), 0)
    with concurrent.futures.ThreadPoolExecutor(given.j) as pool:
        results = pool.map(lambda p: play(given.program, given.suite, p[0], given.limit), programs)
        for (file, wrong, kinds, may_be_quiet), (seen, why) in zip(programs, results):
            if seen is None:
                outcome = "refused"
            elif wrong:
                outcome = "found" if seen & kinds else "quiet" if may_be_quiet else "missed"
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

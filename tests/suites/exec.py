#!/usr/bin/env python3
"""Builds and runs other people's CUDA programs by `warpdojo exec`, one per folder, and prints a table.

The programs are not part of this repository: fetch HeCBench or NVIDIA's samples, then

    tests/suites/exec.py PATH/TO/HeCBench/src --like '*-cuda' -j 2
    tests/suites/exec.py PATH/TO/cuda-samples/Samples/0_Introduction

A folder with a Makefile of HeCBench's form is built by make. It is run with the arguments of its `run` target;
none is larger than --most, and the last number, a count of repeats, becomes 1. Any other folder is built from
its own .cu and .cpp files by nvcc, with Common/ of the samples as include folder, and run without arguments.

Columns: folder; built (yes, no); ran; findings by kind; calls that are not supported; seconds of the run.
ran: "yes" where it ended by itself with status 0, else its status, "limit", or "no call" where it ended before
its first CUDA call, as without its data. Building changes the folders: use a copy.
Exit status: 0 when every program that was built ran without a finding.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

LIBRARIES = re.compile(r"-l(cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|npp|mpi|GL|nvrtc|cuda)\b|\bmpi\w*\b", re.I)


def hecbench(folder, most):
    """(build command, program, arguments) of a HeCBench folder."""
    makefile = (folder / "Makefile").read_text(errors="replace").replace("\\\n", " ")
    program = re.search(r"^\s*program\s*=\s*(\S+)", makefile, re.M)
    run = re.search(r"^run:.*\n(?:\t\s*#.*\n)*\t\s*(?:\$\(LAUNCHER\)\s*)?(\S+)[ \t]*(.*)$", makefile, re.M)
    arguments = shlex.split(run.group(2).replace("$(program)", "")) if run else []
    numbers = [i for i, a in enumerate(arguments) if a.isdigit()]
    for i in numbers:
        arguments[i] = str(min(int(arguments[i]), most))
    if numbers:
        arguments[numbers[-1]] = "1"
    return "make ARCH=sm_75 CC=nvcc", "./" + (program.group(1) if program else "main"), arguments


def sources(folder):
    """The same of a folder that holds nothing but sources."""
    files = sorted(p.name for p in folder.iterdir() if p.suffix in (".cu", ".cpp", ".cc"))
    includes = [f"-I{up / 'Common'}" for up in folder.parents if (up / "Common").is_dir()]
    return shlex.join(["nvcc", "-O2", "-std=c++17", "-I.", *includes, "-o", "exec_program", *files]), "./exec_program", []


def run(program, folder, options):
    try:
        return build_and_run(program, folder, options)
    except (OSError, ValueError, KeyError) as e:
        return {"name": folder.name, "built": "error", "ran": "-", "findings": str(e), "missing": "-", "seconds": "-"}


def build_and_run(program, folder, options):
    result = {"name": folder.name, "built": "no", "ran": "-", "findings": "-", "missing": "-", "seconds": "-"}
    make = (folder / "Makefile").exists()
    build, binary, arguments = hecbench(folder, options.most) if make else sources(folder)
    text = (folder / "Makefile").read_text(errors="replace") if make else ""
    if LIBRARIES.search(text) and not options.libraries:
        result["built"] = "library"
        return result
    flags = subprocess.run([program, "exec", "--build", 'printf "%s\\n%s" "$NVCC_APPEND_FLAGS" "$PATH"', "/bin/true"],
                           capture_output=True, text=True).stdout.split("\n")
    environment = dict(os.environ, NVCC_APPEND_FLAGS=flags[0], PATH=flags[1])
    try:
        done = subprocess.run(build, shell=True, cwd=folder, env=environment, capture_output=True, text=True,
                              timeout=options.build_limit)
    except subprocess.TimeoutExpired:
        result["built"] = "limit"
        return result
    if done.returncode != 0 or not (folder / binary).exists():
        result["why"] = (done.stderr or done.stdout).strip()[:400]
        return result
    result["built"] = "yes"
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [program, "exec", "--json", report.name, *shlex.split(options.options), binary, *arguments]
        started = time.monotonic()
        try:
            done = subprocess.run(["timeout", "-s", "TERM", str(options.limit), *command], cwd=folder, text=True,
                                  capture_output=True, errors="replace", stdin=subprocess.DEVNULL)
        finally:
            result["seconds"] = f"{time.monotonic() - started:.1f}"
        status = done.returncode
        result["ran"] = "yes" if status == 0 else "limit" if status == 124 else f"status {status}"
        result["said"] = done.stderr[-1500:]
        if status != 124 and "made no call of libcudart" in done.stderr:
            result["ran"] = "no call"
        text = pathlib.Path(report.name).read_text()
    diagnostics = json.loads(text)["runs"][0]["diagnostics"] if text else []
    kinds = collections.Counter(d["kind"] for d in diagnostics if d["severity"] == "error")
    result["findings"] = ", ".join(f"{k} {n}" for k, n in sorted(kinds.items())) or "none"
    missing = sorted(d["message"].split()[0] for d in diagnostics if d["kind"] == "unsupported")
    result["missing"] = ", ".join(missing) or "none"
    result["diagnostics"] = diagnostics
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--like", default="*", help="names of folders, such as '*-cuda'")
    parser.add_argument("--program", default=str(pathlib.Path(__file__).parents[2] / "build/release/warpdojo"))
    parser.add_argument("--options", default="--no-time", help="of exec")
    parser.add_argument("--most", type=int, default=65536, help="largest number among the arguments")
    parser.add_argument("--limit", type=int, default=60, help="seconds per run")
    parser.add_argument("--build-limit", type=int, default=180, help="seconds per build")
    parser.add_argument("--libraries", action="store_true", help="programs that need other libraries too")
    parser.add_argument("--details", type=pathlib.Path, help="file for what was found, as JSON")
    parser.add_argument("-j", type=int, default=1)
    options = parser.parse_args()
    folders = sorted(f for f in options.folder.glob(options.like)
                     if f.is_dir() and any(p.suffix == ".cu" for p in f.iterdir()))
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for r in pool.map(lambda f: run(os.path.abspath(options.program), f.resolve(), options), folders):
            results.append(r)
            print(f"{r['name']:32} {r['built']:8} {r['ran']:12} {r['seconds']:>7}  {r['findings']}; {r['missing']}",
                  flush=True)
    if options.details:
        options.details.write_text(json.dumps(results, indent=1))
    built = [r for r in results if r["built"] == "yes"]
    ran = [r for r in built if r["ran"] == "yes"]
    idle = sum(r["ran"] == "no call" for r in built)
    late = sum(r["ran"] == "limit" for r in built)
    clean = [r for r in ran if r["findings"] == "none"]
    print(f"{len(results)} folders, {len(built)} built, {len(ran)} ran to the end ({len(clean)} without a finding), "
          f"{late} were stopped at the limit, {idle} made no CUDA call")
    return 0 if len(clean) == len(built) else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Builds and runs other people's CUDA programs, one per folder, and prints a table.

The programs are not part of this repository: fetch HeCBench or NVIDIA's samples, then

    tests/suites/exec.py PATH/TO/HeCBench/src --like '*-cuda' --sample 60 --by play
    tests/suites/exec.py PATH/TO/cuda-samples/Samples/0_Introduction

--by exec builds with nvcc and runs the executable by `warpdojo exec`; --by play gives the same files to
`warpdojo play`, which compiles them itself. A folder with a Makefile of HeCBench's form is built by make, or for
play from the sources, -I and -D that the Makefile names. It is run with the arguments of its `run` target;
none is larger than --most, and the last number, a count of repeats, becomes 1. --most may be a list. A program that
is stopped at the limit or ends with an error (sizes may be too small for it) runs again with the next number, then with
its sizes as written, then with its repeats as written, as long as that changes its arguments. Counts of repeats that are
macros become 2 where the source guards them by #ifndef. Any other folder is built from the files that its
CMakeLists.txt names, or from its own .cu and .cpp files, and run without arguments. --limit counts processor seconds of
all threads.

--gpu runs what was built for exec on this computer's GPU too and compares what is printed (without lines about time;
numbers to 0.1 %). --beside FILE compares with the details of such a run, for play.

Columns: folder; built (yes, no); ran; processor seconds of the run; findings by kind; calls that are not supported;
same output as on the GPU; the arguments.
ran: "yes" where it ended by itself with status 0, else its status or "limit"; "no data" where it failed and a file among
its arguments is not there, or a .dvc file says that its data are kept elsewhere; "waived" where a
sample of NVIDIA's says so by status 2; "no call" where it ended before its
first CUDA call for another reason. Building changes the folders: use a copy.
Exit status: 0 when every program that was built ran without a finding.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import foreign


WAIVED = 2  # of NVIDIA's samples: the GPU lacks what they need


def run(program, folder, options):
    try:
        return build_and_run(program, folder, options)
    except (OSError, ValueError, KeyError) as e:
        return {"name": folder.name, "built": "error", "ran": "-", "findings": str(e), "missing": "-", "seconds": "-", "same": "-"}


TIMED = re.compile(r"time|second|\b[munµ]?s\b|sec\b|GB|MB/s|FLOP|bandwidth|throughput|elapsed|speed|rate|device|driver|GPU", re.I)


def words_of(printed):
    """What a run printed, without the lines that differ from computer to computer."""
    return [w for line in printed.splitlines() if not TIMED.search(line) for w in re.split(r"[\s,;:=()\[\]]+", line) if w]


def same(one, other):
    a, b = words_of(one), words_of(other)

    def close(x, y):
        try:
            return abs(float(x) - float(y)) <= 1e-3 * max(abs(float(x)), abs(float(y)), 1e-3)
        except ValueError:
            return False
    if len(a) != len(b):
        return "differs"
    return "same" if all(x == y or close(x, y) for x, y in zip(a, b)) else "differs"


def compare(result, native):
    """Sets result["same"] where the program ran to its end both here and on the GPU."""
    if native is None or result["ran"] in ("-", "limit"):
        return
    if native["status"] not in (0, 1) or "no " + "CUDA" in native["printed"]:
        result["same"] = f"GPU: status {native['status']}"
        return
    result["same"] = same(native["printed"], result.get("printed", ""))


def on_gpu(binary, arguments, folder, environment):
    """The same executable by the real runtime."""
    try:
        done = subprocess.run([binary, *arguments], cwd=folder, env=environment, capture_output=True, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, timeout=30)
        return {"status": done.returncode, "printed": done.stdout[:20000]}
    except subprocess.TimeoutExpired:
        return {"status": 124, "printed": ""}


def processor_seconds(group):
    """Of the processes of a group and of their children that have ended."""
    ticks = 0
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            fields = pathlib.Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[2]) == group:
            ticks += sum(int(f) for f in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def limited(command, folder, seconds, environment=None):
    """Runs it until it has used so many processor seconds, or none for two minutes.
    (status or None at the limit, standard output, standard error, processor seconds)"""
    used, grew = 0.0, time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                 env=environment, start_new_session=True)
        late = False
        try:
            while child.poll() is None:
                time.sleep(0.5)
                now = processor_seconds(child.pid)
                if now > used:
                    used, grew = now, time.monotonic()
                if used > seconds or time.monotonic() - grew > 120:
                    late = True
                    os.killpg(child.pid, signal.SIGTERM)
                    child.wait(15)
        except subprocess.TimeoutExpired:
            pass
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        printed = []
        for file in (out, err):
            file.seek(0)
            printed.append(file.read(4 << 20).decode(errors="replace"))
    return None if late else child.returncode, *printed, used


def read_findings(result, diagnostics):
    kinds = collections.Counter(d["kind"] for d in diagnostics
                                if d["severity"] == "error" and d["kind"] not in ("compile", "timeout"))
    result["findings"] = ", ".join(f"{k} {n}" for k, n in sorted(kinds.items())) or "none"
    missing = sorted(d["message"].split()[0] for d in diagnostics if d["kind"] == "unsupported")
    result["missing"] = ", ".join(missing) or "none"
    result["diagnostics"] = diagnostics


def play(program, folder, options):
    result = {"name": folder.name, "built": "no", "ran": "-", "findings": "-", "missing": "-", "seconds": "-", "same": "-"}
    words, arguments = foreign.for_play(folder, options.most[0])
    command = [program, "play", "--json", "--once", "--time-limit", str(options.limit), "--files", ".", *words, "--", *arguments]
    result["command"] = shlex.join(command)
    started = time.monotonic()
    try:
        done = subprocess.run(command, cwd=folder, text=True, capture_output=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=options.limit + options.build_limit)
    except subprocess.TimeoutExpired:
        result.update(built="limit", seconds=f"{time.monotonic() - started:.1f}")
        return result
    result["seconds"] = f"{time.monotonic() - started:.1f}"
    result["said"] = done.stderr[-1500:]
    try:
        report = json.loads(done.stdout)["runs"][0]
    except (ValueError, LookupError):
        result["why"] = "no report: " + (done.stderr or done.stdout).strip()[-400:]
        return result
    diagnostics = report.get("diagnostics", [])
    read_findings(result, diagnostics)
    result["printed"] = report.get("printed", "")[:20000]
    if report["status"] == "compile_error":
        first = [d for d in diagnostics if d["severity"] == "error"] or diagnostics
        result["why"] = " | ".join(f"{d.get('where', {}).get('file', '')}:{d.get('where', {}).get('line', '')} {d['message']}" for d in first)[:400]
        return result
    result["built"] = "yes"
    result["ran"] = "yes" if done.returncode == 0 else "limit" if report["status"] == "timeout" else \
        f"status {done.returncode}" if report["status"] == "pass" else report["status"]
    compare(result, options.natives.get(folder.name))
    return result


def execute(program, folder, options, binary, arguments, result):
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [program, "exec", "--json", report.name, *shlex.split(options.options), binary, *arguments]
        status, printed, said, seconds = limited(command, folder, options.limit)
        text = pathlib.Path(report.name).read_text()
    result.update(seconds=f"{seconds:.1f}", said=said[-1500:], printed=printed[:20000], arguments=shlex.join(arguments),
                  ran="limit" if status is None else "yes" if status == 0 else f"status {status}")
    called = "made no call of libcudart" not in said
    if status is not None and (not called or status != 0) and foreign.lacks_data(folder, arguments):
        result["ran"] = "no data"
    elif status is not None and not called:
        result["ran"] = "no call"
    elif status == WAIVED and not (folder / "Makefile").exists():
        result["ran"] = "waived"
    read_findings(result, json.loads(text)["runs"][0]["diagnostics"] if text else [])


def try_in_turn(program, folder, options, binary, result):
    """Runs it with smaller or larger arguments until it ends with status 0; the last try counts."""
    late = []
    for arguments in foreign.argument_lists(folder, options.most):
        if any(foreign.not_smaller(arguments, too_long) for too_long in late):
            continue
        foreign.unpack(folder, arguments)
        attempt = {}
        execute(program, folder, options, binary, arguments, attempt)
        result.setdefault("attempts", []).append([attempt["arguments"], attempt["ran"], attempt["seconds"]])
        # An attempt that ran until the limit says more than one that the program refused.
        worth = ["-", "no call", "status", "limit", "waived", "no data", "yes"]
        if worth.index(attempt["ran"].split()[0] if attempt["ran"].startswith("status") else attempt["ran"]) >= \
                worth.index(result["ran"].split()[0] if result["ran"].startswith("status") else result["ran"]):
            result.update(attempt)
        if attempt["ran"] in ("yes", "no data", "waived"):
            return
        if attempt["ran"] == "limit":
            late.append(arguments)


def build_and_run(program, folder, options):
    if options.by == "play":
        return play(program, folder, options)
    result = {"name": folder.name, "built": "no", "ran": "-", "findings": "-", "missing": "-", "seconds": "-", "same": "-"}
    build, binary = (foreign.makes if (folder / "Makefile").exists() else foreign.sources)(folder)
    flags = subprocess.run([program, "exec", "--build", 'printf "%s\\n%s" "$NVCC_APPEND_FLAGS" "$PATH"', "/bin/true"],
                           capture_output=True, text=True).stdout.split("\n")
    macros = foreign.repeat_macros(folder)
    environment = dict(os.environ, NVCC_APPEND_FLAGS=" ".join([flags[0], *macros]), PATH=flags[1])
    status, printed, said, _ = limited(["bash", "-c", build], folder, options.build_limit, environment)
    if status is None:
        result["built"] = "limit"
        return result
    if status != 0 or not (folder / binary).exists():
        result["why"] = (said or printed).strip()[-400:]
        return result
    result["built"] = "yes"
    if macros:
        result["macros"] = macros
    try_in_turn(program, folder, options, binary, result)
    if options.gpu:
        result["native"] = on_gpu(binary, shlex.split(result["arguments"]), folder, environment)
    compare(result, result.get("native"))
    return result


def summary(results, options):
    """A table of one row for documents. "could" are those that were built, have their data, and need no more of a
    computer than one GPU of this kind."""
    built = [r for r in results if r["built"] == "yes"]
    ran = collections.Counter(r["ran"].split()[0] for r in built)
    could = sum(r["ran"] not in ("no data", "waived") for r in built)
    same = collections.Counter(r["same"] for r in results if r["ran"] == "yes")
    cells = [len(results), len(built), sum(r["ran"] == "no data" for r in built), ran["waived"], ran["yes"],
             f"{100 * ran['yes'] / max(1, could):.0f} %", ran["limit"], ran["status"],
             sum(r["ran"] == "no call" for r in built), sum(r["ran"] == "yes" and r["findings"] != "none" for r in built),
             f"{same['same']}, {same['differs']}"]
    names = ["programs", "built", "lack their data", "waived", "ended with status 0", "of those that could",
             "at the limit", "other status", "no CUDA call", "ended with findings", "same output as the GPU, other"]
    return (f"\n{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {options.j} at a time, limit {options.limit} processor "
            f"seconds, {options.by} {options.options}\n\n| {' | '.join(names)} |\n|{' --- |' * len(names)}\n"
            f"| {' | '.join(str(c) for c in cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--like", default="*", help="names of folders, such as '*-cuda'")
    parser.add_argument("--program", default=str(pathlib.Path(__file__).parents[2] / "build/release/warpdojo"))
    parser.add_argument("--options", default="--no-time", help="of exec")
    parser.add_argument("--most", type=lambda text: [int(n) for n in text.split(",")], default=[65536],
                        help="largest number among the arguments; more numbers: tried in turn")
    parser.add_argument("--limit", type=int, default=60, help="processor seconds per run (play: seconds)")
    parser.add_argument("--build-limit", type=int, default=180, help="processor seconds per build")
    parser.add_argument("--by", choices=["exec", "play"], default="exec", help="the command that runs them")
    parser.add_argument("--sample", type=int, help="so many folders, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of --sample")
    parser.add_argument("--drawn", default="", help="leaves out what these draws took, as SEED:COUNT,...")
    parser.add_argument("--without", default="", help="leaves out these folders, separated by commas")
    parser.add_argument("--names", help="these folders only, separated by commas")
    parser.add_argument("--gpu", action="store_true", help="runs on this computer's GPU too (exec)")
    parser.add_argument("--beside", type=pathlib.Path, help="details of a run with --gpu, to compare with (play)")
    parser.add_argument("--libraries", action="store_true", help="programs that need other libraries too")
    parser.add_argument("--details", type=pathlib.Path, help="file for what was found, as JSON")
    parser.add_argument("-j", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options.natives = {}
    if options.beside:
        options.natives = {r["name"]: r.get("native") for r in json.loads(options.beside.read_text())}
    folders = sorted(f for f in options.folder.glob(options.like) if foreign.has_program(f))
    folders = [f for f in folders if options.libraries or not foreign.needs_library(f)]
    drawn = {f for draw in filter(None, options.drawn.split(","))
             for f in random.Random(int(draw.split(":")[0])).sample(folders, int(draw.split(":")[1]))}
    folders = [f for f in folders if f not in drawn and f.name not in options.without.split(",")]
    if options.sample and options.sample < len(folders):
        folders = sorted(random.Random(options.seed).sample(folders, options.sample))
    if options.names:
        folders = [f for f in folders if f.name in options.names.split(",")]
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        jobs = [pool.submit(run, os.path.abspath(options.program), f.resolve(), options) for f in folders]
        for job in concurrent.futures.as_completed(jobs):
            r = job.result()
            results.append(r)
            if options.details:
                options.details.write_text(json.dumps(results, indent=1))
            print(f"{r['name']:32} {r['built']:8} {r['ran']:12} {r['seconds']:>7}  {r['findings']}; {r['missing']}; {r['same']}; "
                  f"{r.get('arguments', '')}",
                  flush=True)
    built = [r for r in results if r["built"] == "yes"]
    clean = [r for r in built if r["ran"] == "yes" and r["findings"] == "none"]
    print(summary(results, options))
    return 0 if len(clean) == len(built) else 1


if __name__ == "__main__":
    sys.exit(main())

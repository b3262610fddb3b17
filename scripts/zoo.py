#!/usr/bin/env python3
"""The zoo of tests/zoo: small kernels of many classes, their times on a GPU, and how far the time model is from them.

    scripts/zoo.py record --out FILE      on a machine with a GPU, nvcc's driver and ncu; scripts/zoo-record.sh calls it
    scripts/zoo.py record --set second --out FILE           a later held-out set (second to sixth); each has its recording
    scripts/zoo.py compare [NAME...]          models every kernel that the model may learn from; NAME: a program or a kernel
    scripts/zoo.py compare --set held-out     a held-out set (held-out, second to sixth): once, when the model is done
    scripts/zoo.py check [NAME...]            every program on the SIMT machine: right results, no findings

tests/zoo/split.txt says which kernel is in which set. `us`, measured and modelled, is the time that a case adds to a chain of
launches, with none of its data in the L2 (docs/time-model.md). A case is one launch, or the few that belong together. `stamped_us` is
the time from the first block's start to the last block's end, as `play` gives it for a program of many launches.
"""
import argparse
import concurrent.futures
import csv
import io
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ZOO = ROOT / "tests" / "zoo"
RECORDINGS = {"learn": "h100-zoo.csv", "held-out": "h100-zoo.csv", "second": "h100-zoo2.csv",
              "third": "h100-zoo3.csv", "fourth": "h100-zoo4.csv", "fifth": "h100-zoo5.csv",
              "sixth": "h100-zoo6.csv"}  # of each set
HELD_OUT_RUNS = ZOO / "held-out-runs.txt"

INSTRUCTIONS = "smsp__inst_executed.sum"
MEMORY = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "smsp__inst_executed_op_global_ld.sum",
    "smsp__inst_executed_op_global_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
]
OTHERS = [
    "smsp__thread_inst_executed.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "lts__t_sectors_srcunit_tex_lookup_hit.sum",
    "lts__t_sectors_srcunit_tex_lookup_miss.sum",
    "gpu__time_duration.sum",
]
COUNTERS = [INSTRUCTIONS] + MEMORY + OTHERS
HEAD = ["program", "kernel", "grid", "block", "registers", "launches", "us", "us_min", "us_max", "samples", "stamped_us",
        "printed"] + COUNTERS


def split():
    """[(program, kernel, set)] in the order of the file; set: a key of RECORDINGS."""
    rows = [line.split() for line in (ZOO / "split.txt").read_text().splitlines() if line and line[0] != "#"]
    return [tuple(r) for r in rows]


def chosen(names, sets):
    """[(program, kernel)] of the sets; of the programs and kernels named only, if there are names."""
    return [(p, k) for p, k, s in split() if s in sets and (not names or p in names or k in names)]


def report_in(text):
    """The report at the end of what `play --json` prints, or None; a program prints its own lines first."""
    at = text.rfind('{\n  "schema"')
    return json.loads(text[at:]) if at >= 0 else None


def printed_by(report, kernel):
    """The rest of the line that the program printed about a kernel."""
    for line in report["runs"][0].get("printed", "").splitlines():
        if line.split(" ")[0] == kernel:
            return line.partition(" ")[2]
    return ""


def findings(run):
    """The findings of a run, warnings left out, in one line."""
    return "; ".join(f'{d["kind"]}: {d["message"]}' for d in run.get("diagnostics", []) if d.get("severity") != "warning")


class Player:
    """Runs programs of the zoo by `warpdojo play`."""

    def __init__(self, program, device, seconds):
        self.program, self.device, self.seconds = program, device, seconds
        self.environment = dict(os.environ, WARPDOJO_ROOT=str(ROOT))

    def command(self, name, *options):
        return [self.program, "play", str((ZOO / (name + ".cu")).relative_to(ROOT)), "--device", self.device, "--json",
                "--time-limit", str(self.seconds), *options]

    def run(self, command):
        """(report or None, what went wrong)"""
        try:
            p = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=self.seconds + 60)
        except subprocess.TimeoutExpired:
            return None, "no end within the time limit"
        except OSError as e:
            return None, str(e)
        report = report_in(p.stdout)
        if report is None:
            return None, f"no report (exit status {p.returncode}): {(p.stderr or p.stdout)[-400:].strip()}"
        run = report["runs"][0]
        wrong = "" if run["status"] == "pass" and p.returncode == 0 else f'{run["status"]}: {findings(run) or "exit status %d" % p.returncode}'
        if "WRONG" in run.get("printed", ""):
            wrong = wrong or "wrong result"
        return report, wrong

    def play(self, name, kernel=None, *options):
        return self.run(self.command(name, *options, *(["--", kernel] if kernel else [])))


def shape(d):
    return "x".join(str(v) for v in d)


def name_of(launch):
    """The kernel's name without template arguments."""
    return launch["kernel"].split("<")[0]


def own_launches(report, kernel):
    return [x for x in report["runs"][0]["launches"] if name_of(x) == kernel]


# Recording ------------------------------------------------------------------------------------------------------------------------------


class Recording:
    """The rows made so far; the file is written anew after each, so that an interrupted recording keeps what it has."""

    def __init__(self, path, head):
        self.path, self.head, self.rows, self.failed = pathlib.Path(path), head, {}, []
        self.begun = time.monotonic()

    def tell(self, text):
        print(f"{time.monotonic() - self.begun:6.1f} s  {text}", flush=True)

    def save(self):
        text = io.StringIO()
        text.write(self.head)
        for f in self.failed:
            text.write(f"# failed: {f}\n")
        w = csv.DictWriter(text, HEAD, lineterminator="\n")
        w.writeheader()
        for program, kernel, _ in split():
            if kernel in self.rows:
                w.writerow(self.rows[kernel])
        new = self.path.with_name(self.path.name + ".new")
        new.write_text(text.getvalue())
        new.replace(self.path)

    def fail(self, what, why):
        why = " ".join(why.split())[:300]
        self.failed.append(f"{what}: {why}")
        self.tell(f"{what} FAILED: {why}")
        self.save()


def first_line(command, default):
    try:
        p = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30)
        return p.stdout.splitlines()[0].strip() if p.returncode == 0 and p.stdout.strip() else default
    except (OSError, subprocess.TimeoutExpired):
        return default


def parse_ncu(text):
    """[(kernel, {metric: value})] of ncu's --csv --page raw."""
    at = text.find('"ID"')
    if at < 0:
        return []
    rows = list(csv.reader(io.StringIO(text[at:])))
    head, launches = rows[0], []
    for row in rows[2:]:
        if len(row) != len(head):
            continue
        cells = dict(zip(head, row))
        name = cells["Kernel Name"].split("(")[0].split("<")[0].split()[-1].split(":")[-1]
        values = {}
        for m in COUNTERS:
            try:
                values[m] = float(cells.get(m, "").replace(",", ""))
            except ValueError:
                pass
        launches.append((name, values))
    return launches


def record(o):
    gpu = first_line(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], "unknown GPU")
    driver = first_line(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], "unknown")
    commit = o.commit or first_line(["git", "rev-parse", "--short", "HEAD"], "unknown")
    out = Recording(o.out, f"# The kernels of tests/zoo on a real GPU, made by scripts/zoo-record.sh: {gpu}, driver {driver}, "
                           f"{time.strftime('%Y-%m-%d')}, commit {commit}.\n"
                           "# us: median microseconds that a case adds to a chain of launches behind an emptied L2; stamped_us: from the first "
                           "block's start to the\n# last block's end, all cases of the program one after another; counters: Nsight Compute, "
                           "the case's first launch alone.\n")
    player = Player(o.program, o.device, 100)
    sets = [o.set] if o.set else ["learn", "held-out"]
    cases = chosen(o.names, sets)
    if not cases:
        print(f"zoo: none of the kernels named is in the set {' or '.join(sets)} of tests/zoo/split.txt")
        return 1
    programs = list(dict.fromkeys(p for p, _ in cases))

    # Compilations run in parallel. Measurements do not: app/cuda/gpu_turn.hpp gives the GPU to one process at a time.
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        running = {pool.submit(player.play, p, k): (p, k) for p, k in cases}
        for f in concurrent.futures.as_completed(running):
            program, kernel = running[f]
            report, wrong = f.result()
            if report is None or wrong:
                out.fail(kernel, wrong)
            if report is None:
                continue
            run, launches = report["runs"][0], own_launches(report, kernel)
            if not launches or not run["time_us"].get("n"):
                out.fail(kernel, "not timed")
                continue
            t, first = run["time_us"], launches[0]
            out.rows[kernel] = {"program": program, "kernel": kernel, "grid": shape(first["grid"]), "block": shape(first["block"]),
                                "registers": first["registers"], "launches": len(launches), "us": f'{t["value"]:.3f}',
                                "us_min": f'{t["min"]:.3f}', "us_max": f'{t["max"]:.3f}', "samples": t["n"],
                                "printed": printed_by(report, kernel)}
            out.tell(f'{kernel}  {t["value"]:.3f} us')
            out.save()

    def left():
        return o.seconds - (time.monotonic() - out.begun)

    for program in programs:
        if left() < 0:
            out.fail(program, "no counters: the recording's time is over")
            continue
        with tempfile.NamedTemporaryFile("r", suffix=".csv") as log:
            report, wrong = player.run([o.ncu, "--csv", "--page", "raw", "--print-units", "base", "--target-processes", "all",
                                        "--clock-control", "none", "--log-file", log.name, "--metrics", ",".join(COUNTERS)] +
                                       player.command(program, "--once"))
            text = pathlib.Path(log.name).read_text()
        counted = parse_ncu(text)
        if not counted:
            out.fail(program, f"ncu counted nothing; {wrong} {text[-300:]}")
        done = set()
        for kernel, values in counted:
            if kernel in out.rows and kernel not in done:
                done.add(kernel)
                out.rows[kernel].update({m: f"{v:.10g}" for m, v in values.items()})
        out.tell(f"{program}  counters of {len(done)} kernels")
        out.save()

    def stamps(program):
        return program, player.play(program)

    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for program, (report, wrong) in pool.map(stamps, programs if left() > 0 else []):
            for p, kernel in cases:
                launches = own_launches(report, kernel) if report and p == program else []
                if launches and kernel in out.rows:
                    out.rows[kernel]["stamped_us"] = f'{launches[0]["time_us"]:.3f}'
            out.tell(f"{program}  stamps {wrong}")
            out.save()
    out.save()
    print(f"{len(out.rows)} of {len(cases)} kernels in {out.path}; {len(out.failed)} failures")
    return 1 if out.failed else 0


# Comparing ------------------------------------------------------------------------------------------------------------------------------


def recorded(path):
    lines = [x for x in pathlib.Path(path).read_text().splitlines() if x and x[0] != "#"]
    return {r["kernel"]: r for r in csv.DictReader(lines)}


def same_print(a, b):
    """Whether two runs printed the same result; sums of floats may differ by rounding, so 0.1 % are allowed."""
    try:
        x, y = float(a.split()[0]), float(b.split()[0])
    except (ValueError, IndexError):
        return a == b
    return abs(x - y) <= 1e-3 * max(abs(x), abs(y))


class Compared:
    """A kernel's modelled time and counters beside the recorded ones; `notes` says what differs."""

    def __init__(self, program, kernel, row, report):
        run = report["runs"][0]
        counters = own_launches(report, kernel)[0]["counters"]
        self.program, self.kernel = program, kernel
        self.measured, self.modelled = float(row["us"]), run["time_us"]["value"]
        self.error = self.modelled / self.measured - 1
        self.notes, self.instructions, self.memory = [], None, None
        if row.get(INSTRUCTIONS):
            hardware = float(row[INSTRUCTIONS])
            self.instructions = counters.get(INSTRUCTIONS, 0) / hardware - 1
            if abs(self.instructions) > 0.05:
                self.notes.append(f"instructions {100 * self.instructions:+.0f} %")
            differ = [m for m in MEMORY if row.get(m) and float(row[m]) != counters.get(m, 0)]
            self.memory = not differ
            for m in differ:
                self.notes.append(f"{m} {counters.get(m, 0):.0f}, hardware {float(row[m]):.0f}")
        mine = printed_by(report, kernel)
        if not same_print(row.get("printed", ""), mine):
            self.notes.append(f'prints {mine}, hardware {row["printed"]}')


def summary(name, all_of):
    errors = [abs(c.error) for c in all_of]
    worst = max(all_of, key=lambda c: abs(c.error))
    return (f"{name:18} {len(all_of):3}  {100 * statistics.mean(errors):6.1f} % {100 * statistics.median(errors):6.1f} % "
            f"{100 * worst.error:+7.1f} %  {worst.kernel}")


def earlier_runs(name):
    """The runs of a held-out set, each with the indented lines that follow it."""
    runs, own = [], False
    for line in HELD_OUT_RUNS.read_text().splitlines() if HELD_OUT_RUNS.exists() else []:
        own = f"all, {name} " in line or (own and line.startswith(" "))
        if own:
            runs.append(line)
    return runs


def compare(o):
    name = o.set or "learn"
    recording = pathlib.Path(o.recording or ROOT / "assets" / "recordings" / RECORDINGS[name])
    if not recording.exists():
        print(f"zoo: {recording} is missing, so there are no measured times of the set '{name}'. Make the file on a machine with "
              f"a GPU:\n    scripts/zoo-record.sh {recording.name}" + (f" --set {name}" if name not in ("learn", "held-out") else ""))
        return 1
    rows = recorded(recording)
    of_set = chosen(o.names, [name])
    cases = [(p, k) for p, k in of_set if k in rows]
    missing = [k for _, k in of_set if k not in rows and not o.names]
    if not cases:
        print(f"zoo: none of the kernels named is in the set '{name}' of tests/zoo/split.txt and in {recording}")
        return 1
    held_out = name != "learn"
    if held_out:
        print("A held-out set is run once, when the model is done. A change of the model after this run has learnt from it.")
        if earlier_runs(name):
            print("It has been run before:\n" + "\n".join(earlier_runs(name)))
    player = Player(o.program, o.device, 600)
    compared, failed, version = [], [], ""
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for (program, kernel), (report, wrong) in zip(cases, pool.map(lambda c: player.play(*c), cases)):
            if report is None or wrong or not own_launches(report, kernel):
                failed.append(f"{kernel}: {wrong or 'not launched'}")
                print(f"{kernel:24} FAILED: {wrong}", flush=True)
                continue
            version = report["device"].get("model_version", "")
            c = Compared(program, kernel, rows[kernel], report)
            compared.append(c)
            print(f"{kernel:24} measured {c.measured:8.2f} us  modelled {c.modelled:8.2f} us  {100 * c.error:+6.1f} %"
                  + "".join(f"\n    {n}" for n in c.notes), flush=True)
    if not compared:
        return 1
    print(f"\n{'class':18}   n      mean   median      worst")
    for program in dict.fromkeys(p for p, _ in cases):
        own = [c for c in compared if c.program == program]
        if own:
            print(summary(program, own))
    total = summary(f"all, {name}", compared)
    print(total)
    above = [c.kernel for c in compared if abs(c.error) > 0.4]
    counted = [c for c in compared if c.instructions is not None]
    lines = [f"above 40 %: {len(above)} of {len(compared)} {' '.join(above)}"]
    if counted:
        near = sum(abs(c.instructions) <= 0.05 for c in counted)
        exact = sum(c.memory for c in counted)
        lines.append(f"instructions within 5 %: {near} of {len(counted)}; memory counters exact: {exact} of {len(counted)}")
    if failed:
        lines.append("failed: " + " ".join(f.split(":")[0] for f in failed))
    if missing:
        lines.append(f"of this set not in the recording: {len(missing)} ({' '.join(missing[:5])}{' ...' if len(missing) > 5 else ''})")
    print("\n".join(lines) + f"\nmodel {version}, {o.device}")
    if held_out and not o.names:
        commit = first_line(["git", "rev-parse", "--short", "HEAD"], "unknown")
        with HELD_OUT_RUNS.open("a") as f:
            f.write(f"{time.strftime('%Y-%m-%d')}, commit {commit}, model {version}: {' '.join(total.split())}; {'; '.join(lines)}\n")
    return 1 if failed else 0


def check(o):
    player, bad = Player(o.program, o.device, 600), 0
    programs = list(dict.fromkeys(p for p, _ in chosen(o.names, [o.set] if o.set else list(RECORDINGS))))
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for program, (report, wrong) in zip(programs, pool.map(player.play, programs)):
            run = report["runs"][0] if report else {"launches": []}
            ran = {name_of(x) for x in run["launches"]}
            lacks = [k for p, k, _ in split() if p == program and k not in ran]
            wrong = wrong or ("not launched: " + " ".join(lacks) if lacks else "")
            bad += bool(wrong)
            print(f"{program:18} {wrong or 'right'}", flush=True)
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "compare", "check"])
    parser.add_argument("names", nargs="*", help="programs or kernels; all if there are none")
    parser.add_argument("--program", default=os.environ.get("WARPDOJO", str(ROOT / "warpdojo")), help="the warpdojo to run")
    parser.add_argument("--device", help="cuda:0 for record, else simt:h100")
    parser.add_argument("--jobs", "-j", type=int, help="runs at once (record 6, else 1)")
    parser.add_argument("--out", help="record: the file to make")
    parser.add_argument("--commit", help="record: the commit, where there is no git")
    parser.add_argument("--ncu", default=os.environ.get("NCU", "ncu"))
    parser.add_argument("--seconds", type=float, default=400, help="record: no more counters after so many seconds")
    parser.add_argument("--recording", help="compare: the file with the measured times; default: the one of the set in assets/recordings")
    parser.add_argument("--set", choices=list(RECORDINGS), help="compare: default learn; record: default learn and held-out; check: default all")
    o = parser.parse_intermixed_args()
    o.program = str(pathlib.Path(o.program).resolve()) if os.sep in o.program else o.program
    o.device = o.device or ("cuda:0" if o.what == "record" else "simt:h100")
    o.jobs = o.jobs or (6 if o.what == "record" else 1)
    if o.what == "record" and not o.out:
        parser.error("record needs --out FILE")
    return {"record": record, "compare": compare, "check": check}[o.what](o)


if __name__ == "__main__":
    sys.exit(main())

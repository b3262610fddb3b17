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
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

RACES = {"race"}
DIVERGENCE = {"race", "barrier_divergence"}
ANY = DIVERGENCE | {"absent_lane", "undefined_lane", "out_of_bounds", "uninitialized", "misaligned", "use_after_free",
                    "wrong_space", "leak"}


def scor(file, text):
    """ScoR's micro-benchmarks: race_... and norace_...; memory that nothing wrote is not their subject."""
    if file.name.startswith("norace_"):
        return False, RACES
    return (True, RACES) if file.name.startswith("race_") else None


def gpuverify(file, text):
    """GPUVerify: the first line is //pass or //xfail:KIND. Only xfail:NOT_ALL_VERIFIED is about a run.

    The others say that GPUVerify's own front end refuses the file. Files that call functions without a
    definition cannot run, nor can textures and kernels that take pointers to functions.
    """
    declared = re.findall(r"^(?:extern )?__device__ [\w *]*?(\w+)\([^()]*\);", text, flags=re.M)
    if any(not re.search(rf"\b{name}\([^()]*\)\s*{{", text) for name in declared) or "texture<" in text:
        return None
    if re.search(r"__global__[^{]*\bfuncType\b", text):
        return None
    kinds = (ANY | {"deadlock", "trap", "launch_error"}) - {"uninitialized", "leak"}
    if text.lower().startswith("//pass"):
        return False, kinds
    return (True, kinds) if text.lower().startswith("//xfail:not_all_verified") else None


def with_main(file, folder):
    """A copy of a GPUVerify program, which is kernels only, with a main function that launches each of them.

    The grid is the one that its second line names, with at most 1024 threads per block. A pointer is an
    array of its own of 4 MiB, filled with integers below 251. An integer is what __requires(NAME == N) says,
    1 if it has another condition, else 1 in a first launch and the number of threads in a second. A
    structure's words are pointers to arrays. __assert traps when it fails; GPUVerify's other annotations
    become nothing.
    """
    text = file.read_text(errors="replace").replace("\r", "")
    shape = {}
    for dim in ("blockDim", "gridDim"):
        words = re.search(rf"--{dim}=\[?([\d, ]+)\]?", text)
        shape[dim] = [int(n) for n in words[1].split(",") if n.strip()] if words else [1]
    if math.prod(shape["blockDim"]) > 1024:
        shape["blockDim"] = [1024] if len(shape["blockDim"]) == 1 else [32, 32]
    names = set(re.findall(r"\b__[a-z_]+\b", text)) & ANNOTATIONS
    if not re.search(r"__assert\([^;]*__", text):
        names.discard("__assert")
    nothing = "".join(f"#undef {name}\n#define {name}(...) true\n" for name in sorted(names))
    nothing += "".join(f"#define {name} {value}\n" for name, value in
                       re.findall(r"-D(\w+)=(\w+)", text.split("\n")[1]))
    headers = "".join(f"#include <{header}>\n" for word, header in
                      (("cooperative_groups", "cooperative_groups.h"), ("curand", "curand_kernel.h"))
                      if word in text)
    # Annotations at file scope declare; a declaration of nothing takes their place.
    text = re.sub(r"^(__axiom)\(.*\);", ";", text, flags=re.M)
    calls = ""
    for name, given in re.findall(r"__global__\s+(?:static\s+)?void\s+(?:__launch_bounds__\([^)]*\)\s*)?"
                                  r"(\w+)\s*\(([^)]*)\)\s*\{", strip(text)):
        arguments = []
        for parameter in filter(None, (a.strip() for a in given.split(","))):
            variable = re.search(r"(\w+)\s*(\[\d*\])?$", parameter)[1]
            kind = re.sub(r"\b(const|volatile|__restrict(__)?)\b", " ",
                          parameter[:parameter.rindex(variable)]).strip()
            fixed = re.search(rf"__requires\(\s*{variable}\s*==\s*(\d+|blockDim\.x)\s*\)", text)
            bound = re.search(rf"__(requires|assume)\([^;]*\b{variable}\b", text)
            number = fixed[1].replace("blockDim", "block") if fixed else "1" if bound else "NUMBER"
            arguments.append(f"wd_argument<{kind}{'*' if parameter.endswith(']') else ''}>({number})")
        if "this_grid" in text:
            call = f"  wd_cooperative({', '.join([name, 'grid', 'block', *arguments])});\n"
        else:
            call = f"  {name}<<<grid, block>>>({', '.join(arguments)});\n"
        call += "  cudaDeviceSynchronize();\n"
        calls += call.replace("NUMBER", "1")
        if "NUMBER" in call:
            calls += call.replace("NUMBER", "wd_threads")
    launch = "".join(f"  dim3 {name}({', '.join(map(str, shape[dim]))});\n"
                     for name, dim in (("block", "blockDim"), ("grid", "gridDim")))
    copy = pathlib.Path(folder) / file.name
    threads = math.prod(shape["blockDim"]) * math.prod(shape["gridDim"])
    harness = HARNESS.format(threads=threads, headers=headers, nothing=nothing)
    copy.write_text(f'{harness}#line 1 "{file.name}"\n{text}\nint main() {{\n{launch}{calls}}}\n')
    return copy, []


def strip(text):
    """The text without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


ANNOTATIONS = {"__" + name for name in (
    "requires ensures invariant global_invariant assert assume axiom implies enabled "
    "requires_fresh_array write_offset_bytes read_offset_bytes write_implies read_implies write read "
    "no_read no_write uniform_bool uniform_int distinct_int distinct_bool other_int other_bool all "
    "exclusive return_val_int return_val_ptr return_val_funptr ptr_offset_bytes "
    "non_temporal_loads_begin non_temporal_loads_end").split()}

HARNESS = """#include <cstdint>
#include <cstring>
#include <type_traits>
#include <cuda_runtime.h>
{headers}constexpr unsigned wd_threads = {threads};
inline void* wd_array() {{
  constexpr int words = 1 << 20;
  static int filled[words];
  for (int i = 0; i < words; ++i) filled[i] = i * 37 % 251;
  void* p = nullptr;
  cudaMalloc(&p, sizeof filled);
  cudaMemcpy(p, filled, sizeof filled, cudaMemcpyHostToDevice);
  return p;
}}
template <class T>
T wd_argument(unsigned number) {{
  if constexpr (std::is_arithmetic_v<T>) {{
    return static_cast<T>(number);
  }} else if constexpr (std::is_pointer_v<T>) {{
    return static_cast<T>(wd_array());
  }} else {{
    T made;
    for (unsigned at = 0; at + sizeof(void*) <= sizeof(T); at += sizeof(void*)) {{
      void* p = wd_array();
      std::memcpy(reinterpret_cast<char*>(&made) + at, &p, sizeof p);
    }}
    return made;
  }}
}}
template <class... Parameters, class... Arguments>
void wd_cooperative(void (*kernel)(Parameters...), dim3 grid, dim3 block, Arguments... given) {{
  void* all[] = {{&given..., nullptr}};
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, all);
}}
namespace cooperative_groups {{
template <class Group>
__device__ void synchronize(Group group) {{ group.sync(); }}  // as older toolkits had it
}}
#define __assert(x) do {{ if (!(x)) __trap(); }} while (0)
{nothing}"""


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
        if suite == "gpuverify":
            file, arguments = with_main(file, folder)
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

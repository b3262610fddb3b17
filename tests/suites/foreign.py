"""What a folder of somebody else's CUDA program says of how it is built and run: its Makefile (HeCBench's form), its
CMakeLists.txt (NVIDIA's samples), or nothing but its sources. For exec.py."""
import bz2
import gzip
import lzma
import re
import shlex

LIBRARIES = re.compile(r"-l(cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|npp|mpi|GL|nvrtc|cuda)\b|\bmpi\w*\b", re.I)
WINDOWS = re.compile(r"OpenGL|GLUT|EGL|Vulkan|D3D|NvSci|find_package\(MPI", re.I)
SOURCE = (".cu", ".cpp", ".cc", ".c")
ANY = 1 << 62


def assignments(makefile):
    """The variables that a Makefile sets, by name; later ones win, += adds."""
    values = {}
    for name, how, value in re.findall(r"^[ \t]*(\w+)[ \t]*([:+?]?=)[ \t]*(.*)$", makefile, re.M):
        values[name] = values.get(name, "") + " " + value if how == "+=" else value
    return values


def expanded(text, values, depth=0):
    if depth > 8:
        return text
    return re.sub(r"\$[({](\w+)[)}]", lambda m: expanded(values.get(m[1], ""), values, depth + 1), text)


def makefile_of(folder):
    """(its text with joined lines, its variables); a debug branch sets none."""
    text = (folder / "Makefile").read_text(errors="replace").replace("\\\n", " ")
    return text, assignments(re.sub(r"^ifeq \(\$\(DEBUG\).*?^endif", "", text, flags=re.M | re.S))


def written_arguments(folder):
    """The arguments of the first command of the target `run` that starts the program."""
    if not (folder / "Makefile").exists():
        return []
    text, values = makefile_of(folder)
    recipe = re.search(r"^run:.*\n((?:[ \t]+.*\n|\n)*)", text + "\n", re.M)
    for line in recipe.group(1).splitlines() if recipe else []:
        found = re.match(r"\s*[@-]?(?:\$\(LAUNCHER\))?\s*(\./\S+)[ \t]*(.*)$", line)
        if found:
            line = expanded(found.group(2), values).split(">")[0].split("|")[0].split(";")[0]
            try:
                return shlex.split(line)
            except ValueError:  # the cut went through a quoted word
                return line.split()
    return []


def reduced(arguments, most, once):
    """No number larger than `most`; once: the last, usually a count of repeats, becomes 1. An option's number is one
    if the option begins with r or i (-r, --iterations)."""
    numbers = [i for i, a in enumerate(arguments) if a.isdigit()]
    result = [str(min(int(a), most)) if a.isdigit() else a for a in arguments]
    if once and numbers:
        option = arguments[numbers[-1] - 1] if numbers[-1] > 0 else ""
        if not re.match(r"-+[a-hj-qs-z]", option):
            result[numbers[-1]] = "1"
    return result


def not_smaller(one, other):
    """Is each number of the first list at least that of the second?"""
    return len(one) == len(other) and all(
        a == b or (a.isdigit() and b.isdigit() and int(a) >= int(b)) for a, b in zip(one, other))


def divided(arguments, by):
    """All sizes by the same number, as a program may ask for a relation of them."""
    return [str(max(1, int(a) // by)) if a.isdigit() and int(a) >= by else a for a in arguments]


def sample_options(folder):
    """Options with a number that the program reads by the helpers of NVIDIA's samples."""
    text = "".join(p.read_text(errors="replace") for d in (folder, folder / "src") if d.is_dir()
                   for p in sorted(d.iterdir()) if p.suffix in SOURCE)
    return list(dict.fromkeys(re.findall(r"getCmdLineArgumentInt\([^;]*?\"(\w+)\"\)", text)))


def argument_lists(folder, most):
    """What to try in turn: smaller sizes and one repeat, all sizes divided, sizes as written, then repeats as written
    too. A program that has its sizes as options: without any first."""
    written = written_arguments(folder)
    if not (folder / "Makefile").exists():
        sizes = {n: 1 if re.search(r"iter|rep|loop|mult|batch", n, re.I) else 128 for n in sample_options(folder)
                 if re.match(r"(n|[wh][AB]|width|height|dst_width|dst_height|size|dim[XY]|count|num_?\w*|vectors|dimensions"
                             r"|\w*(iter|rep|loop|mult|batch)\w*)$", n, re.I)}
        return [[], [f"--{n}={v}" for n, v in sizes.items()]] if sizes else [[]]
    lists = [reduced(written, m, True) for m in most]
    lists += [reduced(divided(written, by), ANY, True) for by in (64, 8)]
    lists += [reduced(written, ANY, True), reduced(written, most[0], False), written]
    return [a for i, a in enumerate(lists) if a not in lists[:i]]


def files_of(arguments):
    return [a for a in arguments if re.search(r"[A-Za-z]\w*\.[A-Za-z]\w*$|/", a)]


def unpack(folder, arguments):
    """Files among the arguments that are there in compressed form."""
    for name in files_of(arguments):
        for suffix, opener in ((".bz2", bz2.open), (".gz", gzip.open), (".xz", lzma.open)):
            packed = folder / (name + suffix)
            if packed.is_file() and not (folder / name).exists():
                with opener(packed) as file:
                    (folder / name).write_bytes(file.read())


def lacks_data(folder, arguments):
    """Is an argument a file that is not there, or does the folder point to data that are kept elsewhere (DVC)?"""
    return any(not (folder / a).exists() for a in files_of(arguments)) or any(folder.glob("*.dvc"))


def repeat_macros(folder):
    """Counts of repeats that a source lets the command line set: `#ifndef NAME`, `#define NAME number`."""
    names = {}
    for file in sorted(folder.iterdir()):
        if file.suffix in (*SOURCE, ".h", ".hpp", ".cuh"):
            for name, value in re.findall(r"#\s*ifndef\s+(\w+)[^\n]*\n\s*#\s*define\s+\1\s+\(?(\d+)\)?",
                                          file.read_text(errors="replace")):
                if re.search(r"(^|_)N?_?(ITER\w*|REPEAT\w*|REPS|TRIALS|LOOPS)$", name) and int(value) > 2:
                    names[name] = "2"
    return [f"-D{name}={value}" for name, value in sorted(names.items())]


def makes(folder):
    """(build command, program) of a folder with a Makefile."""
    _, values = makefile_of(folder)
    return "make ARCH=sm_75 CC=nvcc", "./" + values.get("program", "main").split()[0]


def sources(folder):
    """The same of a folder without: the files of the first add_executable() of its CMakeLists.txt, else all. The modules
    that it names are built beside the program. Without -rdc=true first, as that is quicker to run."""
    cmake = folder / "CMakeLists.txt"
    text = cmake.read_text(errors="replace") if cmake.exists() else ""
    named = re.search(r"add_executable\(\s*\S+\s+([^)]*)\)", text)
    files = [w for w in named.group(1).split() if w.endswith(SOURCE) and (folder / w).is_file()] if named else []
    if not files:
        files = sorted(p.name for p in folder.iterdir() if p.suffix in SOURCE)
    includes = [f"-I{up / 'Common'}" for up in folder.parents if (up / "Common").is_dir()]
    includes += [f"-I{d}" for d in ("inc", "include", "src") if (folder / d).is_dir()]
    links = [flag for word, flag in (("CUDA::cuda_driver", "-lcuda"), ("CUDA::nvrtc", "-lnvrtc")) if word in text]
    libraries = re.findall(r"CUDA::(cublas|cublasLt|cufft|curand|cusolver|cusparse)\b", text)
    links += [f"-l{name}" for name in dict.fromkeys(libraries + ["cusparse"] * ("cusolver" in libraries))]
    if "OpenMP" in text:
        links += ["-Xcompiler", "-fopenmp"]
    nvcc = ["nvcc", "-O2", "-std=c++17", "--extended-lambda", "-I.", *includes]
    program = shlex.join([*nvcc, "-o", "exec_program", *files, *links])
    commands = [f"{{ {program} || {program} -rdc=true; }}"]
    kernel = re.search(r"KERNEL_SOURCE\s+\"[^\"]*/([\w.]+\.cu)\"", text)
    for module, kind in re.findall(r"_FILE\s+\"[^\"]*/([\w.]+\.(fatbin|ptx))\"", text) if kernel else []:
        commands.append(shlex.join([*nvcc, "-" + kind, "-o", module, kernel.group(1)]))
    return " && ".join(commands), "./exec_program"


def needs_library(folder):
    """Does it need more than the CUDA runtime (a CMakeLists.txt: windows and messages between computers)?"""
    makefile, cmake = folder / "Makefile", folder / "CMakeLists.txt"
    if makefile.exists():
        return LIBRARIES.search(makefile.read_text(errors="replace")) is not None
    return cmake.exists() and WINDOWS.search(cmake.read_text(errors="replace")) is not None


def has_program(folder):
    if not folder.is_dir():
        return False
    if any(p.suffix == ".cu" for p in folder.iterdir()) or (folder / "Makefile").exists():
        return any(p.suffix == ".cu" for p in folder.iterdir())
    cmake = folder / "CMakeLists.txt"
    return cmake.exists() and "add_executable" in cmake.read_text(errors="replace")


def for_play(folder, most):
    """(words of `play` before the program's arguments, these arguments)."""
    files = sorted(p.name for p in folder.iterdir() if p.suffix in (".cu", ".cpp", ".cc"))
    includes = [str(up / "Common") for up in folder.parents if (up / "Common").is_dir()]
    defines = []
    if (folder / "Makefile").exists():
        _, values = makefile_of(folder)
        named = [w for key in ("source", "cuda_source", "c_source", "SOURCE", "SRC", "SRCS", "SOURCES")
                 for w in expanded(values.get(key, ""), values).split()]
        files = [w for w in named if w.endswith(SOURCE) and (folder / w).is_file()] or files
        words = " ".join(expanded(values.get(key, ""), values) for key in ("CFLAGS", "CXXFLAGS", "NVCC_FLAGS", "NVCCFLAGS"))
        includes += [str(folder / w) for w in re.findall(r"-I\s*(\S+)", words) if (folder / w).is_dir()]
        defines = re.findall(r"-D\s*(\S+)", words)
    words = [x for i in dict.fromkeys(includes) for x in ("-I", i)] + [x for d in defines for x in ("-D", d)]
    return words + list(dict.fromkeys(files)), reduced(written_arguments(folder), most, True)

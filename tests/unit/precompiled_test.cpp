// The precompiled header of the clang front end: it changes neither PTX nor messages, and the cache that
// holds it may be missing, damaged, out of date, or another user's.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "../left_out.hpp"
#include "../whole_suite.hpp"
#include "core/compile.hpp"
#include "core/compile/clang/precompiled.hpp"
#include "core/compile/compiler.hpp"
#include "core/files/whole_file.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"
#include "fixture_labs.hpp"

using namespace dojo;
using namespace dojo::compile_detail;
using dojo::test::TempFolder;

namespace {

/// An environment variable for the length of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* v = std::getenv(name)) before_ = v;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  Variable(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

const char* const program = "__global__ void k(float* x) { x[threadIdx.x] = sinf(x[threadIdx.x]); }\n";

/// With clang, and with this folder as the user's cache.
Compiled compiled_with(const fs::path& cache, const std::string& source,
                       const std::string& arch = "compute_75") {
  const Variable clang("WARPDOJO_FRONT_END", "clang"), xdg("XDG_CACHE_HOME", cache.string());
  CompileRequest r;
  r.file = "t.cu";
  r.source = source;
  r.arch = arch;
  return compile(r);
}
Compiled from_text(const std::string& source, const std::string& arch = "compute_75") {
  return compiled_with("/dev/null", source, arch);
}

fs::path headers_of(const TempFolder& t) { return t.path / "warpdojo" / "headers"; }

std::vector<fs::path> kept(const TempFolder& t) {
  std::vector<fs::path> all;
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(headers_of(t), ec)) all.push_back(e.path());
  std::sort(all.begin(), all.end());
  return all;
}

/// Without the numbers that LLVM gives calls, in comments: it counts them through all compilations of a
/// process.
std::string without_numbers(const std::string& ptx) {
  std::string out;
  for (size_t at = 0; at < ptx.size();) {
    const size_t end = std::min(ptx.find('\n', at), ptx.size());
    const std::string line = ptx.substr(at, end - at);
    out += line.substr(0, line.find("// callseq")) + "\n";
    at = end + 1;
  }
  return out;
}

bool same(const std::vector<Diagnostic>& a, const std::vector<Diagnostic>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Diagnostic& x, const Diagnostic& y) {
    return x.where == y.where && x.message == y.message && x.severity == y.severity;
  });
}

}  // namespace

TEST_CASE("clang: every reference has the same PTX with the precompiled header") {
  if (needs::left_out_without("clang-19")) return;
  const TempFolder t;
  const Catalog catalog = load_catalog(source_root());
  test::Part part("references", 48);
  for (const Lab& lab : catalog.labs)
    for (const Step& step : lab.steps) {
      const fs::path file = catalog.reference_file(step);
      if (file.extension() != ".cu" || !fs::exists(file) || !part.takes(step.id())) continue;
      CAPTURE(step.id());
      const std::string source = read_or_empty(file);
      const Compiled with = compiled_with(t.path, source, step.arch), without = from_text(source, step.arch);
      CHECK(without.ok);
      CHECK(without_numbers(with.ptx) == without_numbers(without.ptx));
      CHECK(same(with.diagnostics, without.diagnostics));
    }
  CHECK(kept(t).size() >= 2);
}

TEST_CASE("clang: messages and their lines are the same with the precompiled header") {
  if (needs::left_out_without("clang-19")) return;
  const TempFolder t;
  REQUIRE(compiled_with(t.path, program).ok);
  REQUIRE(kept(t).size() == 2);
  for (const char* source : {
           "__global__ void k(float* x) { x[0] = y; }\n",
           "int a;\n__global__ void k(float* x) {\n  x[0] = atomicAdd(x);\n}\n",
           "#include <mma.h>\n__global__ void k() {\n  nvcuda::wmma::fragment<int, 1, 2, 3, int> f;\n}\n",
           "#include \"nowhere.h\"\n__global__ void k() {}\n",
           "#define INFINITY 3\n#include <cmath>\n__global__ void k(float* x) { x[0] = INFINITY; }\n",
           "struct float4 { int x; };\n__global__ void k() {}\n",
           "float sinf(float x, int) { return x; }\nint sinf(float x) { return 1; }\n",
           "__global__ void k(float* x) { x[0] = fminf(x, \"a\"); }\nvoid f() { cudaMalloc(3); }\n",
           "#error stop\n",
           "__global__ void k() {\n",
       }) {
    CAPTURE(source);
    const Compiled with = compiled_with(t.path, source), without = from_text(source);
    CHECK(with.ok == without.ok);
    CHECK(with.ptx == without.ptx);
    CHECK(same(with.diagnostics, without.diagnostics));
  }
}

TEST_CASE("clang: a damaged precompiled header is replaced, a deleted one made again") {
  if (needs::left_out_without("clang-19")) return;
  const TempFolder t;
  const std::string expected = from_text(program).ptx;
  REQUIRE(!expected.empty());
  CHECK(compiled_with(t.path, program).ptx == expected);
  const std::vector<fs::path> made = kept(t);
  REQUIRE(made.size() == 2);
  const std::string whole = read_or_empty(made[0]);
  const std::string damaged[] = {"", "no header", std::string(whole.size(), '\0'),
                                 whole.substr(0, whole.size() / 2),
                                 whole.substr(0, 700000) + std::string(whole.size() - 700000, '\0')};
  for (const std::string& content : damaged) {
    CAPTURE(content.size());
    for (const fs::path& p : made) std::ofstream(p, std::ios::binary) << content;
    CHECK(compiled_with(t.path, program).ptx == expected);
    CHECK(compiled_with(t.path, program).ptx == expected);
    for (const fs::path& p : kept(t)) CHECK(fs::file_size(p) > 1000000);
  }
  fs::remove_all(headers_of(t));
  CHECK(compiled_with(t.path, program).ptx == expected);
  CHECK(kept(t) == made);
}

TEST_CASE(
    "clang: another architecture, other options and changed headers have precompiled headers of their own") {
  if (needs::left_out_without("clang-19")) return;
  const TempFolder t;
  CHECK(compiled_with(t.path, program).ok);
  CHECK(kept(t).size() == 2);
  CHECK(compiled_with(t.path, program, "compute_80").ok);
  CHECK(kept(t).size() == 4);

  const fs::path root = t.path / "tree";
  fs::create_directories(root / "assets");
  fs::create_symlink(source_root() / "assets/devices", root / "assets/devices");
  fs::create_directories(root / "labs");
  fs::copy(source_root() / "labs/include", root / "labs/include", fs::copy_options::recursive);
  const Variable other("WARPDOJO_ROOT", root.string());
  CHECK(compiled_with(t.path, program).ok);
  CHECK(kept(t).size() == 6);
  // The same size and the same time, as an archive can bring it.
  const fs::path header = root / "labs/include/clang/dojo_math_float.hpp";
  const auto time = fs::last_write_time(header);
  std::string text = read_or_empty(header);
  const size_t at = text.find("//");
  REQUIRE(at != text.npos);
  text[at + 2] = '#';
  std::ofstream(header) << text;
  fs::last_write_time(header, time + std::chrono::seconds(1));
  CHECK(compiled_with(t.path, program).ok);
  CHECK(kept(t).size() == 8);
  std::ofstream(root / "labs/include/clang/dojo_runtime.hpp", std::ios::app) << "#define ADDED_TO_IT 41\n";
  const Compiled c = compiled_with(t.path, "__global__ void k(int* x) { x[0] = ADDED_TO_IT; }\n");
  CHECK(c.ok);
  CHECK(c.ptx.find("41") != c.ptx.npos);
}

TEST_CASE("clang: what others could have written is not read") {
  if (needs::left_out_without("clang-19")) return;
  const TempFolder t;
  const std::string expected = from_text(program).ptx;
  CHECK(compiled_with(t.path, program).ptx == expected);
  REQUIRE(kept(t).size() == 2);
  const Variable clang("WARPDOJO_FRONT_END", "clang"), xdg("XDG_CACHE_HOME", t.path.string());
  CHECK(compiler_cache() == headers_of(t));
  chmod(headers_of(t).c_str(), 0777);
  CHECK(compiler_cache().empty());
  CHECK(compiled_with(t.path, program).ptx == expected);
  chmod(headers_of(t).c_str(), 0700);
  // A file that the group may write to is made anew.
  const fs::path file = kept(t)[0];
  std::ofstream(file, std::ios::binary) << "planted";
  chmod(file.c_str(), 0660);
  CHECK(compiled_with(t.path, program).ptx == expected);
  CHECK(fs::file_size(file) > 1000000);
  struct stat s {};
  REQUIRE(stat(file.c_str(), &s) == 0);
  CHECK((s.st_mode & 0777) == 0600);
}

TEST_CASE("clang: many compilations that make the same precompiled header at once all succeed") {
  if (needs::left_out_without("clang-19")) return;
  const TempFolder t;
  const Variable clang("WARPDOJO_FRONT_END", "clang"), xdg("XDG_CACHE_HOME", t.path.string());
  CompileRequest r;
  r.file = "t.cu";
  r.source = program;
  r.arch = "compute_75";
  std::vector<Compiled> all(6);
  std::vector<std::thread> threads;
  for (Compiled& c : all) threads.emplace_back([&c, &r] { c = compile(r); });
  for (std::thread& thread : threads) thread.join();
  for (const Compiled& c : all) {
    CHECK(c.ok);
    CHECK(c.ptx == all[0].ptx);
  }
  CHECK(kept(t).size() == 2);  // and nothing half written
}

TEST_CASE(
    "clang: a precompiled header is blamed for a crash and for errors at no line, not for a program's "
    "errors") {
  CHECK_FALSE(blames_precompiled(0, ""));
  CHECK_FALSE(
      blames_precompiled(1, "t.cu:3:1: error: unknown type name 'x'\nfatal error: too many errors\n"));
  CHECK(blames_precompiled(1, "fatal error: malformed or corrupted AST file: 'Blob ends too soon'\n"));
  CHECK(blames_precompiled(1, "error: input is not a PCH file: 'e.pch'\n"));
  CHECK(blames_precompiled(139, "Stack dump:\n"));
  CHECK_FALSE(blames_precompiled(-2, ""));  // the time limit
}

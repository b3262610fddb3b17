// The single-file programs of tests/programs, of the kinds that courses use: each compiles as it stands, and
// prints on the modelled H100 what it prints on a GPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "../temp_folder.hpp"
#include "../whole_suite.hpp"
#include "core/compile.hpp"
#include "core/compile/compiler.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "core/report.hpp"
#include "fixture_labs.hpp"
#include "host_play.hpp"

using namespace dojo;
namespace fs = std::filesystem;

namespace {
std::set<fs::path> programs() {
  std::set<fs::path> out;
  for (const auto& e : fs::directory_iterator(source_root() / "tests" / "programs"))
    if (e.path().extension() == ".cu") out.insert(e.path());
  return out;
}
}  // namespace

TEST_CASE("every sample program compiles, without a word said") {
  keep_headers_warm(false);
  CHECK(programs().size() >= 25);
  test::Part part("sample programs", 12);
  for (const fs::path& p : programs()) {
    if (!part.takes(p.filename().string())) continue;
    CAPTURE(p.filename().string());
    CHECK(fs::exists(fs::path(p).replace_extension(".expected")));
    CompileRequest r;
    r.file = p.filename().string();
    r.source = read_or_empty(p);
    r.arch = "compute_90";  // as `play` compiles for the H100
    r.program = true;
    const Compiled c = compile(r);
    for (const Diagnostic& d : c.diagnostics)
      MESSAGE(d.where.file << ":" << d.where.line << ":" << d.where.column << " " << to_string(d.severity)
                           << ": " << d.message);
    CHECK(c.ok);
    // What nvcc takes with an option only is told.
    CHECK(c.diagnostics.size() == (p.stem() == "kernels_launch" ? 1 : 0));
  }
}

TEST_CASE("every sample program runs, prints what it should, and leaves nothing behind") {
  test::Part part("sample programs", 8);
  for (const fs::path& p : programs()) {
    const std::string name = p.filename().string();
    if (!part.takes(name)) continue;
    CAPTURE(name);
    std::vector<std::string> args;
    if (name == "arguments.cu") args = {"5", "2.5", "word"};
    const host_test::Played r = host_test::play(read_or_empty(p), args, name);
    for (const Diagnostic& d : r.findings)
      MESSAGE(d.where.line << " " << to_string(d.kind) << ": " << d.message);
    CHECK_FALSE(r.stopped);
    CHECK(r.exit_status == 0);
    CHECK(r.findings.empty());
    CHECK(r.printed == read_or_empty(fs::path(p).replace_extension(".expected")));
  }
}

TEST_CASE("a file that is not there can't be opened, and a note says where a program's files are") {
  const host_test::Played r = host_test::play(
      "#include <cstdio>\n#include <fstream>\nint main() {\n  FILE* f = fopen(\"none.txt\", \"r\");\n"
      "  std::ifstream i(\"none.txt\");\n  printf(\"%d %d\\n\", f == nullptr, i.is_open());\n"
      "  return fgetc(f);\n}\n");
  CHECK(r.printed == "1 0\n");
  const auto said = std::find_if(r.findings.begin(), r.findings.end(),
                                 [](const Diagnostic& d) { return d.severity == Severity::note; });
  REQUIRE(said != r.findings.end());
  CHECK(said->where.line == 4);
  CHECK(said->message ==
        "\"none.txt\" can't be opened: a program's files live in memory; `play --files FOLDER` "
        "gives it a folder.");
  CHECK(r.stopped);
}

TEST_CASE("the first read of standard input is a warning, however it is read") {
  const auto warnings = [](const std::string& body) {
    const host_test::Played r = host_test::play(
        "#include <cstdio>\n#include <iostream>\n#include <fstream>\nint main() {\n  int v = 7;\n" + body +
        "}\n");
    CHECK(r.exit_status == 0);
    std::vector<int> lines;
    for (const Diagnostic& d : r.findings) {
      CHECK(d.severity == Severity::warning);
      CHECK(d.message.starts_with("The program reads standard input, which is empty here."));
      lines.push_back(d.where.line);
    }
    return lines;
  };
  CHECK(warnings("  printf(\"%d\", scanf(\"%d\", &v));\n  scanf(\"%d\", &v);\n").size() == 1);
  CHECK(warnings("  char s[9];\n  fgets(s, 9, stdin);\n") == std::vector<int>{7});
  CHECK(warnings("  v = getchar();\n") == std::vector<int>{6});
  CHECK(warnings("  std::cin >> v;\n  std::cin >> v;\n").size() == 1);
  CHECK(warnings("  sscanf(\"5\", \"%d\", &v);\n  std::ifstream none;\n  none >> v;\n").empty());
}

TEST_CASE("a program with a folder reads its files and leaves its own there, and reaches no other") {
  const temporary::TempFolder own;
  const fs::path& folder = own.path;
  own.write("in/given.txt", "41");
  host_test::Loaded l(
      "#include <cstdio>\nint main() {\n  int v = 0;\n  FILE* f = fopen(\"given.txt\", \"r\");\n"
      "  fscanf(f, \"%d\", &v);\n  fclose(f);\n  f = fopen(\"made.txt\", \"w\");\n"
      "  fprintf(f, \"%d\", v + 1);\n"
      "  return fopen(\"../outside.txt\", \"w\") || fopen(\"/etc/passwd\", \"r\");\n}\n");
  l.session->set_files((folder / "in").string());
  CHECK(l.session->main(std::vector<std::string>{"t.cu"}).exit_status == 0);
  l.session.reset();  // what is open is stored at the end
  CHECK(read_or_empty(folder / "in" / "made.txt") == "42");
  CHECK_FALSE(fs::exists(folder / "outside.txt"));
}

TEST_CASE("managed memory is called by the student's variable: in a kernel, by the host, and while it runs") {
  const std::string kernel = "__global__ void twice(float* data) { data[threadIdx.x] *= 2; }\n";
  const auto said = [&](const std::string& body) {
    const host_test::Played r = host_test::play(
        "__managed__ float table[8];\n" + kernel +
        "int main() {\n  float* weights;\n  cudaMallocManaged(&weights, 64 * sizeof(float));\n" + body +
        "  return 0;\n}\n");
    std::string all;
    for (const Diagnostic& d : r.findings)
      if (d.severity == Severity::error) all += d.message + "\n";
    return all;
  };
  CHECK(said("  for (int i = 0; i < 64; ++i) weights[i] = 1;\n  twice<<<1, 96>>>(weights);\n") ==
        "Thread 64 reads data[64]; data is the host's weights and has 64 elements.\n");
  CHECK(said("  weights[64] = 1;\n") == "Host code writes weights[64]; weights has 64 elements.\n");
  CHECK(said("  for (int i = 0; i < 64; ++i) weights[i] = 1;\n  twice<<<1, 64>>>(weights);\n"
             "  weights[3] = 1;\n")
            .starts_with("Race: host code writes weights[3] while the kernel twice of line "));
  CHECK(said("  twice<<<1, 9>>>(table);\n") ==
        "Thread 8 reads data[8]; data is the host's table and has 8 elements.\n");
}

TEST_CASE("a kernel whose writes its code doesn't tell writes nothing through its pointers to const") {
  // The address that the kernel stores to comes from memory.
  const auto with = [](const std::string& type) {
    return host_test::play("__global__ void k(" + type +
                           R"(* a, float** to) { to[0][threadIdx.x] = a[threadIdx.x]; }
int main() {
  float *a, *y, *h, **to;
  cudaMalloc(&a, 128);
  cudaMalloc(&y, 128);
  cudaMalloc(&to, 8);
  cudaMallocHost(&h, 128);
  cudaMemset(a, 0, 128);
  cudaMemcpy(to, &y, 8, cudaMemcpyHostToDevice);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaDeviceSynchronize();
  k<<<1, 32, 0, s>>>(a, to);
  cudaMemcpyAsync(h, a, 128, cudaMemcpyDeviceToHost, t);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(y);
  cudaFree(to);
  cudaFreeHost(h);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
})");
  };
  CHECK(with("const float").findings.empty());
  const auto plain = with("float");
  REQUIRE(!plain.findings.empty());
  CHECK(plain.findings[0].kind == FindingKind::race);
}

TEST_CASE("play: what files of courses include or call, and nvcc takes") {
  const char* const source = R"cu(#include <bits/stdc++.h>
#include <fcntl.h>
#include <memory.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <pthread.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
using namespace std;
struct ByMagnitude {
  __host__ __device__ bool operator()(double a, double b) { return fabs(a) < fabs(b); }  // not const
};
void* idle(void*) { return nullptr; }
int main() {
  map<string, vector<int>> lists;
  lists["a"].push_back(3);
  ostringstream out;
  out << lists["a"][0] << ' ' << setprecision(3) << acos(-1.0);
  printf("%s\n", out.str().c_str());
  const vector<double> h{1, -9, 4, 0.5};
  thrust::device_vector<double> v(h.begin(), h.end());
  const auto most = thrust::max_element(v.begin(), v.end(), ByMagnitude()),
             least = thrust::min_element(thrust::device, v.begin(), v.end(), ByMagnitude());
  printf("%d %d\n", int(most - v.begin()), int(least - v.begin()));
  pthread_t thread;
  pthread_create(&thread, nullptr, idle, nullptr);
  printf("%d\n", pthread_cancel(thread));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  nvtxNameCudaStreamA(stream, "copies");
  cudaStreamDestroy(stream);
  printf("%g %g\n", fabs(-3), acos(1));
  cudaThreadExit();
}
)cu";
  for (const char* compiler : {"nvrtc", "clang"}) {
    const host_test::ChosenCompiler chosen(compiler);
    if (!compiler_available(nullptr)) continue;
    CAPTURE(compiler);
    const host_test::Played p = host_test::play(source);
    for (const Diagnostic& d : p.findings) MESSAGE(d.message);
    CHECK(p.printed == "3 3.14\n1 3\n0\n3 0\n");
    CHECK(p.findings.empty());
  }
}

TEST_CASE("own headers: a backslash behind the last line joins nothing to it") {
  const test::TempFolder t;
  t.write("twice.h", "#define TWICE(x) \\\n  ((x) * 2) \\\n");
  const host_test::Played p = host_test::play(
      "#include <cstdio>\n#include \"twice.h\"\nint main() { printf(\"%d\\n\", TWICE(21)); }\n", {},
      (t.path / "t.cu").string());
  for (const Diagnostic& d : p.findings) MESSAGE(d.message);
  CHECK(p.printed == "42\n");
}

TEST_CASE("play: a template named as a function of <cmath> is a program's own") {
  const host_test::Played p = host_test::play(R"cu(#include <cstdio>
template <class T> T log2(T v) { return v > 1 ? 1 + log2(v >> 1) : 0; }
int main() { printf("%zu %g\n", log2(size_t(1) << 40), sqrt(16)); }
)cu");
  for (const Diagnostic& d : p.findings) MESSAGE(d.message);
  CHECK(p.printed == "40 4\n");
}

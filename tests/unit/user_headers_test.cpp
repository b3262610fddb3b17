// Headers of a program's own: found as nvcc finds them, compiled with the same passes as the file, and named
// in messages as the student knows them.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "../temp_folder.hpp"
#include "core/compile.hpp"
#include "core/compile/own/late_globals.hpp"
#include "core/compile/own/late_statics.hpp"
#include "core/compile/own/own_headers.hpp"
#include "core/compile/own/plain_words.hpp"
#include "core/paths.hpp"
#include "host_play.hpp"
#include "shell.hpp"

using namespace dojo;
namespace fs = std::filesystem;

namespace {
struct Folder : temporary::TempFolder {
  std::string file(const std::string& name, const std::string& text) const {
    return write(name, text).string();
  }
};

Compiled compile_program(const std::string& file, const std::string& text,
                         const std::vector<std::string>& folders = {},
                         const std::vector<std::string>& defines = {}) {
  CompileRequest r;
  r.file = file;
  r.source = pack({text, own_headers(file, text, folders), folders, {}});
  r.program = true;
  r.defines = defines;
  return compile(r);
}

bool says(const Compiled& c, const std::string& words) {
  return std::any_of(c.diagnostics.begin(), c.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.message.find(words) != std::string::npos; });
}
}  // namespace

TEST_CASE("a header beside the file, one beside that header, and one of -I are found") {
  const Folder f;
  f.file("parts/kernel.cuh",
         "#pragma once\n#include \"sizes.h\"\n#include <common.h>\n"
         "__global__ void k(int* p) { p[threadIdx.x] = WIDTH + COMMON; }\n");
  f.file("parts/sizes.h", "#define WIDTH 7\n");
  f.file("shared/common.h", "#define COMMON 35\n");
  const std::string text =
      "#include \"parts/kernel.cuh\"\nint main() { k<<<1, 32>>>(nullptr); return EXTRA; }\n";
  const std::string main = f.file("main.cu", text);
  const Compiled c = compile_program(main, text, {(f.path / "shared").string()}, {"EXTRA=3"});
  for (const Diagnostic& d : c.diagnostics) MESSAGE(d.where.file << ":" << d.where.line << " " << d.message);
  CHECK(c.ok);
  CHECK(c.ptx.find("parts/kernel.cuh") != std::string::npos);  // its lines are in the line table
  // Without -I the angle brackets find nothing.
  CHECK_FALSE(compile_program(main, text, {}, {"EXTRA=3"}).ok);
}

TEST_CASE("an error in an own header stands at its file and line") {
  const Folder f;
  const std::string header = f.file("broken.h", "#pragma once\n\nint three() { return undefined_name; }\n");
  const std::string text = "#include \"broken.h\"\nint main() { return three(); }\n";
  const Compiled c = compile_program(f.file("main.cu", text), text);
  REQUIRE_FALSE(c.ok);
  CHECK(c.diagnostics[0].where.file == header);
  CHECK(c.diagnostics[0].where.line == 3);
  CHECK(c.diagnostics[0].message.find("undefined_name") != std::string::npos);
}

TEST_CASE("own headers go through the passes of the file: host and device are told apart in them") {
  const Folder f;
  const std::string header =
      f.file("mixed.h", "int host_only() { return 1; }\n__global__ void k(int* p) { *p = host_only(); }\n");
  const std::string text = "#include \"mixed.h\"\nint main() { k<<<1, 1>>>(nullptr); return 0; }\n";
  const Compiled c = compile_program(f.file("main.cu", text), text);
  REQUIRE_FALSE(c.ok);
  CHECK(says(c, "host_only"));
  CHECK(c.diagnostics[0].where.file == header);
  CHECK(c.diagnostics[0].where.line == 2);
}

TEST_CASE(
    "only files that end as headers do are read, none by an absolute path, and none without a program") {
  const Folder f;
  f.file("secret.txt", "int root_password;\n");
  f.file("beside.h", "#define BESIDE 1\n");
  for (const std::string& include :
       {std::string("#include \"secret.txt\"\n"), "#include \"" + (f.path / "beside.h").string() + "\"\n",
        std::string("#include \"/etc/passwd\"\n"), std::string("#embed \"beside.h\"\n")}) {
    CAPTURE(include);
    const std::string text = include + "int main() { return 0; }\n";
    CHECK(own_headers(f.file("main.cu", text), text, {}).empty());
    const Compiled c = compile_program((f.path / "main.cu").string(), text);
    CHECK_FALSE(c.ok);
    CHECK_FALSE(says(c, "root"));
  }
  // A step of a lab is no program: a bundle is only a file with zero bytes.
  CompileRequest r;
  r.file = "t.cu";
  r.source = pack({"#include \"a.h\"\n", {{"a.h", "int x;"}}, {}});
  const Compiled c = compile(r);
  CHECK_FALSE(c.ok);
  CHECK(says(c, "zero byte"));
}

TEST_CASE("a bundle is taken apart as it was made") {
  const Bundle b{"int main() {}\n", {{"a.h", "1:2"}, {"b/c.h", std::string("\0x", 2)}}, {"inc", "../more"}};
  const Bundle back = unpack(pack(b));
  CHECK(back.text == b.text);
  CHECK(back.folders == b.folders);
  REQUIRE(back.headers.size() == 2);
  CHECK(back.headers[1].name == "b/c.h");
  CHECK(back.headers[1].text == b.headers[1].text);
  const std::string whole = pack(b);
  for (size_t n = 0; n < whole.size(); ++n) unpack(whole.substr(0, n));  // cut short: no harm
  CHECK(unpack("plain").text == "plain");
}

TEST_CASE("globals that need code are initialised at main's beginning, in their order") {
  const std::string text =
      "int n = atoi(\"12\");\n"
      "const dim3 grid(n / 4,\n  2);\n"
      "int twice() { return 2 * n; }\n"
      "namespace { int fixed = 3; }\n"
      "int m{twice()};\n"
      "int main(int, char**) {\n"
      "  printf(\"%d %d %d %d\\n\", n, grid.x, grid.y, m + fixed);\n"
      "  return 0;\n}\n";
  const Compiled c = compile_program("t.cu", text);
  for (const Diagnostic& d : c.diagnostics) MESSAGE(d.where.line << " " << d.message);
  CHECK(c.ok);
  CHECK(host_test::play(text).printed == "12 3 2 27\n");
  using compile_detail::tokenize;
  using compile_detail::with_late_globals;
  const std::string made = with_late_globals(text, tokenize(text), {1, 2, 6}).source;
  CHECK(std::count(made.begin(), made.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
  CHECK(made.find("{n = atoi(\"12\"); grid = decltype(grid)(n / 4,   2); m = decltype(m){twice()}; \n") !=
        std::string::npos);
  for (const char* not_moved :
       {"int a = f(), b = 2;\nint main() {}\n", "namespace x {\nint a = f(); }\nint main() {}\n",
        "int a[2] = {f()};\nint main() {}\n", "int a = f();\n"})
    for (int line : {1, 2}) CHECK(with_late_globals(not_moved, tokenize(not_moved), {line}).source.empty());
}

TEST_CASE("a static variable of a host function gets its value once, when the function comes there") {
  const std::string text =
      "#include <cstdio>\n#include <string>\n#include <vector>\n"
      "static int asked(const char* who) { printf(\"%s \", who); return 7; }\n"
      "struct Device { int sms() const { static const int n = asked(\"member\"); return n; } };\n"
      "template <class T> T twice(T v) { static T first{T(asked(\"template\") * v)}; return first * 2; }\n"
      "int main() {\n"
      "  for (int i = 0; i < 3; ++i) {\n"
      "    static int count = asked(\"loop\") + i;\n"
      "    static auto half = asked(\"auto\") / 2.0;\n"
      "    static std::vector<int> all(size_t(asked(\"vector\")), i);\n"
      "    static std::string word = std::to_string(\n      asked(\"string\"));\n"
      "    count += 1; all.push_back(i); word += '!';\n"
      "    if (i == 2) printf(\"\\n%d %g %d %s\\n\", count, half, int(all.size()), word.c_str());\n"
      "  }\n"
      "  Device a, b;\n"
      "  printf(\"%d\\n\", a.sms() + b.sms() + twice(1) + twice(5) + int(twice(2.5f)));\n"
      "}\n";
  CHECK(host_test::play(text).printed ==
        "loop auto vector string \n10 3.5 10 7!!!\nmember template template 77\n");
  const Compiled in_kernel = compile_program(
      "t.cu",
      "__device__ int f() { return 1; }\n__device__ int x;\n"
      "__global__ void k() { static int s = f() + x; x = s; }\nint main() { k<<<1, 1>>>(); }\n");
  CHECK_FALSE(in_kernel.ok);
  const Compiled by_macro = compile_program("t.cu",
                                            "#define HD __host__ __device__\nint g(int x) { return x; }\n"
                                            "HD int h(int x) { static int s = g(x); return s; }\n"
                                            "int main() { return h(1); }\n");
  CHECK_FALSE(by_macro.ok);
  // Lines stay, wherever the declaration is broken.
  using compile_detail::tokenize;
  const std::string broken =
      "int f();\nint main() {\n  static const\n    int\n  n\n = f();\n  return n;\n}\n";
  const std::string late = compile_detail::with_late_statics(broken, tokenize(broken), {3, 4, 5, 6}).source;
  CHECK(late.find("__dojo_n") != std::string::npos);
  CHECK(std::count(late.begin(), late.end(), '\n') == std::count(broken.begin(), broken.end(), '\n'));
  const Compiled array = compile_program(
      "t.cu",
      "int f();\nint g() {\n  static int s[2] = {f()};\n  return s[0];\n}\nint f() { return 1; }\n"
      "int main() { return g(); }\n");
  CHECK(says(array, "initialise it in main instead"));
}

TEST_CASE("what nvcc takes of GNU C++: ranges of case labels, and __typeof__") {
  const std::string text =
      "#include <cstdio>\n"
      "int kind(char c) { switch (c) { case '0' ... '9': return 1; case 'a' ... 'f': return 2; default: "
      "return 0; } }\n"
      "__global__ void k(int* a) { __typeof__(a[0]) x = a[0];\n"
      "  switch (x) { case -3 ... -1: a[0] = 5; break; default: a[0] = 6; } }\n"
      "int main() {\n"
      "  int *a, first = -2; cudaMalloc(&a, 4); cudaMemcpy(a, &first, 4, cudaMemcpyHostToDevice);\n"
      "  k<<<1, 1>>>(a); cudaMemcpy(&first, a, 4, cudaMemcpyDeviceToHost); cudaFree(a);\n"
      "  __typeof__(unsigned char) byte = 257;\n"
      "  printf(\"%d %d%d%d %d\\n\", first, kind('7'), kind('e'), kind('g'), byte);\n}\n";
  CHECK(host_test::play(text).printed == "5 120 1\n");
  using compile_detail::in_plain_words;
  using compile_detail::tokenize;
  const auto plain = [](const std::string& s) { return in_plain_words(s, tokenize(s)); };
  CHECK(plain("switch (n) { case 3 ... 5: f(); }") == "switch (n) { case 3: case 4: case 5: f(); }");
  for (const char* left : {"case 5 ... 3: f(); }", "case 0 ... 5000: f(); }", "case a ... b: f(); }",
                           "case 3: f(); }", "case -2000000000 ... 2000000000: f(); }"})
    CHECK(plain(left).empty());
  std::string many;
  for (int i = 0; i < 100; ++i) many += "case 0 ... 1023: ";
  CHECK(plain(many).size() < 1000000);
}

TEST_CASE("play: a header that lies beside the file and in a folder of -I by its full path is one header") {
  const test::TempFolder t;
  std::ofstream(t.path / "c.h") << "#pragma once\ntemplate <class T> T f(T a) { return a; }\n";
  fs::create_directories(t.path / "sub");
  std::ofstream(t.path / "sub/b.h") << "#pragma once\n#include \"c.h\"\n";
  std::ofstream(t.path / "m.cu") << "#include \"c.h\"\n#include \"sub/b.h\"\nint main() { return f(3); }\n";
  const test::Shell s = test::shell(
      t, source_root().string(), "cd '" + t.path.string() + "' && $W play m.cu -I '" + t.path.string() + "'");
  CHECK(s.err == "");
  CHECK(s.status == 3);
}

TEST_CASE("a header of the host's branch alone has its name in the joined PTX") {
  const Folder f;
  f.file("only.h",
         "inline int host_side(int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i) s += i + 1;\n  return "
         "s;\n}\n");
  const std::string text =
      "#ifndef __CUDA_ARCH__\n#include \"only.h\"\n#endif\n"
      "__host__ __device__ int side(int n) {\n#ifdef __CUDA_ARCH__\n  return n;\n#else\n  return "
      "host_side(n);\n"
      "#endif\n}\n"
      "__global__ void ask(int* out) { *out = side(1); }\n"
      "int main(int argc, char**) { ask<<<1, 1>>>(nullptr); return side(argc); }\n";
  const Compiled c = compile_program(f.file("main.cu", text), text);
  for (const Diagnostic& d : c.diagnostics) MESSAGE(d.where.file << ":" << d.where.line << " " << d.message);
  REQUIRE(c.ok);
  const auto module = ptx::parse(c.ptx, ptx::every_project_file);
  CHECK(std::any_of(module->files.begin(), module->files.end(),
                    [](const auto& name) { return name.ends_with("only.h"); }));
}

// The header search is closed: nothing outside the toolkit and labs/include is read or named.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "../temp_folder.hpp"
#include "compiled.hpp"
#include "core/compile.hpp"
#include "core/compile/includes.hpp"
#include "core/paths.hpp"

using namespace dojo;
namespace fs = std::filesystem;
using dojo::test::compiled;

namespace {}  // namespace

TEST_CASE("a path outside is neither read nor quoted") {
  for (const char* source : {"#include \"/etc/passwd\"\n",
                             "#include </etc/passwd>\n",
                             "  #  include \"/etc/passwd\"\n",
                             "#include \"../../../../../../../../../../etc/passwd\"\n",
                             "#include <../../../../../../../../../../etc/passwd>\n",
                             "#inc\\\nlude \"/etc/passwd\"\n",
                             "#/* */include/* */\"/etc/passwd\"\n",
                             "%:include \"/etc/passwd\"\n",
                             "#define F \"/etc/passwd\"\n#include F\n",
                             "#include \"cooperative_groups/../../../../../../../etc/passwd\"\n",
                             "#include_next \"/etc/passwd\"\n",
                             "#import \"/etc/passwd\"\n",
                             "#include \"crt/../../../../../../etc/passwd\"\n",
                             "const unsigned char c[] = {\n#embed \"/etc/passwd\"\n};\n",
                             "?\?=include \"/etc/passwd\"\n",
                             "#include \\\n  \"/etc/passwd\"\n",
                             "\xEF\xBB\xBF#include \"/etc/passwd\"\n",
                             "#pragma x \"\n#include \"/etc/passwd\"\n",
                             "#if 0\ndon't\n#endif\n#include \"/etc/passwd\"\n",
                             "#define X /*\n*/ 3\n#include \"/etc/passwd\"\n",
                             "int x;\v\n#include \"/etc/passwd\"\n",
                             "// \r\n#include \"/etc/passwd\"\r\n",
                             "/* x\n*/ #include \"/etc/passwd\"\n",
                             "#inc\\ \nlude \"/etc/passwd\"\n"}) {
    CAPTURE(source);
    const Compiled c = compiled(source);
    CHECK_FALSE(c.ok);
    for (const Diagnostic& d : c.diagnostics) {
      CAPTURE(d.message);
      CHECK(d.message.find("root") == std::string::npos);
      CHECK(d.message.find("/bin") == std::string::npos);
      CHECK(d.message.find("/etc") == std::string::npos);
      CHECK(d.where.file == "t.cu");
    }
  }
}

TEST_CASE("whether a file outside exists can't be asked") {
  for (const char* test :
       {"__has_include(\"/etc/passwd\")", "__has_include(</etc/passwd>)",
        "__has_include(\"../../../../../../../../../etc/passwd\")",
        "defined(__has_include) && __has_include(\"/etc/passwd\")", "__has_embed(\"/etc/passwd\")"}) {
    CAPTURE(test);
    const Compiled c = compiled(std::string("#if ") + test + "\n#error found\n#endif\nint x;\n");
    for (const Diagnostic& d : c.diagnostics) CHECK(d.message.find("found") == std::string::npos);
  }
  const Compiled pasted =
      compiled("#define P(a, b) a##b\n#if P(__has_, include)(</etc/passwd>)\n#error found\n#endif\n");
  for (const Diagnostic& d : pasted.diagnostics) CHECK(d.message.find("found") == std::string::npos);
}

TEST_CASE("the current folder and the file's own are not searched") {
  const temporary::TempFolder own;
  const fs::path& folder = own.path;
  own.write("secret.h", "int secret_text here;\n");
  CompileRequest r;
  r.file = (folder / "t.cu").string();
  r.source = "#include \"secret.h\"\n";
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  const Compiled c = compile(r);
  fs::current_path(before);
  CHECK_FALSE(c.ok);
  REQUIRE(c.diagnostics.size() == 1);
  CHECK(c.diagnostics[0].message.rfind("there is no header \"secret.h\" here", 0) == 0);
  CHECK(c.diagnostics[0].where.line == 1);
}

TEST_CASE("include: a header of a later standard is told as that") {
  CompileRequest r;
  r.file = "t.cu";
  r.source = "#include <concepts>\nint main() {}\n";
  r.program = true;
  const Compiled c = compile(r);
  CHECK_FALSE(c.ok);
  REQUIRE(!c.diagnostics.empty());
  CHECK(c.diagnostics[0].where.line == 1);
  CHECK(c.diagnostics[0].message ==
        "<concepts> is of C++20 or later, and files are compiled as C++17 here, as by nvcc: add --std=c++20");
  r.standard = "c++20";
  CHECK(compile(r).ok);
  r.source = "#include <coroutine>\nint main() {}\n";
  const Compiled none = compile(r);
  REQUIRE(!none.diagnostics.empty());
  CHECK(none.diagnostics[0].message ==
        "there is no <coroutine> here: run the compiled program with warpdojo exec");
}

TEST_CASE("include: CUB's device-wide functions are for whole programs, with the reason and what to use") {
  const std::string asks =
      "size_t asks(int* bins, const int* in) {\n  size_t n = 0;\n"
      "  cub::DeviceHistogram::HistogramEven(nullptr, n, in, bins, 5, 0, 4, 99);\n  return n;\n}\n";
  CompileRequest r;
  r.file = "t.cu";
  for (const char* header : {"<cub/device/device_histogram.cuh>", "<cub/cub.cuh>"}) {
    CAPTURE(header);
    r.source = std::string("#include ") + header + "\n" + asks;
    r.program = true;
    CHECK(compile(r).ok);
    r.program = false;
    const Compiled step = compile(r);
    CHECK_FALSE(step.ok);
    REQUIRE(step.diagnostics.size() == 1);
    CHECK(step.diagnostics[0].where.line == 4);
    CHECK(step.diagnostics[0].message ==
          "CUB's device-wide functions can't be used in a step: here they are stand-ins, whose time is not "
          "CUB's. Write the kernel, or use CUB's block and warp functions, such as cub::BlockReduce");
  }
  r.source = "#include <cub/device/device_scan.cuh>\nint x;\n";
  const Compiled header = compile(r);
  REQUIRE(header.diagnostics.size() == 1);
  CHECK(header.diagnostics[0].where.line == 1);
  CHECK(header.diagnostics[0].message.find("CUB's device-wide functions can't be used in a step") == 0);
  r.source =
      "#include <cub/block/block_reduce.cuh>\n__global__ void k(int* a) {\n"
      "  using Sum = cub::BlockReduce<int, 64>;\n  __shared__ typename Sum::TempStorage t;\n"
      "  a[0] = Sum(t).Sum(a[threadIdx.x]);\n}\n";
  CHECK(compile(r).ok);
  r.source =
      "#include <cub/cub.cuh>\nint main() {\n  size_t n;\n  cub::DeviceMergeSort::SortKeys(0, n);\n}\n";
  r.program = true;
  const Compiled absent = compile(r);
  REQUIRE(!absent.diagnostics.empty());
  CHECK(absent.diagnostics[0].where.line == 4);
  CHECK(absent.diagnostics[0].message.find("there is no stand-in for cub::DeviceMergeSort here") == 0);
}

TEST_CASE("a refused include in a part that is never compiled is no error") {
  CHECK(compiled("#ifdef _WIN32\n#include <windows.h>\n#include \"C:\\x.h\"\n#endif\n#if 0\n#include "
                 "\"/etc/passwd\"\n"
                 "#endif\nint main() { return 0; }\n")
            .ok);
  CHECK(compiled("#ifdef __has_include\n#if __has_include(<cuda_fp16.h>)\n#define OK 1\n#endif\n#endif\n"
                 "int a[OK];\nint main() { return 0; }\n")
            .ok);
}

TEST_CASE("the rewriting keeps line numbers") {
  std::string s = "#include \\\n\"/etc/passwd\"\nint x = nope;\n";
  compile_detail::close_includes(s, compile_detail::tokenize(s));
  CHECK(s == "#include <~>\n\nint x = nope;\n");
  std::string t = "#line 500 \"other.cu\"\nint x = nope;\n";
  compile_detail::close_includes(t, compile_detail::tokenize(t));
  CHECK(compiled(t).diagnostics.at(0).where.line == 2);
}

TEST_CASE("macros of one letter, by -D or in the file, leave the standard headers alone") {
  std::vector<std::string> letters = {"KR", "VR"};
  for (char c = 'A'; c <= 'Z'; ++c) letters.emplace_back(1, c);
  std::string headers, macros;
  for (const auto& e : fs::directory_iterator(source_root() / "labs/include/shims"))
    if (const std::string name = e.path().filename().string();
        e.is_regular_file() && !e.path().has_extension())
      headers += "#include <" + name + ">\n";
  CHECK(std::count(headers.begin(), headers.end(), '\n') > 60);
  for (const std::string& l : letters) macros += "#define " + l + " 1\n";
  const std::string program =
      "int main() {\n  std::vector<int> v(3, M);\n  std::sort(v.begin(), v.end());\n  return v[0] - N;\n}\n";
  CompileRequest by_option;
  by_option.file = "t.cu", by_option.arch = "compute_75", by_option.standard = "c++20";
  by_option.program = true;
  by_option.source = headers + program;
  CompileRequest in_file = by_option;
  for (const std::string& l : letters) by_option.defines.push_back(l == "N" ? "N=1" : l);
  in_file.source = macros + by_option.source;
  for (const CompileRequest& r : {by_option, in_file}) {
    const Compiled c = compile(r);
    CHECK_MESSAGE(c.ok, (c.diagnostics.empty() ? std::string() : c.diagnostics[0].message));
  }
  // Lines are those of the file.
  by_option.source = "int main() {\n  return x;\n}\n";
  const Compiled wrong = compile(by_option);
  REQUIRE(!wrong.diagnostics.empty());
  CHECK(wrong.diagnostics[0].where.line == 2);
}

// The single-file programs of tests/programs, of the kinds that courses use: each compiles as it stands, and
// prints on the modelled H100 what it prints on a GPU.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "core/compile.hpp"
#include "core/paths.hpp"
#include "core/report.hpp"
#include "host_play.hpp"

using namespace dojo;
namespace fs = std::filesystem;

namespace {
std::string text_of(const fs::path& p) {
  std::ifstream f(p, std::ios::binary);
  return {std::istreambuf_iterator<char>(f), {}};
}
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
  for (const fs::path& p : programs()) {
    CAPTURE(p.filename().string());
    CHECK(fs::exists(fs::path(p).replace_extension(".expected")));
    CompileRequest r;
    r.file = p.filename().string();
    r.source = text_of(p);
    r.arch = "compute_90";  // as `play` compiles for the H100
    r.program = true;
    const Compiled c = compile(r);
    for (const Diagnostic& d : c.diagnostics)
      MESSAGE(d.where.file << ":" << d.where.line << ":" << d.where.column << " " << to_string(d.severity)
                           << ": " << d.message);
    CHECK(c.ok);
    CHECK(c.diagnostics.empty());
  }
}

TEST_CASE("every sample program runs, prints what it should, and leaves nothing behind") {
  for (const fs::path& p : programs()) {
    const std::string name = p.filename().string();
    CAPTURE(name);
    std::vector<std::string> args;
    if (name == "arguments.cu") args = {"5", "2.5", "word"};
    const host_test::Played r = host_test::play(text_of(p), args, name);
    for (const Diagnostic& d : r.findings) MESSAGE(d.where.line << " " << d.kind << ": " << d.message);
    CHECK_FALSE(r.stopped);
    CHECK(r.exit_status == 0);
    CHECK(r.findings.empty());
    CHECK(r.printed == text_of(fs::path(p).replace_extension(".expected")));
  }
}

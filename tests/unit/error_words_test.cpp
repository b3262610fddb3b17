// No library's exception text reaches a person: JSON, TOML, files, the command line. And recordings are found
// by their schema.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "../has.hpp"
#include "cli/usage.hpp"
#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "core/text/json_words.hpp"
#include "core/text/nearest.hpp"
#include "run/recordings/recording.hpp"
#include "shell.hpp"

using namespace dojo;
using dojo::test::has;
using dojo::test::one_line;
using dojo::test::Shell;
using dojo::test::TempFolder;

namespace {
struct MessageBench {
  TempFolder t;
  MessageBench() { test::write_demo_lab(t); }
  Shell operator()(const std::string& line) const { return test::shell(t, t.path.string(), line); }
};
/// Wording that only a library has.
bool library_text(const std::string& s) {
  for (const char* part :
       {"json.exception", "filesystem error", "Error while parsing", "FAILED", "is required",
        "were not expected", "was not expected", "not in {", "map::at", "std::", "basic_string"})
    if (has(s, part)) return true;
  return false;
}
const char* const report = R"({"schema": "warpdojo/report/1", "step": "demo/1-first", "size": {"n": 64},)"
                           R"( "device": {"title": "A GPU"},)"
                           R"( "runs": [{"who": "reference", "status": "pass", "time_us": {"value": 3}}]})";
}  // namespace

TEST_CASE("devices lists the recordings of the folder and no other JSON") {
  MessageBench b;
  b.t.write(
      "assets/recordings/gpu.json",
      std::string(R"({"schema": "warpdojo/recording/1", "gpu": "A GPU", "reports": [)") + report + "]}");
  b.t.write("assets/recordings/counter-reasons.json", R"([{"target": "a", "kernel": "b", "reason": "c"}])");
  b.t.write("assets/recordings/gpu-counters.json", R"({"schema": "warpdojo/counters/1", "launches": []})");
  const Shell s = b("$W devices");
  CHECK(s.status == 0);
  CHECK(has(s.out, "rec:gpu.json"));
  CHECK(!has(s.out, "counter"));
  CHECK(!library_text(s.out + s.err));
  // Half a recording is one, and said to be broken.
  b.t.write("assets/recordings/half.json", R"({"schema": "warpdojo/recording/1", "reports": [)");
  const Shell half = b("$W devices");
  CHECK(has(half.out, "half.json is no recording: the JSON text ends too early"));
  CHECK(!library_text(half.out));
  // The figures of the good one, and the others refused by name.
  CHECK(has(b("$W bench cuda --device rec:gpu.json --json").out, "cuda.demo/1-first@64.us"));
  for (const char* other : {"counter-reasons.json", "gpu-counters.json", "half.json"}) {
    const Shell no = b(std::string("$W bench cuda --device rec:") + other);
    CHECK(no.status == 2);
    CHECK(one_line(no.err));
    CHECK_MESSAGE(has(no.err, "is no recording"), no.err);
    CHECK_MESSAGE(!library_text(no.err), no.err);
  }
}

TEST_CASE("wrong usage is said in our own words, with the nearest by spelling") {
  MessageBench b;
  const std::pair<const char*, const char*> cases[] = {
      {"$W lst", "there is no call 'lst'; the nearest is 'list'"},
      {"$W check", "there is no call 'check'; the nearest is 'run'"},
      {"$W next", "there is no call 'next'; the nearest is 'watch'"},
      {"$W run", "STEP is missing"},
      {"$W run demo/1 --sise 4", "the nearest is '--size'"},
      {"$W run demo/1 --who nobody", "'nobody' does not fit --who: student, reference or both"},
      {"$W run demo/1 --seed x", "--seed: 'x' is no seed: give a whole number"},
      {"$W run demo/1 --seed -1", "--seed: '-1' is no seed"},
      {"$W run demo/1 --seed 99999999999999999999", "is no seed"},
      {"$W trace demo/1 --warp 40", "'40' does not fit --warp, which takes 0 to 31: only this warp's lines"},
      {"$W waves --grid -3x2", "'-3x2' is no grid of tiles: rows and columns are from 1"},
      {"$W waves --grid 0x0", "'0x0' is no grid of tiles"},
      {"$W waves --sms 0", "'0' does not fit --sms, which takes 1 to 100000"},
      {"$W run demo", "'demo' is a lab: name one of its steps, such as demo/1-first"},
      {"$W run nothing.cu", "there is no file nothing.cu"},
      {"$W run demo/1 --file nothing.cu", "there is no file nothing.cu"},
      {"$W run demo/1 --file /tmp", "/tmp is a folder"},
      {"$W run demo/1 --file /dev/zero", "/dev/zero is not a file"},
      {"d=$(mktemp -d); truncate -s 1G $d/x.cu; $W run demo/1 --file $d/x.cu; s=$?; rm -r $d; exit $s",
       "x.cu is larger than 4 MiB"},
      {"$W app --theme blue", "'blue' does not fit --theme: dark, light or contrast"},
      {"$W run demo/1 --size", "--size needs a value"},
      {"$W list dmeo", "there is no lab 'dmeo'; the nearest is 'demo'"},
      {"$W run demo/frist", "the nearest is 'demo/1-first'"},
      {"$W run zebra/5", "no step 'zebra/5'; the labs are demo (`warpdojo list` shows their steps)"},
      {"$W run demo/qqqqqqqqqq", "no step 'demo/qqqqqqqqqq'; the steps of demo are demo/1-first to demo/"},
      {"$W new step", "there is no `new step`. There is `new lab`: a lab of one step"},
      {"$W new step", "A step is added by hand, as docs/adding-a-lab.md describes"},
      {"$W new lab", "NAME is missing: such as warp-votes (warpdojo new lab --help)"},
      {"$W new", "new needs a further word. There is `new lab`"}};
  for (auto& [line, words] : cases) {
    const Shell s = b(line);
    CHECK(s.status == 2);
    CHECK_MESSAGE(one_line(s.err), line << ": " << s.err);
    CHECK_MESSAGE(has(s.err, words), line << ": " << s.err);
    CHECK_MESSAGE(!library_text(s.err), line << ": " << s.err);
  }
}

TEST_CASE("the nearest word: letters that changed places are one edit, and a far guess is none") {
  CHECK(edit_distance("wrap", "warp") == 1);
  CHECK(edit_distance("redcue", "reduce") == 1);
  CHECK(edit_distance("", "warp") == 4);
  CHECK(edit_distance("warp", "warp") == 0);
  CHECK(nearest_word("wrap", {"graph", "warp", "wave"}) == "warp");
  CHECK(nearest_word("zebra/5", {"banks/5", "sparse/5", "first-launch/5"}).empty());
  CHECK(nearest_word("frobnicate", {"run", "profile", "counters"}).empty());
}

TEST_CASE("list takes a lab, and a device its short name") {
  MessageBench b;
  CHECK(has(b("$W list demo").out, "demo/2-second"));
  CHECK(cli::full_device_name("a100") == "simt:a100");
  CHECK(cli::full_device_name("cuda") == "cuda:0");
  CHECK(cli::full_device_name("rec:h100") == "rec:h100");
  CHECK(cli::full_device_name("") == "");
  // It is asked for under its full name.
  CHECK(has(b("$W run demo/1 --device a101").err, "'simt:a101'"));
}

TEST_CASE("exceptions of libraries become plain words") {
  CHECK(error_words(Error("the lab is closed")) == "the lab is closed");
  CHECK(error_words(std::out_of_range("map::at")).find("map") == std::string::npos);
  const std::filesystem::filesystem_error file("x", "/some/file",
                                               std::make_error_code(std::errc::no_such_file_or_directory));
  CHECK(error_words(file) == "cannot use /some/file: No such file or directory");
  const std::string text = "{\n\"a\": 1,\n]}";
  try {
    const auto parsed = nlohmann::json::parse(text);
    FAIL_CHECK("no exception, but " << parsed.dump());
  } catch (const nlohmann::json::exception& e) {
    CHECK(json_words(e, text) == "line 3 is not valid JSON");
  }
  MessageBench b;
  b.t.write("labs/02-broken/lab.toml", "name = \"broken\ntitle");
  const Shell s = b("$W list");
  CHECK(has(s.err, "labs/02-broken/lab.toml:1: not valid TOML"));
  CHECK(!library_text(s.err));
}

// The program itself, on a small tree of labs: what needs no compiler and no device.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "../has.hpp"
#include "../left_out.hpp"
#include "cli/cli.hpp"
#include "cli/show.hpp"
#include "cli/terminal.hpp"
#include "core/compile/compiler.hpp"
#include "core/error.hpp"
#include "shell.hpp"

using namespace dojo;
using dojo::test::has;
using dojo::test::one_line;
using dojo::test::Shell;
using dojo::test::TempFolder;

namespace {
struct Bench {
  TempFolder t;
  Bench() { test::write_demo_lab(t); }
  Shell operator()(const std::string& line) const { return test::shell(t, t.path.string(), line); }
};
}  // namespace

TEST_CASE("list gives labs, steps and states, as JSON in the documented form") {
  Bench b;
  b.t.write("data/warpdojo/progress.json",
            R"({"steps": {"demo/1-first": {"state": "passed", "hints": 1, "other": 3}}})");
  const Shell s = b("$W list --json");
  REQUIRE(s.status == 0);
  const auto j = nlohmann::json::parse(s.out);
  const auto& lab = j.at("labs").at(0);
  CHECK(lab.at("lab") == "demo");
  CHECK(lab.at("order") == 1);
  CHECK(lab.at("steps").at(0) == nlohmann::json{{"step", "demo/1-first"},
                                                {"title", "First"},
                                                {"file", "labs/01-demo/1-first.cu"},
                                                {"state", "passed"}});
  CHECK(lab.at("steps").at(1).at("state") == "new");
  const Shell plain = b("$W list");
  CHECK(has(plain.out, "demo/2-second"));
  CHECK(!has(plain.out, "\x1b["));
  CHECK(has(b("$W list --counters").out, "smsp__inst_executed.sum"));
}

TEST_CASE("wrong usage is one line and status 2") {
  Bench b;
  for (const char* line :
       {"$W nonsense", "$W run", "$W run demo/1 --who nobody", "$W run demo/1 --size many",
        "$W run demo/1 --size 99999999999999999999", "$W run demo/secnd", "$W hint demo/9", "$W reset demo",
        "$W run demo/1 --seed x", "$W sweep demo/1 --sizes 5:1", "$W sweep demo/1 --sizes 1:x",
        "$W bench nothing", "$W record demo/1 --device rec:nowhere --out x", "$W run ./missing.cu",
        "$W play ./missing.cu", "$W play /tmp", "$W run demo/1 --device simt:nothing",
        "WARPDOJO_ROOT=/nowhere $W list"}) {
    const Shell s = b(line);
    CHECK_MESSAGE(s.status == 2, line << " -> " << s.status);
    CHECK_MESSAGE(one_line(s.err), line << ": " << s.err);
  }
  CHECK(has(b("$W run demo/secnd").err, "demo/2-second"));
  for (const char* limit : {"0", "-1", "nan", "1e300", "ten"}) {
    const Shell s = b(std::string("$W run demo/1 --time-limit ") + limit);
    CHECK(s.status == 2);
    CHECK_MESSAGE(has(s.err, "--time-limit: '" + std::string(limit) +
                                 "' is no limit: give seconds, more than 0 and at most 86400"),
                  s.err);
  }
  CHECK(has(b("$W run demo/1 --device simt:nothing").err, "simt:h100"));
}

TEST_CASE("output that does not arrive is said, with a status") {
  Bench b;
  // Less than a buffer, more than one, and what the parser prints itself.
  for (const char* call : {"list", "list --counters", "--help", "--version", "devices --json"}) {
    CHECK(b(std::string("$W ") + call).status == 0);
    for (const char* lost : {" >/dev/full", " >&-"}) {
      const Shell s = b(std::string("$W ") + call + lost);
      CHECK_MESSAGE(s.status == 2, call << lost);
      CHECK_MESSAGE(s.err.starts_with("warpdojo: cannot write standard output"), s.err);
      CHECK_MESSAGE(one_line(s.err), s.err);
    }
  }
  // A file that is opened later never takes the number of a closed stream.
  const Shell kept = b("$W hint demo/1 >&- 2>&-; cat $XDG_DATA_HOME/warpdojo/progress.json");
  CHECK(nlohmann::json::parse(kept.out).at("steps").at("demo/1-first").at("hints") == 1);
}

TEST_CASE("glossary gives a term or all of them as JSON") {
  Bench b;
  b.t.write("labs/glossary.toml",
            "[[term]]\nname = 'lane'\nalso = ['lanes']\ntext = 'A thread.'\nsee = ['warp']\n"
            "[[term]]\nname = 'warp'\ntext = '32 lanes.'\n");
  const Shell all = b("$W glossary --json"), one = b("$W glossary lanes --json");
  REQUIRE(all.status == 0);
  const auto j = nlohmann::json::parse(all.out);
  CHECK(j.at("schema") == "warpdojo/glossary/1");
  CHECK(j.at("terms").size() == 2);
  CHECK(nlohmann::json::parse(one.out).at("terms") ==
        nlohmann::json::array(
            {{{"term", "lane"}, {"also", {"lanes"}}, {"text", "A thread."}, {"see", {"warp"}}}}));
  CHECK(b("$W glossary nothing --json").status == 2);
}

TEST_CASE("help names every call") {
  Bench b;
  const Shell s = b("$W --help");
  CHECK(s.status == 0);
  for (const char* call : {"list", "run", "watch", "hint", "reset", "play", "devices", "sweep", "explain",
                           "record", "bench", "worker"})
    CHECK_MESSAGE(has(s.out, call), call);
}

TEST_CASE("help CALL is CALL --help") {
  Bench b;
  const Shell s = b("$W help run");
  CHECK(s.status == 0);
  CHECK(has(s.out, "--time-limit"));
  CHECK(b("$W help").out == b("$W --help").out);
}

TEST_CASE("a broken lab.toml is one line, and the other labs stay") {
  Bench b;
  b.t.write("labs/02-bad/lab.toml", "name = \n");
  const Shell s = b("$W list");
  CHECK(s.status == 0);
  CHECK(has(s.out, "demo/1-first"));
  CHECK(one_line(s.err));
  CHECK(has(s.err, "labs/02-bad/lab.toml:1:"));
}

TEST_CASE("a hint that can't be remembered is still shown, and the reason is said") {
  Bench b;
  const Shell s = b("XDG_DATA_HOME=/dev/null $W hint demo/1");
  CHECK(s.status == 0);
  CHECK(has(s.out, "Hint 1 of 2"));
  CHECK(one_line(s.err));
  CHECK(s.err.starts_with("warpdojo: "));
}

TEST_CASE("a path to a copy of a step's file runs the copy, and says its name") {
  if (needs::left_out_without("a compiler", compiler_available(nullptr))) return;
  const TempFolder t;
  const std::string copy =
      t.write("copy/01-reduce/2-shared.cu", "__global__ void k() { no_such_name; }\n").string();
  const Shell s = test::shell(t, source_root().string(), "$W run '" + copy + "' --who student");
  CHECK(s.status == 3);
  CHECK(has(s.out, copy + ":1:"));
  CHECK(has(s.out, "no_such_name"));
}

TEST_CASE("hints come one at a time and are remembered") {
  Bench b;
  CHECK(has(b("$W hint demo/1").out, "Hint 1 of 2: a"));
  CHECK(has(b("$W hint demo/1").out, "Hint 2 of 2: b"));
  CHECK(has(b("$W hint demo/1").out, "Hint 2 of 2: b"));
  CHECK(has(b("$W hint demo/2").out, "Hint 1 of 3"));
}

TEST_CASE("progress keeps what it doesn't know, and a broken file is set aside") {
  Bench b;
  const auto file = b.t.write("data/warpdojo/progress.json",
                              R"({"theme": 1, "steps": {"demo/1-first": {"prediction": "70"}}})");
  b("$W hint demo/1");
  const auto j = nlohmann::json::parse(read_or_empty(file));
  CHECK(j.at("theme") == 1);
  CHECK(j["steps"]["demo/1-first"].at("prediction") == "70");
  CHECK(j["steps"]["demo/1-first"].at("hints") == 1);
  b.t.write("data/warpdojo/progress.json", "{ broken");
  CHECK(b("$W hint demo/1").status == 0);
  CHECK(read_or_empty(file.string() + ".broken") == "{ broken");
}

TEST_CASE("reset brings the first text back and keeps yours, every time under a new name") {
  Bench b;
  const auto file = b.t.path / "labs/01-demo/1-first.cu";
  const std::string first = read_or_empty(file);
  CHECK(b("$W reset demo/1").status == 2);  // neither git nor a kept copy
  b("printf q | $W watch demo");            // sees the file, keeps a copy
  CHECK(has(b("$W reset demo/1").out, "as it was"));
  for (const char* name : {".~1~", ".~2~"}) {
    b.t.write("labs/01-demo/1-first.cu", std::string("mine ") + name);
    const Shell s = b("$W reset demo/1");
    CHECK(s.status == 0);
    CHECK(read_or_empty(file) == first);
    CHECK(read_or_empty(file.string() + name) == std::string("mine ") + name);
  }
}

TEST_CASE("reset takes the text of the commit that added the file") {
  if (dojo::needs::left_out_without("git")) return;
  Bench b;
  const auto file = b.t.path / "labs/01-demo/1-first.cu";
  const std::string first = read_or_empty(file);
  const Shell made =
      b("cd $WARPDOJO_ROOT && git init -q . && git add labs && git -c user.name=a -c user.email=a@b commit "
        "-qm x && "
        "echo solved > labs/01-demo/1-first.cu && git -c user.name=a -c user.email=a@b commit -qam y");
  REQUIRE(made.status == 0);
  CHECK(b("$W reset demo/1").status == 0);
  CHECK(read_or_empty(file) == first);
}

TEST_CASE("reset takes the starter of the newest commit that is not the student's own") {
  if (dojo::needs::left_out_without("git")) return;
  Bench b;
  const auto file = b.t.path / "labs/01-demo/1-first.cu";
  const std::string commit = " && git add -A labs app && git -c user.name=a -c user.email=a@b commit -qm x";
  const Shell made = b("cd $WARPDOJO_ROOT && git init -q . && mkdir app && echo 1 > app/a" + commit +
                       " && echo 2 > app/a && echo newer TODO > labs/01-demo/1-first.cu" + commit +
                       " && echo solved TODO > labs/01-demo/1-first.cu" + commit);
  REQUIRE(made.status == 0);
  CHECK(b("$W reset demo/1").status == 0);
  CHECK(read_or_empty(file) == "newer TODO\n");
}

TEST_CASE("watch answers its keys and ends with q") {
  Bench b;
  const Shell s = b("printf 'hnnq' | timeout 20 $W watch demo");
  CHECK(s.status == 0);
  CHECK(has(s.out, "Hint 1 of 2"));
  CHECK(has(s.out, "demo/2-second"));
  CHECK(has(s.out, "last step"));
}

TEST_CASE("watch names the text that only the window has before it runs the file") {
  Bench b;
  const auto file = b.t.path / "labs/01-demo/1-first.cu";
  fs::create_directories(b.t.path / "data/warpdojo/drafts");
  b.t.write("data/warpdojo/drafts/demo+1-first.json",
            "{\"file\": \"" + file.string() + "\", \"when\": \"2026-03-14 15:09:26\", \"text\": \"typed\"}");
  const Shell s = b("printf 'rq' | timeout 60 $W watch demo/1");
  CHECK(has(s.out, "the window holds unsaved text of 2026-03-14 15:09, which does not run here."));
}

TEST_CASE("wrapped text is as wide as the terminal, and never wider than it reads well") {
  const char* before = std::getenv("COLUMNS");
  const std::string kept = before ? before : "";
  const std::string text(std::string("four ") + "five six seven eight nine ten eleven twelve");
  setenv("COLUMNS", "24", 1);
  CHECK(cli::terminal_columns() == 24);
  const std::string narrow = cli::wrap(text, 96, "  ");
  for (size_t at = 0, end; (end = narrow.find('\n', at)) != narrow.npos; at = end + 1) CHECK(end - at <= 24);
  setenv("COLUMNS", "200", 1);
  CHECK(has(cli::wrap(text, 30, ""), "\n"));
  before ? setenv("COLUMNS", kept.c_str(), 1) : unsetenv("COLUMNS");
}

TEST_CASE("tables fit the terminal: columns follow below, texts are broken, and nothing is left out") {
  const std::vector<std::vector<std::string>> figures{
      {"step", "time", "bandwidth", "arithmetic", "verdict"},
      {"reduce/5-sequential", "20.03 us", "841 GB/s", "210 GFLOP/s", "pass"}},
      texts{{"a", "twelve columns", "a text of several words that goes on for longer than any terminal"}};
  const auto at = [&](const char* columns, const auto& rows, bool right) {
    setenv("COLUMNS", columns, 1);
    return cli::table(rows, "  ", right);
  };
  const char* before = std::getenv("COLUMNS");
  const std::string kept = before ? before : "";
  for (const char* columns : {"36", "40", "80"})
    for (const bool right : {true, false}) {
      const std::string shown = at(columns, right ? figures : texts, right);
      CAPTURE(shown);
      for (size_t from = 0, end; (end = shown.find('\n', from)) != shown.npos; from = end + 1)
        CHECK(end - from <= std::stoul(columns));
      for (const auto& row : right ? figures : texts)
        for (const auto& cell : row) CHECK(has(shown, cell.substr(0, cell.find(' '))));
    }
  // Each part begins with the first column; with room there is one part.
  const std::string narrow = at("40", figures, true), wide = at("200", figures, true);
  CHECK(narrow.find("reduce/5") != narrow.rfind("reduce/5"));
  CHECK(std::count(wide.begin(), wide.end(), '\n') == 2);
  before ? setenv("COLUMNS", kept.c_str(), 1) : unsetenv("COLUMNS");
  Bench b;
  const std::string list = b("COLUMNS=40 $W list").out;
  for (size_t from = 0, end; (end = list.find('\n', from)) != list.npos; from = end + 1)
    CHECK_MESSAGE(end - from <= 40, list.substr(from, end - from));
}

TEST_CASE("sizes are read as people write them") {
  CHECK(cli::parse_size("4194304") == Size{{"", 4194304}});
  CHECK(cli::parse_size("2^22") == Size{{"", 4194304}});
  CHECK(cli::parse_size("4M") == Size{{"", 4194304}});
  CHECK(cli::parse_size("4Mi") == Size{{"", 4194304}});
  CHECK(cli::parse_size("rows=2,cols=1k") == Size{{"rows", 2}, {"cols", 1024}});
  CHECK(cli::parse_size("").empty());
  CHECK(cli::parse_size("1000000000000").at("") == 1000000000000);
  for (const char* bad :
       {"x", "4X", "2^", "2^-1", "2^70", "rows=", "1,,2", "4MM", "4Mib", "99999999999999999999", "1.5"})
    CHECK_THROWS_AS(cli::parse_size(bad), Error);
}

TEST_CASE("a wrong result's time is not called fast") {
  Report report;
  RunReport student, reference;
  student.who = "student", student.time_us.value = 10;
  reference.who = "reference", reference.time_us.value = 30;
  reference.status = Status::pass;
  for (const Status status : {Status::pass, Status::wrong}) {
    student.status = status;
    report.runs = {student, reference};
    const std::string text = cli::show_report(report, nullptr, nullptr, "/");
    CAPTURE(text);
    CHECK(has(text, "3.00 times as fast as the reference"));
    CHECK(has(text, "its time says little") == (status == Status::wrong));
  }
}

TEST_CASE("a stopped launch has no counters, and the table shows none as zero") {
  Report report;
  report.device.kind = DeviceKind::simt;
  RunReport student;
  student.who = "student", student.status = Status::timeout;
  student.launches.resize(1);
  student.launches[0].kernel = "k";
  const auto instructions = [&] {
    report.runs = {student};
    const std::string text = cli::show_report(report, nullptr, nullptr, "/");
    const size_t at = text.find("instructions");
    return at == text.npos ? std::string() : text.substr(at, text.find('\n', at) - at);
  };
  CHECK(!has(instructions(), "0"));
  student.launches[0].counters["dojo__host_inst_executed.sum"] = 31;  // of the host, before it was stopped
  CHECK(!has(instructions(), "0"));
  student.launches[0].counters["smsp__inst_executed.sum"] = 1234;
  CHECK(has(instructions(), "234"));
}

TEST_CASE("on a processor without AVX2 the program says so and ends, in place of dying by SIGILL") {
  if (needs::left_out_without("qemu-x86_64")) return;
  TempFolder t;
  const Shell s = test::shell(t, source_root().string(), "qemu-x86_64 -cpu Nehalem \"$W\" list");
  CHECK(s.status == 2);
  CHECK(has(s.err, "needs a processor with AVX2"));
  CHECK(s.out.empty());
}

TEST_CASE("a program of exec may stand behind --, and what it is given may hold one too") {
  Bench b;
  for (const char* options : {"", "--device toy4", "--device=toy4 --no-check", "--only kernel"}) {
    const Shell s = b(std::string("$W exec ") + options + " -- /bin/echo --device -- a");
    CHECK(s.status == 0);
    CHECK(s.out == "--device -- a\n");
    CHECK(b(std::string("$W exec ") + options + " /bin/echo -- a").out == "-- a\n");
  }
  CHECK(b("$W exec --").status == 2);
}

TEST_CASE("the problem matchers of .vscode/tasks.json read each line that a diagnostic begins with") {
  const auto tasks = nlohmann::json::parse(read_or_empty(source_root() / ".vscode/tasks.json"));
  const auto matchers = tasks.at("tasks").at(0).at("problemMatcher");
  /// What the matchers make of the first line: place, severity or kind.
  const auto read = [&](const Diagnostic& d) {
    std::string all;
    std::istringstream text(cli::show_diagnostic(d, "/nowhere"));
    for (std::string line; std::getline(text, line);)
      for (const auto& m : matchers) {
        const auto& p = m.at("pattern");
        std::smatch found;
        if (!std::regex_match(line, found, std::regex(p.at("regexp").get<std::string>()))) continue;
        const auto group = [&](const char* name) { return found[size_t(p.at(name).get<int>())].str(); };
        all += group("file") + " " + group("line") + " " + group("column") + " " +
               group(p.contains("severity") ? "severity" : "code") + "; " + group("message") + "\n";
      }
    return all;
  };
  Diagnostic d;
  d.kind = FindingKind::compile;
  d.where = {"labs/01-reduce/2-shared.cu", 6, 14};
  d.message = "identifier \"flot\" is undefined";
  CHECK(read(d) == "labs/01-reduce/2-shared.cu 6 14 error; identifier \"flot\" is undefined\n");
  d.severity = Severity::warning;
  CHECK(read(d) == "labs/01-reduce/2-shared.cu 6 14 warning; identifier \"flot\" is undefined\n");
  Diagnostic race;
  race.kind = FindingKind::race;
  race.where = d.where;
  race.message = "Race in block 0: end each round.";
  race.related.push_back({d.where, "the other thread writes here"});
  const std::string seen = read(race);
  CHECK(seen.starts_with("labs/01-reduce/2-shared.cu 6 14 race; Race in block 0"));
  CHECK(std::count(seen.begin(), seen.end(), '\n') == 1);  // the other place is no problem of its own
}

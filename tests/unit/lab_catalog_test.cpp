#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"
#include "fixture_labs.hpp"

using namespace dojo;
using dojo::test::TempFolder;

TEST_CASE("a catalog holds what lab.toml says") {
  TempFolder t;
  test::write_demo_lab(t);
  const Catalog c = load_catalog(t.path);
  REQUIRE(c.problems.empty());
  REQUIRE(c.labs.size() == 1);
  const Step& s = c.find("demo/2");
  CHECK(s.id() == "demo/2-second");
  CHECK(s.number == 2);
  CHECK(s.entry == "scale");
  CHECK(s.size == Size{{"n", 64}});
  CHECK(s.gate_size == s.size);
  CHECK(s.gpu_size == s.size);
  CHECK(s.arch == "compute_75");
  CHECK(s.params.at("per_block") == 256);
  CHECK(s.hints.size() == 3);
  CHECK(s.prediction.answer == "barrier");
  CHECK(s.gates.at(0).words == "Still as many as before.");
  CHECK(s.gates.at(0).weight == 2.5);
  CHECK(c.find("demo/1").gates.at(0).weight == 1);
  CHECK(s.brief == "About 2-second\n");
  CHECK(c.previous(s) == &c.find("demo/first"));
  CHECK(c.previous(c.find("demo/1")) == nullptr);
  CHECK(c.reference_file(s) == t.path / "reference/01-demo/2-second.cu");
}

TEST_CASE("time_factor is a gate of the steps that have none on the time") {
  TempFolder t;
  test::write_demo_lab(t);
  const auto lab = t.path / "labs/01-demo/lab.toml";
  const std::string text = read_or_empty(lab);
  auto gates = [&](const std::string& in_defaults, const std::string& in_second, const char* step,
                   const std::string& at_end = {}) {
    std::string s = text + at_end;
    s.replace(s.find("[defaults]\n"), 11, "[defaults]\n" + in_defaults);
    const std::string file = "file = \"2-second.cu\"\n";
    s.replace(s.find(file), file.size(), file + in_second);
    t.write("labs/01-demo/lab.toml", s);
    const Catalog c = load_catalog(t.path);
    REQUIRE(c.problems.empty());
    return c.find(step).gates;
  };
  CHECK(gates("", "", "demo/1").size() == 1);
  REQUIRE(gates("time_factor = 2\n", "", "demo/1").size() == 2);
  CHECK(gates("time_factor = 2\n", "", "demo/1")[1].expr == "time_us <= 2 * reference(self)");
  CHECK(gates("time_factor = 2\n", "", "demo/1")[1].words.find("SMs") != std::string::npos);
  CHECK(gates("time_factor = 2\n", "time_factor = 1.5\n", "demo/2").at(1).expr ==
        "time_us <= 1.5 * reference(self)");
  CHECK(gates("time_factor = 2\n", "time_factor = 0\n", "demo/2").size() == 1);
  const std::string own = "  [[step.gates]]\n  expr = \"time_us <= 1.1 * reference(previous)\"\n";
  CHECK(gates("time_factor = 2\n", "", "demo/2", own).size() == 2);
}

TEST_CASE("steps are found by number, name, id and path, and a wrong name gets its nearest match") {
  TempFolder t;
  test::write_demo_lab(t);
  const Catalog c = load_catalog(t.path);
  for (const std::string& name : {std::string("demo/1"), std::string("demo/first"),
                                  std::string("demo/1-first"), (t.path / "labs/01-demo/1-first.cu").string(),
                                  (t.path / "labs/../reference/01-demo/1-first.cu").string(),
                                  std::string("/elsewhere/ann/01-demo/1-first.cu")})
    CHECK_MESSAGE(c.find(name).name == "first", name);
  try {
    c.find("demo/secnd");
    FAIL("found");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("'demo/2-second'") != std::string::npos);
    CHECK(e.exit == 2);
  }
  for (const char* bad : {"", "/", "demo", "demo/", "demo/9", "other/1", "nowhere.cu"})
    CHECK_THROWS_AS(c.find(bad), Error);
}

TEST_CASE("a broken lab.toml is reported with its line and hides no other lab") {
  TempFolder t;
  test::write_demo_lab(t);
  t.write("labs/02-syntax/lab.toml", "name = \"syntax\"\ntitle = \n");
  t.write(
      "labs/03-gate/lab.toml",
      "name = \"gate\"\ntitle = \"G\"\norder = 3\n[[step]]\nfile = \"1-a.cu\"\ntitle = \"A\"\nentry = \"f\"\n"
      "size = { n = 1 }\n[[step.gates]]\nexpr = \"instructions <=\"\n");
  t.write("labs/03-gate/1-a.cu", "");
  t.write("labs/04-key/lab.toml",
          "name = \"key\"\ntitle = \"K\"\norder = 4\ntitel = \"x\"\n[[step]]\nfile = \"1-a.cu\"\n");
  t.write("labs/05-missing/lab.toml",
          "name = \"missing\"\ntitle = \"M\"\norder = 5\n[[step]]\nfile = \"1-a.cu\"\ntitle = \"A\"\nentry = "
          "\"f\"\nsize = { n = 1 }\n");
  t.write("labs/08-weight/lab.toml",
          "name = \"weight\"\ntitle = \"W\"\norder = 8\n[[step]]\nfile = \"1-a.cu\"\ntitle = \"A\"\nentry = "
          "\"f\"\n"
          "size = { n = 1 }\n[[step.gates]]\nexpr = \"instructions == 1\"\nweight = -1\n");
  t.write("labs/08-weight/1-a.cu", "");
  t.write("labs/06-types/lab.toml", "name = 3\ntitle = \"T\"\norder = \"six\"\n");
  t.write("labs/07-twin/lab.toml", "name = \"twin\"\ntitle = \"T\"\norder = 7\nstep = 3\n");
  const Catalog c = load_catalog(t.path);
  REQUIRE(c.labs.size() == 1);
  REQUIRE(c.problems.size() == 7);
  CHECK(c.problems[0].where.file == "labs/02-syntax/lab.toml");
  CHECK(c.problems[0].where.line == 2);
  CHECK(c.problems[1].where.line == 10);
  CHECK(c.problems[1].message.find("ends too early") != std::string::npos);
  CHECK(c.problems[3].message.find("missing from") != std::string::npos);
  CHECK(c.problems[4].where.line == 1);
  CHECK(c.problems[6].where.line == 11);
  CHECK(c.problems[6].message.find("weight") != std::string::npos);
}

TEST_CASE("no labs folder at all is an error") {
  TempFolder t;
  CHECK_THROWS_AS(load_catalog(t.path), Error);
}

TEST_CASE("docs/labs.md has a row for each lab: its number and name, or a range of numbers") {
  const Catalog c = load_catalog(source_root());
  REQUIRE(c.labs.size() > 20);
  std::map<int, std::string> rows;  // name; empty in a range
  std::istringstream page(read_or_empty(fs::path(source_root()) / "docs/labs.md"));
  static const std::regex row(R"(\| (\d\d)(?:–(\d\d)| ([a-z0-9 ]+)) \|.*)");
  std::smatch m;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, m, row))
      for (int i = std::stoi(m[1]); i <= (m[2].matched ? std::stoi(m[2]) : std::stoi(m[1])); ++i)
        rows[i] = m[3];
  for (const Lab& lab : c.labs) {
    CAPTURE(lab.name);
    REQUIRE(rows.count(lab.order));
    std::string name = lab.name;
    std::replace(name.begin(), name.end(), '-', ' ');
    if (!rows[lab.order].empty()) CHECK(rows[lab.order] == name);
  }
}

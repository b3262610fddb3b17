// Gates whose place the secret draws: the reference passes wherever that is.
#include <doctest/doctest.h>

#include <set>

#include "core/gates/gate_parse.hpp"
#include "lab_runs.hpp"

using namespace dojo;

namespace {

constexpr uint64_t draws = 6;  ///< per step: what one commit's run may take

std::vector<gates::Place> drawn_places(const Step& s) {
  std::vector<gates::Place> places;
  for (const GateDef& g : s.gates)
    if (gates::Place p = gates::parse_gate(g.expr).place; p.drawn()) places.push_back(std::move(p));
  return places;
}

std::vector<const Step*> drawn_steps() {
  std::vector<const Step*> steps;
  for (const Lab& lab : test::catalog().labs)
    for (const Step& s : lab.steps)
      if (!drawn_places(s).empty()) steps.push_back(&s);
  return steps;
}

RunReport judged(const Step& s, run::Who who, const std::string& file, uint64_t draw) {
  run::RunRequest r;
  r.step = s.id();
  r.who = who;
  r.student_file = file;
  r.gate_draw = draw;
  r.time_limit_s = test::roomy(30);
  return run_step(test::catalog(), r).runs.at(0);
}

}  // namespace

TEST_CASE("every reference passes wherever a secret has its gates judged") {
  for (const Step* s : drawn_steps()) {
    if (!test::wanted(*s)) continue;
    for (uint64_t draw = 1; draw <= draws; ++draw) {
      const RunReport r = judged(*s, run::Who::reference, {}, draw);
      CHECK_MESSAGE(r.status == Status::pass, s->id() << ", draw " << draw << ": " << test::why(r));
    }
  }
}

TEST_CASE("draws differ from each other and from practice, and only practice says where a gate was judged") {
  const Step& s = test::catalog().find("coalescing/4-misaligned");
  const std::vector<gates::Place> places = drawn_places(s);
  REQUIRE(places.size() == 1);
  std::set<int64_t> offsets;
  for (uint64_t draw = 1; draw < 50; ++draw) offsets.insert(gates::spot(places[0], draw).size.at("offset"));
  CHECK(offsets.size() == 4);
  const std::string file = test::catalog().student_file(s).string();
  const auto words = [&](uint64_t draw) {
    const RunReport r = judged(s, run::Who::student, file, draw);
    const std::string name = gates::to_string(places[0]);
    for (const GateReport& g : r.gates)
      if (g.name.ends_with(name)) return g.words;
    return std::string("not judged: ") + test::why(r);
  };
  const int64_t offset = gates::spot(places[0], 0).size.at("offset");
  CHECK(words(0).ends_with(" Judged at n=65536,offset=" + std::to_string(offset) + " on simt:h100."));
  CHECK(words(7).find("Judged at") == std::string::npos);
}

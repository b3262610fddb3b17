// How modelled times are compared with recorded ones.
#include <doctest/doctest.h>

#include "../near.hpp"
#include "run/audits/fidelity.hpp"

using namespace dojo::run;

namespace {
FidelityRow row(const char* step, double modelled, double recorded, int rank = 0, const char* why_not = "") {
  FidelityRow r;
  r.step = step;
  r.lab = r.step.substr(0, r.step.find('/'));
  r.size = "n=1";
  r.rank = rank;
  r.modelled_us = modelled;
  r.recorded_us = recorded;
  r.why_not = why_not;
  return r;
}
}  // namespace

TEST_CASE("Kendall's tau counts pairs that the recording tells apart") {
  CHECK(kendall_tau({row("a/1", 10, 100), row("a/2", 20, 200), row("a/3", 30, 300)}) ==
        dojo::tolerance::within(1));
  CHECK(kendall_tau({row("a/1", 30, 100), row("a/2", 20, 200), row("a/3", 10, 300)}) ==
        dojo::tolerance::within(-1));
  // Recorded within 5 %: either order will do.
  CHECK(kendall_tau({row("a/1", 30, 100), row("a/2", 20, 104)}) == dojo::tolerance::within(1));
  // Told apart by the recording, hardly by the model, and the wrong way round: neither for nor against.
  CHECK(kendall_tau({row("a/1", 103, 100), row("a/2", 100, 200)}) == dojo::tolerance::near(0));
  CHECK(kendall_tau({row("a/1", 150, 100), row("a/2", 100, 200)}) == dojo::tolerance::within(-1));
  // Sizes of different rank, and rows left out, are not compared.
  CHECK(kendall_tau({row("a/1", 30, 100, 0), row("a/2", 20, 200, 1)}) == dojo::tolerance::within(1));
  CHECK(kendall_tau({row("a/1", 30, 100), row("a/2", 0, 200, 0, "left out")}) == dojo::tolerance::within(1));
}

TEST_CASE("The fidelity table names the mean error, the least tau and the three worst rows") {
  const std::vector<FidelityRow> rows{row("a/1", 110, 100),
                                      row("a/2", 150, 200),
                                      row("a/3", 400, 300),
                                      row("b/1", 300, 100),
                                      row("b/2", 100, 200),
                                      row("b/3", 100, 100),
                                      row("b/4", 0, 70, 0, "size left out by --quick")};
  const FidelitySummary s = summarize(rows);
  CHECK(s.compared == 6);
  CHECK(s.mean_error == dojo::tolerance::within((0.1 + 0.25 + 1.0 / 3 + 2 + 0.5 + 0) / 6));
  CHECK(s.worst == dojo::tolerance::within(2));
  REQUIRE(s.worst_rows.size() == 3);
  CHECK(s.worst_rows[0].step == "b/1");
  CHECK(s.worst_rows[1].step == "b/2");
  CHECK(s.labs.at(0).tau == dojo::tolerance::within(1));
  CHECK(s.tau_min == dojo::tolerance::within(-0.5));
  const std::string text = fidelity_text(rows);
  CHECK(text.find("| 4 | n=1 | - | 70.0 | size left out by --quick |") != std::string::npos);
  CHECK(text.find("| 1 | n=1 | 300.0 | 100.0 | +200 % |") != std::string::npos);
}

TEST_CASE("Where several recordings are there, only orders in which all agree count") {
  FidelityRow a = row("a/1", 30, 100), b = row("a/2", 20, 200);
  a.all_us = {98, 100, 0}, b.all_us = {190, 210, 200};  // the third has b alone
  REQUIRE(ordered_pairs({a, b}).size() == 1);
  CHECK(ordered_pairs({a, b})[0].faster.step == "a/1");
  CHECK(ordered_pairs({a, b})[0].modelled == OrderedPair::wrong);
  CHECK(kendall_tau({a, b}) == dojo::tolerance::within(-1));
  b.all_us[0] = 100;  // one GPU can't tell them apart
  CHECK(ordered_pairs({a, b}).empty());
  b.all_us[0] = 50;  // or says the opposite
  CHECK(kendall_tau({a, b}) == dojo::tolerance::within(1));
  const std::string text = fidelity_text({a, b});
  CHECK(text.find("| 2 | n=1 | 20.0 | 200.0 (50.0 to 210.0) | -90 % |") != std::string::npos);
  CHECK(text.find("Of 0 pairs") != std::string::npos);
}

#include <doctest/doctest.h>
#include <cmath>
#include <set>

#include "../near.hpp"
#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/gates/gate.hpp"
#include "core/gates/gate_parse.hpp"
#include "core/host_work.hpp"
#include "core/text/source_words.hpp"

using namespace dojo;

namespace {
RunReport run_with(double instructions, double conflicts) {
  RunReport r;
  LaunchReport l;
  l.kernel = "reduce";
  l.grid = {64, 1, 1};
  l.block = {250, 1, 1};
  l.registers = 20;
  l.time_us = 5;
  l.counters["smsp__inst_executed.sum"] = instructions;
  l.counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = conflicts;
  l.counters["l1tex__t_sector_hit_rate.pct"] = 10;
  r.launches.push_back(l);
  r.time_us.value = 5;
  return r;
}
bool passes(const std::string& expr, const GateContext& c) { return evaluate({expr, ""}, c).pass; }
}  // namespace

TEST_CASE("gates compute with counters, quantities and parameters") {
  const RunReport run = run_with(1000, 128);
  GateContext c;
  c.run = &run;
  c.quantities = {{"n", 4096}, {"ideal_bytes", 16384}};
  CHECK(evaluate_expr("shared_conflicts / blocks", c) == 2);
  CHECK(evaluate_expr("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum + 1", c) == 129);
  CHECK(evaluate_expr("-2 * (3 - 5) + n / 1024", c) == 8);
  CHECK(evaluate_expr("8 - 2 - 1", c) == 5);
  CHECK(evaluate_expr("max(min(3, n), ceil(1.2), pow2(3))", c) == 8);
  CHECK(evaluate_expr("warps", c) == 64 * 8);
  CHECK(evaluate_expr("threads", c) == 64 * 250);
  CHECK(evaluate_expr("registers", c) == 20);
  CHECK(evaluate_expr("kernel(reduce).instructions", c) == 1000);
  CHECK(evaluate_expr("kernel(\"reduce\").blocks", c) == 64);
  CHECK(evaluate_expr("1.5e3", c) == 1500);
  CHECK(passes("ideal_bytes >= 4 * n", c));
  CHECK(!passes("shared_conflicts == 0", c));
  CHECK(passes("instructions <= 1000", c));
  CHECK(!passes("instructions < 1000", c));
}

TEST_CASE("a reference stands for the left-hand side's value in that step's run") {
  const RunReport run = run_with(560, 0), previous = run_with(1000, 64);
  GateContext c;
  c.run = &run;
  std::string asked;
  c.reference = [&](const std::string& s) -> const RunReport& {
    asked = s;
    return previous;
  };
  const GateReport g = evaluate({"instructions <= 0.56 * reference(previous)", "why"}, c);
  CHECK(g.pass);
  CHECK(g.value == 560);
  CHECK(g.bound == dojo::tolerance::within(560));
  CHECK(g.words == "why");
  CHECK(asked == "previous");
  CHECK(!passes("instructions <= 0.5 * reference(\"naive-rows\")", c));
  CHECK(asked == "naive-rows");
}

TEST_CASE("nothing divided by nothing is nothing; a NaN passes no gate") {
  RunReport empty;
  GateContext c;
  c.run = &empty;
  CHECK(evaluate_expr("shared_conflicts / blocks", c) == 0);
  c.quantities["x"] = std::nan("");
  for (const char* e : {"x == x", "x <= 1", "x >= 1", "x < 1", "x > 1"}) CHECK(!passes(e, c));
}

TEST_CASE("a number per nothing passes no bound from above") {
  const RunReport run = run_with(1000, 0);
  GateContext c;
  c.run = &run;
  c.reference = [&](const std::string&) -> const RunReport& { return run; };
  CHECK(!passes("instructions / shared_conflicts <= 2", c));
  CHECK(!passes("instructions / shared_conflicts < 2", c));
  CHECK(!passes("instructions / shared_conflicts == 2", c));
  CHECK(!passes("2 >= instructions / shared_conflicts", c));
  CHECK(passes("instructions / shared_conflicts >= 2", c));
  CHECK(passes("instructions / shared_conflicts <= reference(self)", c));
}

TEST_CASE("grids and kernels are those of the launches that work") {
  RunReport run = run_with(1000, 0);
  LaunchReport idle;
  idle.kernel = "idle";
  idle.grid = {8, 1, 1};
  idle.block = {32, 1, 1};
  idle.occupancy = 1;
  idle.time_us = 100;
  idle.counters[idle_counter] = 1;
  idle.counters["smsp__inst_executed.sum"] = 8;
  run.launches.push_back(idle);
  GateContext c;
  c.run = &run;
  CHECK(evaluate_expr("launches", c) == 2);
  CHECK(evaluate_expr("working_launches", c) == 1);
  CHECK(evaluate_expr("blocks", c) == 64);
  CHECK(evaluate_expr("occupancy", c) == 0);
  CHECK(evaluate_expr("instructions", c) == 1008);
  CHECK(evaluate_expr("worked.instructions", c) == 1000);
  CHECK_THROWS_WITH_AS(evaluate_expr("kernel(idle).blocks", c),
                       "No launch of idle writes anything that is used.", Error);
}

TEST_CASE("an idle launch costs what it costs, and helps no bound") {
  RunReport run = run_with(1000, 0);
  LaunchReport idle;
  idle.kernel = "busy";
  idle.time_us = 100;
  idle.counters[idle_counter] = 1;
  idle.counters["smsp__inst_executed.sum"] = 5000;
  idle.counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 7;
  run.launches.push_back(idle);
  run.time_us.value = 105;
  GateContext c;
  c.run = &run;
  CHECK_FALSE(passes("instructions >= 1001", c));
  CHECK(passes("instructions >= 1000", c));
  CHECK_FALSE(passes("instructions > 1000", c));
  CHECK_FALSE(passes("instructions <= 5999", c));
  CHECK(passes("instructions == 6000", c));
  // The other side of a bound, where more instructions would help.
  CHECK_FALSE(passes("5 <= instructions / 500", c));
  CHECK(passes("2 <= instructions / 500", c));
  CHECK_FALSE(passes("shared_conflicts == 0", c));
  CHECK_FALSE(passes("time_us >= 6", c));
  CHECK_FALSE(passes("time_us <= 104", c));
  // The reference's run is counted as the left-hand side is.
  c.reference = [&](const std::string&) -> const RunReport& { return run; };
  CHECK(passes("instructions >= reference(self)", c));
  CHECK(passes("instructions <= reference(self)", c));
}

TEST_CASE("gates look at host code, opcodes and the source") {
  RunReport run = run_with(1, 0);
  HostWork work;
  work.calls = {{"cudaMemcpy", 3}, {"cudaMemcpy2D", 2}, {"cudaDeviceSynchronize", 1}};
  work.copies = 5;
  work.copied_bytes = 4096;
  add_host_work(run, work);
  run.launches[0].counters["ptx:ld.global.nc.v4.f32"] = 7;
  run.launches[0].counters["ptx:ld.global.f32"] = 5;
  run.launches[0].counters["ptx:ld.shared.v4.f32"] = 3;
  run.launches[0].counters["ptx:%clock64"] = 2;
  GateContext c;
  c.run = &run;
  CHECK(evaluate_expr("api_calls", c) == 6);
  CHECK(evaluate_expr("copies", c) == 5);
  CHECK(evaluate_expr("copied_bytes", c) == 4096);
  CHECK(evaluate_expr("calls(cudaMemcpy2D)", c) == 2);
  CHECK(evaluate_expr("calls(cudaMalloc)", c) == 0);
  CHECK(evaluate_expr("ptx(ld.global.v4)", c) == 7);
  CHECK(evaluate_expr("ptx(ld.global)", c) == 12);
  CHECK(evaluate_expr("ptx(ld)", c) == 15);
  CHECK(evaluate_expr("ptx(global)", c) == 0);
  CHECK(evaluate_expr("ptx(%clock)", c) == 2);
  CHECK(evaluate_expr("kernel(reduce).ptx(ld.global.v4)", c) == 7);
  CHECK_THROWS_AS(evaluate_expr("source(cg)", c), Error);
  c.quantities["source(cg)"] = 1;
  CHECK(evaluate_expr("source(cg)", c) == 1);
  CHECK(gates::named("source(cg) + ptx(ld) >= source(x)", gates::Node::source) ==
        std::vector<std::string>{"cg", "x"});
}

TEST_CASE("host code is counted in a run without a launch, and survives the JSON text") {
  Report report;
  report.runs.resize(1);
  HostWork work;
  work.calls = {{"cudaMalloc", 1}, {"cudaGetLastError", 2}};
  add_host_work(report.runs[0], work);
  const Report read = report_from_json(to_json(report));
  GateContext c;
  c.run = &read.runs.at(0);
  CHECK(evaluate_expr("launches", c) == 0);
  CHECK(evaluate_expr("calls(cudaGetLastError)", c) == 2);
  CHECK(evaluate_expr("api_calls", c) == 3);
}

TEST_CASE("cluster_blocks is the largest cluster of the launches that work") {
  RunReport run = run_with(1, 0);
  run.launches.push_back(run.launches.front());
  GateContext c;
  c.run = &run;
  CHECK(evaluate_expr("cluster_blocks", c) == 1);
  run.launches[0].counters["launch__cluster_size"] = 4;
  run.launches[1].counters["launch__cluster_size"] = 8;
  run.launches[1].counters[idle_counter] = 1;
  CHECK(evaluate_expr("cluster_blocks", c) == 4);
}

TEST_CASE("identifiers are counted outside comments, literals and includes") {
  const char* text =
      "// cg::reduce\n#include <cg>\nauto t = cg::tiled_partition<32>(b);\n"
      "puts(\"cg\"); /* cg */ int cgx = 1'000; char c = 'c'; puts(R\"(cg \" cg)\");";
  CHECK(count_word(text, "cg") == 1);
  CHECK(count_word(text, "cg::tiled_partition") == 1);
  CHECK(count_word(text, "tiled_partition") == 1);
  CHECK(count_word(text, "puts") == 2);
  CHECK(count_word(text, "c") == 1);
}

TEST_CASE("a gate may name the place where it is judged") {
  const gates::Place place = gates::parse_gate("launches <= 2 * (n + 1) (n=1000, simt:a5000)").place;
  CHECK(place.size == std::map<std::string, gates::Range>{{"n", {1000, 1000}}});
  CHECK(place.devices == std::vector<std::string>{"simt:a5000"});
  CHECK(!place.drawn());
  CHECK(gates::to_string(place) == " (n=1000, simt:a5000)");
  CHECK(!gates::parse_gate("launches == (1)").place.given());
  const RunReport run = run_with(1, 0);
  GateContext c;
  c.run = &run;
  CHECK(passes("launches == 1 (n=1000)", c));
  for (const char* bad :
       {"a == 1 ()", "a == 1 (n)", "a == 1 (cuda:0)", "a == 1 (n=1", "a == 1 (n=-1)", "a == 1 (n=1) 2"})
    CHECK_MESSAGE(lint_gate(bad) != "", bad);
}

TEST_CASE("a place may leave a choice, and each draw makes one") {
  const std::string text = "waves <= 1 (m=20..60/4, n=64, simt:t4|simt:v100)";
  const gates::Place place = gates::parse_gate(text).place;
  CHECK(place.drawn());
  CHECK(gates::to_string(place) == " (m=20..60/4, n=64, simt:t4|simt:v100)");
  CHECK(gates::spot(place, 0).size == std::map<std::string, int64_t>{{"m", 60}, {"n", 64}});
  CHECK(gates::spot(place, 0).device == "simt:v100");
  std::set<int64_t> sizes;
  std::set<std::string> devices;
  for (uint64_t draw = 1; draw < 400; ++draw) {
    const gates::Spot at = gates::spot(place, draw);
    CHECK(at.size.at("n") == 64);
    CHECK(at.size == gates::spot(place, draw).size);
    sizes.insert(at.size.at("m"));
    devices.insert(at.device);
  }
  CHECK(sizes == std::set<int64_t>{20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60});
  CHECK(devices == std::set<std::string>{"simt:t4", "simt:v100"});
  for (const char* bad : {"a == 1 (n=2..)", "a == 1 (n=3..2)", "a == 1 (n=1..9/0)", "a == 1 (n=1...3)",
                          "a == 1 (simt:t4|)", "a == 1 (simt:t4|cuda:0)", "a == 1 (n=12345678901)"})
    CHECK_MESSAGE(lint_gate(bad) != "", bad);
}

TEST_CASE("a place may follow a name, and a product without '*' is refused with words") {
  const gates::Gate g = gates::parse_gate("launches <= 2 * d (cols=64)");
  CHECK(g.place.size == std::map<std::string, gates::Range>{{"cols", {64, 64}}});
  CHECK(gates::named("launches <= 2 * d (cols=64)", gates::Node::name) ==
        std::vector<std::string>{"launches", "d"});
  CHECK(gates::parse_gate("launches <= ceil (n / 2)").op == "<=");
  for (const char* bad : {"launches <= 2 * d (cols + 1)", "launches <= d (2)", "launches <= 2 * d(cols=64)",
                          "launches <= 2 (n + 1)", "launches (2) <= 3"})
    CHECK_MESSAGE(lint_gate(bad).find("a product is written with '*'") != std::string::npos,
                  bad << ": " << lint_gate(bad));
}

TEST_CASE("a gate bounds from above what makes its small side grow") {
  using Names = std::vector<std::string>;
  CHECK(gates::bounded_above("4 * a + b <= c / d") == Names{"a", "b", "d"});
  CHECK(gates::bounded_above("a - b < 2 * reference(previous)") == Names{"a"});
  CHECK(gates::bounded_above("a >= max(b, 1)") == Names{"b"});
  CHECK(gates::bounded_above("a == 0") == Names{"a"});
  CHECK(gates::bounded_above("kernel(k).a <= worked.b") == Names{});
}

TEST_CASE("shared_conflicts includes those of atomics") {
  RunReport run = run_with(1, 3);
  run.launches[0].counters["dojo__shared_atomic_conflicts.sum"] = 4;
  CHECK(total(run, "shared_conflicts") == 7);
  CHECK(total(run, "shared_load_conflicts") == 3);
}

TEST_CASE("a gate that can't be read says where") {
  CHECK(lint_gate("shared_conflicts == 0") == "");
  CHECK(lint_gate("time_us <= 0.8 * reference(previous)") == "");
  for (const char* bad :
       {"", "1 +", "instructions", "instructions = 3", "(1 == 1", "foo(3) == 1", "a == 1 b", "kernel() == 1",
        "kernel(k) == 1", "worked.(1) == 1", "calls() == 1", "reference(previous) == 1", "time_us <= 40",
        "smsp__nonsense.sum == 0", "1 <= reference(", "ceil(1,2) == 1"})
    CHECK_MESSAGE(lint_gate(bad) != "", bad);
  CHECK(lint_gate(std::string(5000, '(')) != "");
  CHECK(lint_gate("1 + == 2").find("character 5") != std::string::npos);
  const RunReport run = run_with(1, 1);
  GateContext c;
  c.run = &run;
  CHECK_THROWS_AS(evaluate({"no_such_name == 1", ""}, c), Error);
  CHECK_THROWS_AS(evaluate_expr("kernel(absent).instructions", c), Error);
}

TEST_CASE("every counter has a name, an alias and a help line of its own") {
  for (const auto& c : counter_table()) {
    CHECK(find_counter(c.name) == &c);
    CHECK(find_counter(c.alias) == &c);
    CHECK(!c.help.empty());
  }
  for (auto a : composite_aliases()) CHECK_MESSAGE(find_counter(a) == nullptr, a);
}

TEST_CASE("totals over launches: sums add, percentages weigh by time, quotients come from sums") {
  RunReport run = run_with(100, 0);
  run.launches.push_back(run.launches[0]);
  run.launches[1].time_us = 15;
  run.launches[1].counters["l1tex__t_sector_hit_rate.pct"] = 50;
  run.launches[0].counters["smsp__thread_inst_executed.sum"] = 3200;
  run.launches[1].counters["smsp__thread_inst_executed.sum"] = 1600;
  CHECK(total(run, "instructions") == 200);
  CHECK(total(run, "l1_hit_rate") == dojo::tolerance::within(40));
  CHECK(total(run, "lanes_per_instruction") == dojo::tolerance::within(24));
  CHECK(total(run, "no_such") == 0);
}

TEST_CASE("what a program prints is kept to 64 KiB, of however many prints") {
  std::string kept;
  for (int i = 0; i < 3; ++i) append_printed(kept, std::string(50'000, char('a' + i)));
  CHECK(kept.size() == 65'536);
  CHECK(kept.back() == 'b');
}

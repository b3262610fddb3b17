// Which launches do the work (run/verdict/working.hpp).
#include <doctest/doctest.h>

#include "run/verdict/working.hpp"

using namespace dojo;

namespace {

struct Fixture {
  AddressSpace memory{1 << 20};
  RunReport run;
  HostWork work;
  uint64_t region(Owner owner = Owner::device) { return memory.allocate(256, owner)->base; }
  void launch(std::vector<uint64_t> reads, std::vector<uint64_t> writes, double start = 0) {
    LaunchReport l;
    if (!writes.empty()) l.counters["smsp__inst_executed_op_global_st.sum"] = 1;
    work.launches.push_back({std::move(reads), std::move(writes)});
    l.start_us = start;
    l.time_us = 1;
    run.launches.push_back(std::move(l));
  }
  std::vector<bool> works(std::vector<uint64_t> outputs) {
    run::mark_idle(run, work, outputs, memory);
    std::vector<bool> all;
    for (const auto& l : run.launches) all.push_back(dojo::works(l));
    return all;
  }
};

}  // namespace

TEST_CASE("a launch works that writes an output, or what a later working launch reads") {
  Fixture f;
  const uint64_t in = f.region(), sums = f.region(), out = f.region(), scratch = f.region();
  f.launch({in}, {sums}, 0);
  f.launch({in}, {scratch}, 1);  // no launch reads it
  f.launch({}, {}, 2);
  f.launch({sums}, {out}, 3);
  f.launch({out}, {sums}, 4);  // too late
  CHECK(f.works({out}) == std::vector<bool>{true, false, false, true, false});
}

TEST_CASE("a launch that could store but doesn't is idle") {
  Fixture f;
  const uint64_t out = f.region();
  f.launch({}, {out});
  f.launch({}, {out});
  f.run.launches[0].counters.clear();
  CHECK(f.works({out}) == std::vector<bool>{false, true});
}

TEST_CASE("a launch that overlaps its reader feeds it, whatever their order") {
  Fixture f;
  const uint64_t flags = f.region(), out = f.region();
  f.launch({flags}, {out}, 0);
  f.launch({}, {flags}, 0.5);
  CHECK(f.works({out}) == std::vector<bool>{true, true});
}

TEST_CASE("copies carry what matters: to the host, and within the device") {
  Fixture f;
  const uint64_t sums = f.region(), there = f.region(Owner::host_heap), out = f.region(), copy = f.region();
  f.launch({}, {sums});
  f.launch({}, {copy});
  f.work.copied = {{there, sums}, {out, copy}};
  CHECK(f.works({out}) == std::vector<bool>{true, true});
}

TEST_CASE("managed memory matters; with nothing to look at, every launch counts") {
  Fixture f;
  const uint64_t managed = f.region(Owner::managed);
  f.launch({}, {managed});
  f.launch({}, {});
  CHECK(f.works({}) == std::vector<bool>{true, false});
  Fixture print;
  print.launch({}, {});
  CHECK(print.works({}) == std::vector<bool>{true});
}

TEST_CASE(
    "host code reads what a launch stores to managed memory, or what is copied to the host as no output") {
  Fixture f;
  const uint64_t sums = f.region(), result = f.region(), managed = f.region(Owner::managed);
  const uint64_t scratch = f.region(Owner::host_heap), out = f.region(Owner::host_heap);
  f.launch({}, {sums}, 0);
  f.launch({managed}, {result}, 1);
  f.launch({}, {managed}, 2);
  f.work.copied = {{scratch, sums}, {out, result}};
  f.work.instructions = 200;
  f.works({out});
  const auto read = [&](size_t i) { return f.run.launches[i].counters.count(run::read_by_host_counter) > 0; };
  CHECK(read(0));
  CHECK_FALSE(read(1));  // only managed memory that it loads, and the step's own output
  CHECK(read(2));
}

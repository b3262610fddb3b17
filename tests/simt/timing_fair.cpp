// Blocks that ask more of an SM than it can give: the model against what tests/microbench/fair.cu measured on
// an H200.
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

TEST_CASE("blocks that ask more of an SM than it can give end when an H200's do") {
  struct Work {
    std::string kernel;
    int turns;
    unsigned mask;
  };
  const std::map<std::string, Work> works = {{"multiply", {"kMultiply", 256, 0}},
                                             {"shared", {"kShared", 256, 0}},
                                             {"l1", {"kL1", 256, 0}},
                                             {"l1 chain", {"kL1Chain", 512, 0}},
                                             {"columns", {"kColumns", 128, 512 * 512 - 1}},
                                             {"l2", {"kL2", 32, (1 << 21) - 1}}};
  std::string source = dojo::test::microbench_header("fair.cuh");
  for (const auto& [name, w] : works)
    source += "__global__ void " + w.kernel +
              "_(const float* in, float* out, int turns, unsigned mask) {\n  const float s = busy_body<" +
              w.kernel + ">(in, turns, mask);\n  if (s == 12345.0f) out[0] = s;\n}\n";
  Kernels k(source, "simt:h200");
  k.control.blocks = true;
  k.device->set_control(k.control);
  const uint64_t in = k.buffer(32u << 20), out = k.buffer(4096);
  REQUIRE(k.device->fill(in, 0, 32u << 20, 0, true).ok());
  int rows = 0;
  for (const std::string& line : dojo::test::recorded_lines("h200-fair.txt")) {
    char name[10] = {};
    unsigned blocks = 0, held = 0, sms = 0;
    int at = 0;
    if (std::sscanf(line.c_str(), "%9c %u blocks, %u on %u SMs:%n", name, &blocks, &held, &sms, &at) != 4 ||
        !at || sms != 132)
      continue;
    double last = 0;
    std::istringstream ends(line.substr(size_t(at)));
    for (double end; ends >> end;) last = std::max(last, end);
    std::string row(name);
    row.erase(row.find_last_not_of(' ') + 1);
    const Work& w = works.at(row);
    const auto spec = k.spec(w.kernel + "_", {blocks, 1, 1}, {256, 1, 1}, in, out, w.turns, w.mask);
    k.run(spec);  // the second finds the L2 as the recorded one did
    const auto report = k.run(spec);
    // From the first block of an SM to the end of its last one.
    std::map<int, std::pair<double, double>> of_sm;
    for (const BlockSpan& b : report.blocks) {
      auto [it, fresh] = of_sm.emplace(b.sm, std::pair(b.start_us, b.end_us));
      it->second = {std::min(it->second.first, b.start_us), std::max(it->second.second, b.end_us)};
    }
    double cycles = 0;
    for (const auto& [sm, span] : of_sm) cycles += (span.second - span.first) * 1980 / double(of_sm.size());
    CAPTURE(line);
    // Four blocks that walk along the same rows keep further apart here than on an H200.
    CHECK(cycles == doctest::Approx(last).epsilon(row == "columns" && blocks == 528 ? 0.3 : 0.15));
    ++rows;
  }
  CHECK(rows == 24);
}

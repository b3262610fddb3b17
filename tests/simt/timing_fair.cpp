// Blocks that ask more of an SM than it can give: the model against what tests/microbench/fair.cu measured on
// an H200.
#include <algorithm>
#include <map>
#include <sstream>
#include <string>

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

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
  Kernels k(dojo::test::kernel_source("fair.cu"), "simt:h200");
  k.control.blocks = true;
  k.device->set_control(k.control);
  const uint64_t in = k.buffer(32u << 20), out = k.buffer(4096);
  REQUIRE(k.device->fill(in, 0, 32u << 20, 0, true).ok());
  // The longest of the blocks' ends is the measured figure: `last` finds it in the rest of the line.
  const auto last = [](const std::string& line) {
    double longest = 0;
    std::istringstream ends(line.substr(line.find(" SMs:") + 5));
    for (double end; ends >> end;) longest = std::max(longest, end);
    return longest;
  };
  hold({"h200-fair.txt", "blocks that ask more of an SM than it gives"},
       "{name:9} {blocks} blocks, {held} on {sms} SMs:", [&](Row& row) -> std::optional<double> {
         if (row.integer("sms") != 132) return {};
         row.measured = last(row.line);
         const Work& w = works.at(row.text("name"));
         const auto spec =
             k.spec("fair_" + w.kernel, {row.count("blocks"), 1, 1}, {256, 1, 1}, in, out, w.turns, w.mask);
         k.run(spec);  // the second finds the L2 as the recorded one did
         const auto report = k.run(spec);
         // From the first block of an SM to the end of its last one.
         std::map<int, std::pair<double, double>> of_sm;
         for (const BlockSpan& b : report.blocks) {
           auto [it, fresh] = of_sm.emplace(b.sm, std::pair(b.start_us, b.end_us));
           it->second = {std::min(it->second.first, b.start_us), std::max(it->second.second, b.end_us)};
         }
         double cycles = 0;
         for (const auto& [sm, span] : of_sm)
           cycles += (span.second - span.first) * 1980 / double(of_sm.size());
         return cycles;
       });
}

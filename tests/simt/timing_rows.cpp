// Warps that load a row each, work on it and store it: the model against what tests/microbench/rows.cu
// measured on an H100.
#include <map>

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

namespace {

struct Rows {
  Kernels kernels;
  uint64_t in, out;

  Rows()
      : kernels(dojo::test::kernel_source("rows.cu")),
        in(kernels.buffer(64u << 20)),
        out(kernels.buffer(64u << 20)) {
    REQUIRE(kernels.device->fill(in, 0, 64u << 20, 0, true).ok());
  }
  auto run(int packs, const std::string& work, bool store, int warps, int kib) {
    const std::map<std::string, std::string> works = {{"moved", "kMove"},
                                                      {"shuffled", "kShuffles"},
                                                      {"exponentials", "kExponentials"},
                                                      {"divisions", "kDivisions"}};
    const std::string name = "row" + std::to_string(packs) + works.at(work) + (store ? "true" : "false");
    kernels.device->cold_caches();
    return kernels.run(kernels.spec(name, {uint32_t(kib) * 2 / uint32_t(packs * warps), 1, 1},
                                    {uint32_t(warps) * 32, 1, 1}, in, out));
  }
};

}  // namespace

TEST_CASE("warps that load a row each take what they take on an H100") {
  Rows r;
  hold({"h100-rows.txt", "rows loaded, worked on and stored"},
       "rows {packs} packs, {work:w} {store:w}, {warps} warps a block, {per_sm} an SM, {kib} KiB {=us} us",
       [&](const Row& row) -> std::optional<double> {
         if (row.integer("warps") != 4) return {};
         return r
             .run(row.integer("packs"), row.text("work"), row.text("store") == "stored", 4,
                  row.integer("kib"))
             .time_us;
       });
}

TEST_CASE("of copied rows DRAM is written as much as on an H100") {
  Rows r;
  hold({"h100-rows.txt", "MB that copied rows write to DRAM"},
       "written {packs} packs, {work:w} stored, {warps} warps a block, {kib} KiB {=mb} MB",
       [&](const Row& row) -> std::optional<double> {
         if (row.integer("warps") != 4 || row.text("work") != "moved") return {};
         return r.run(row.integer("packs"), "moved", true, 4, row.integer("kib"))
                    .counters.at("dram__bytes_write.sum") /
                1e6;
       });
}

// Barriers of a cluster and accesses of another block's shared memory: the model against what
// tests/microbench/clusters.cu measured on an H100. Figures are per round, so that the launch and the
// kernel's frame cancel out.

#include <map>

#include "../near.hpp"
#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"
#include "simt/gpu/device_model.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

namespace {

struct Clusters : Kernels {
  Clusters() : Kernels(dojo::test::microbench_header("clusters.cuh"), "simt:h100") {}

  /// Cycles per round of a kernel whose blocks form clusters.
  template <class... Before>
  double cycles(const std::string& name, const Row& row, uint32_t threads, Before... arguments) {
    const auto time = [&](int rounds) { return time_us(name, row, threads, rounds, arguments...); };
    return dojo::test::per_round(24, time) * device_model("h100").cycles_per_us();
  }

 private:
  template <class... Arguments>
  double time_us(const std::string& name, const Row& row, uint32_t threads, int rounds,
                 Arguments... arguments) {
    // Measured is the mean of all blocks, modelled the last one's end: a cluster that shares its SMs with
    // another one would double it.
    const uint32_t cluster = row.count("cluster"),
                   most = uint32_t(device_model("h100").cluster.sms(int(cluster)));
    const uint32_t blocks = row.fields.count("blocks") ? row.count("blocks") : 16u;
    const Dim3 grid{most ? std::min(blocks, most) : blocks, 1, 1}, block{threads, 1, 1};
    LaunchSpec s = launch_spec(name, grid, block, rounds, arguments...);
    s.cluster = {row.count("cluster"), 1, 1};
    return run(s).time_us;
  }
  LaunchSpec launch_spec(const std::string& name, Dim3 grid, Dim3 block, int rounds) {
    return spec(name, grid, block, rounds);
  }
  LaunchSpec launch_spec(const std::string& name, Dim3 grid, Dim3 block, int rounds, int distance) {
    return spec(name, grid, block, distance, rounds);
  }
  LaunchSpec launch_spec(const std::string& name, Dim3 grid, Dim3 block, int rounds, int distance,
                         int stride) {
    return spec(name, grid, block, distance, rounds, stride);
  }
};

}  // namespace

TEST_CASE("a barrier of a cluster takes what it takes on an H100") {
  Clusters k;
  hold({"h100-clusters.txt", "barriers of a cluster"},
       "barrier cluster {cluster}, {threads} threads: {=cycles} cycles",
       [&](const Row& row) { return k.cycles("cluster_barriers", row, row.count("threads")); });
}

TEST_CASE("a load from another block's shared memory takes what it takes on an H100") {
  Clusters k;
  hold({"h100-clusters.txt", "chains through a cluster"},
       "chase cluster {cluster}, {blocks} blocks, distance {distance}: {=cycles} cycles",
       [&](const Row& row) { return k.cycles("chase", row, 32, row.integer("distance")); });
}

TEST_CASE("warps that load, store or add in another block's shared memory take what they take on an H100") {
  Clusters k;
  const std::map<std::string, std::string> kernels{
      {"load", "load"}, {"store", "store"}, {"add", "add"}, {"add one", "add_one"}};
  hold({"h100-clusters.txt", "accesses of a cluster"},
       "{what:12} {bytes} bytes, stride {stride}, cluster {cluster}, {blocks} blocks, {threads} threads, "
       "distance 1: {=cycles} cycles",
       [&](const Row& row) {
         const std::string kernel = kernels.at(row.text("what")) + "_" + row.text("bytes");
         return k.cycles(kernel, row, row.count("threads"), 1, row.integer("stride")) /
                (row.number("threads") / 32);
       });
}

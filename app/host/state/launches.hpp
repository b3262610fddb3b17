#pragma once
// Launches between the calls that make one up, and what cudaFuncSetAttribute set of kernels.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/device.hpp"
#include "ptx/module.hpp"

namespace dojo::host {

struct Call;

struct Launches {
  /// A configuration of <<<>>>, as clang's code pushes it.
  struct Configuration {
    Dim3 grid, block;
    uint64_t dynamic_smem = 0, stream = 0;  ///< bytes; the program's handle
    SourceLoc where;
  };
  std::vector<Configuration> pushed;      ///< whose kernel was not launched yet
  std::optional<SourceLoc> popped_where;  ///< of the configuration that was popped last

  /// A launch whose parameter buffer the program is filling, as NVRTC's code does.
  struct Pending {
    const ptx::Function* kernel = nullptr;
    LaunchSpec spec;
  };
  std::map<uint64_t, Pending> pending;                       ///< by address of the parameter buffer
  std::vector<std::pair<uint64_t, uint64_t>> spare_buffers;  ///< address, bytes

  std::map<std::string, int> dynamic_smem_limit;  ///< bytes, by kernel; not there: the device's default
  std::set<std::string> large_clusters;           ///< kernels whose clusters may have more than 8 blocks
  /// Blocks that a cluster of the kernel may have (CUDA C++ Programming Guide, clusters).
  uint64_t most_in_cluster(const std::string& kernel) const {
    return large_clusters.contains(kernel) ? 16 : 8;
  }
};

/// Kernel arguments from an array of pointers to them, into the spec; false: the program gave none.
bool gather_arguments(Call&, const ptx::Function& kernel, uint64_t pointers, LaunchSpec*);
/// What a cudaLaunchConfig_t says beside the launch.
struct ConfigExtras {
  uint64_t stream = 0;         ///< not yet looked up
  bool names_cluster = false;  ///< has the attribute, be it of one block
};
/// What the cudaLaunchConfig_t at an address says; false: it has more attributes than there are kinds.
bool read_config(const Call&, uint64_t config, LaunchSpec*, ConfigExtras*);
/// Blocks of the cluster and grid allow it; `most`: of a cluster.
bool cluster_fits(const Dim3& grid, const Dim3& cluster, uint64_t most);

}  // namespace dojo::host

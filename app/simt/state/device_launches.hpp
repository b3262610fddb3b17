#pragma once
// What kernels ask of the device runtime: launches, and copies that are ordered with them. Nothing of it runs
// before the launch that asked has ended: a kernel can't wait for what it launches.
#include <cstdint>
#include <map>
#include <vector>

#include "core/device.hpp"

namespace dojo::simt {

struct DeviceWork {
  uint32_t function = 0;  ///< of the module; a copy: ~0u
  Dim3 grid, block;
  uint32_t dynamic_smem = 0;
  std::vector<std::byte> params;
  uint64_t buffer = 0;                   ///< where the parameters were written: to be released
  uint64_t from = 0, to = 0, bytes = 0;  ///< of a copy
  bool tail = false;                     ///< in cudaStreamTailLaunch: after all others of its launch
  SourceLoc where;
};

struct DeviceLaunches {
  static constexpr uint32_t copy = ~0u;
  std::map<uint64_t, DeviceWork> prepared;  ///< by address of the parameter buffer
  std::vector<DeviceWork> asked;            ///< in the order of the calls
  uint64_t streams = 0;                     ///< made so far
};

}  // namespace dojo::simt

#pragma once
// The program's streams and events. A program holds the device's handle plus `handle_base`, which is clear of
// CUDA's special streams (0, cudaStreamLegacy, cudaStreamPerThread).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <thread>

#include "core/device.hpp"

namespace dojo::host {

/// Priorities of streams and launches: what cudaDeviceGetStreamPriorityRange gives, as on an H100. CUDA takes
/// a number outside as the nearest one inside.
constexpr int lowest_priority = 0, highest_priority = -5;
constexpr int clamped_priority(int p) { return std::clamp(p, highest_priority, lowest_priority); }

struct StreamSettings {
  int priority = 0;
  bool priority_changed = false;                        ///< since the stream was created
  std::map<int, std::array<std::byte, 64>> attributes;  ///< others, by cudaStreamAttrID
};

struct Streams {
  static constexpr uint64_t handle_base = 0x1000;

  std::set<uint64_t> live;                      ///< by the program's handle
  std::set<uint64_t> non_blocking;              ///< by the device's handle
  std::map<uint64_t, StreamSettings> settings;  ///< by the device's handle; not there: all defaults
  std::set<uint64_t> events;                    ///< that live, by the program's handle
  std::set<uint64_t> recorded;                  ///< events that were recorded at least once

  /// Handle 0 of the next calls means the calling thread's own default stream, not the one of all threads
  /// (nvcc --default-stream per-thread).
  bool default_is_per_thread = false;
  /// The device's handle of a stream that the program names; false: it is no live stream. The first use of
  /// cudaStreamPerThread in a thread creates that stream on the device.
  bool find(Device&, uint64_t handle, uint64_t* device_handle);

 private:
  std::map<std::thread::id, uint64_t> per_thread_;  ///< the device's handles
};

}  // namespace dojo::host

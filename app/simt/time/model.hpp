#pragma once
// The time model: launches with their traces in, times, block timelines, stall reasons and resource bounds
// out. Modelled, versioned: any change of a modelled time changes model_version() (version.hpp).
// Knows only traces and device files: neither the machine nor the caches.
#include <algorithm>
#include <functional>
#include <memory>
#include <span>

#include "core/device.hpp"
#include "simt/stopped.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

struct DeviceModel;  ///< a device file (assets/devices/NAME.toml), see device_model.hpp

struct ModelledLaunch {
  double start_us = 0, end_us = 0;
  std::vector<BlockSpan> blocks;         ///< all blocks
  std::map<std::string, double> stalls;  ///< Nsight's stall reason -> warps per issue
  Bounds bounds;
  double warps_active_pct = 0, issue_active_pct = 0;
  std::vector<std::map<std::string, double>> line_stalls;  ///< per PTX instruction of the kernel
};

/// What the caches moved for one launch, in bytes.
struct MemoryTotals {
  double l2_bytes = 0, dram_read = 0, dram_write = 0;
  double stored = 0;        ///< by stores and atomics, into L2
  double stored_parts = 0;  ///< of stored: sectors of which stores fill a part
  double hot_atomics = 0;   ///< turns of atomics on the line that gets most of them (LineAccess::turns)
  double written_back =
      0;  ///< dram_write, and what the launch leaves in L2 to be written back: it pays for that too
  double atomics = 0;        ///< sectors of all atomics
  double left = 0;           ///< of written_back, what is written only when the launches are over
  double before_writes = 0;  ///< share of the traffic that passes before any of it is written back
  double missed = 0;         ///< of dram_read, what was asked for; the rest came with it
  double load_lines = 0;     ///< lines of which loads ask the L2 for sectors, once per request
  double atomic_packets = 0;
  double spilled = 0;      ///< of stored: registers and frames of calls (device/spilled.hpp)
  double rows_opened = 0;  ///< by reads of DRAM, 1 KiB each
  /// Rows beyond those that a stream would open, whose time is in Memory::read_gbps.
  double scattered_rows() const { return std::max(0.0, rows_opened - dram_read / 1024); }
  double l1_bytes = 1e9;  ///< of an SM's L1, beside the shared memory
};

/// Times a graph of launches on a device model, from its own launch overhead to the last block's end.
/// `memory`: one entry a launch (none: taken from the block summaries). `ends`: where the blocks stood when
/// the run was stopped (none: all ended). Blocks that had not ended keep their places; their last waiting
/// interval reaches to the stop, and is empty where they could still run.
std::vector<ModelledLaunch> model_time(const DeviceModel&, const ptx::Module&, std::span<const LaunchNode>,
                                       std::span<const LaunchTrace>,
                                       std::span<const MemoryTotals> memory = {},
                                       std::span<const std::vector<BlockEnd>> ends = {});

}  // namespace dojo::simt

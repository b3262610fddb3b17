#pragma once
// What `warpdojo exec` and the library that it puts into a program (app/exec) tell each other: the options as
// JSON in one environment variable, and the result as one JSON file per process.
#include <string>
#include <vector>

#include "core/native/kernel_table.hpp"

namespace dojo {

inline constexpr const char* native_run_variable = "WARPDOJO_EXEC";

/// The counter of a launch of which not all blocks ran in detail: how many did.
inline constexpr const char* blocks_in_detail_counter = "dojo__blocks_in_detail";

struct NativeRunOptions {
  std::string device = "simt:h100";
  std::string only;           ///< only kernels of this base name are checked and timed; empty: all
  int64_t skip = 0;           ///< of those, how many launches are passed over first
  int64_t count = -1;         ///< and how many are then looked at; -1: all
  int64_t sample = 0;         ///< launches of a kernel and size that run in detail; 0: all
  int64_t sample_blocks = 0;  ///< blocks of a launch that run in detail; 0: all
  int64_t memory_gib = 12;    ///< device memory that may be live at once, up to the device's own
  bool checks = true;         ///< races and uninitialised reads; bounds are always checked
  bool timing = true;         ///< the time model
  bool lines = false;         ///< counters by source line
  bool leaks = false;         ///< list allocations that are never freed
  std::string result_folder;  ///< where the processes put their results
};
std::string to_json(const NativeRunOptions&);
/// Throws Error on a text that is none.
NativeRunOptions native_options_from_json(const std::string&);

struct NativeRunResult {
  Report report;  ///< one run; its launches are the first ones only
  std::vector<KernelSum> kernels;
  int64_t launches = 0;     ///< looked at
  int64_t repeats = 0;      ///< of these, those that would have changed nothing and did not run
  int64_t in_part = 0;      ///< of these, those of which some blocks ran in detail (sample_blocks)
  int64_t passed_over = 0;  ///< run without checks and times (only, skip, count)
};
std::string to_json(const NativeRunResult&);
NativeRunResult native_result_from_json(const std::string&);

}  // namespace dojo

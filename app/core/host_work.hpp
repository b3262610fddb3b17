#pragma once
// What host code did, and which launches do a run's work. A report carries both among its launches' counters,
// under the names below, so that they travel with it and stay out of its schema.
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/report.hpp"

namespace dojo {

/// What an entry's host code did.
struct HostWork {
  std::map<std::string, int64_t> calls;  ///< of the CUDA runtime, by name: "cudaMemcpy2D"
  int64_t copies = 0, copied_bytes = 0;  ///< cudaMemcpy and its variants
  int64_t memsets = 0;                   ///< cudaMemset and its variants
  int64_t syncs = 0;         ///< cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize
  int64_t instructions = 0;  ///< PTX instructions of host code
  int64_t mapped_reads = 0;  ///< bytes that host code read of pinned and managed memory
  std::vector<std::array<uint64_t, 2>> copied;  ///< base addresses {destination, source}, each pair once
  /// The allocations that a launch may read and may write, by base address.
  struct Reach {
    std::vector<uint64_t> reads, writes;
  };
  std::vector<Reach> launches;  ///< in the order of the run's reports
  int64_t api_calls() const {
    int64_t n = 0;
    for (const auto& [name, count] : calls) n += count;
    return n;
  }
};

/// Host code belongs to no launch; the first one carries what it did, or the run where there is none.
void add_host_work(RunReport&, const HostWork&);
/// "copies", "copied_bytes", "memsets", "syncs", "api_calls", "inst_executed", "mapped_reads", or
/// "call.cudaMemcpy2D".
double host_count(const RunReport&, const std::string& name);

/// Was the kernel counted to its end? A launch that was stopped, or ran on a GPU, has no counter of a kernel;
/// what the host did may stand there all the same.
inline bool counted(const LaunchReport& l) { return l.counters.count("smsp__inst_executed.sum") > 0; }

/// A launch works unless it is marked idle (run/verdict/working.hpp).
inline constexpr const char* idle_counter = "dojo__idle.flag";
inline bool works(const LaunchReport& l) { return !l.counters.count(idle_counter); }

/// A launch that may load from or store to pinned or managed memory has this flag. Such an access may cross
/// the link between host and device, which the time model does not count.
inline constexpr const char* mapped_counter = "dojo__mapped.flag";

/// A launch has this flag where a warp looked at a word of global memory until another thread changed it.
inline constexpr const char* waiting_counter = "dojo__waiting.flag";

/// The priority of a launch that has one other than 0; a smaller number goes first.
inline constexpr const char* priority_counter = "dojo__launch_priority";

/// Counters with this prefix say how often a warp executed a PTX opcode: "ptx:ld.global.v4.f32".
inline constexpr const char* opcode_prefix = "ptx:";
/// Opcodes that move memory and are in no counter of bytes: default bounds look at them
/// (run/verdict/default_bounds.cpp).
inline constexpr std::string_view fragment_load = "wmma.load", bulk_copy = "cp.async.bulk";
/// Drops the counters of opcodes but for these two.
void drop_opcodes(RunReport&);
/// Keeps what a program prints: 64 KiB in all, of however many prints.
void append_printed(std::string& kept, std::string_view text);
/// How often warps executed opcodes that begin with `opcode`, in all launches.
double executed(const RunReport&, std::string_view opcode);

}  // namespace dojo

#pragma once
// Inside the machine: what handlers call that is more than one instruction's work.
#include <chrono>

#include "simt/machine/exec.hpp"
#include "simt/machine/processor_time.hpp"

namespace dojo::simt {

/// Ends the run: kernel code of the frame returns, or its thread ends.
const Inst* exit_or_return(Exec&);
const Inst* exit_lanes_checked(Exec&);
const Inst* call_device(const Inst* p, Exec&, const Code& callee, const CallSite& site);
/// At a back edge after strong reads: true when the split parked (nothing changed since the last time round).
bool spin_check(const Inst* p, Exec&, const Inst* next);
/// Functions that the machine itself provides: vprintf, __assertfail, malloc, free. False: not one of them.
bool call_builtin(const Inst* p, Exec&, const ptx::Function& callee, const CallSite& site);
const Inst* host_call(const Inst* p, Exec&, uint32_t function);
const Inst* host_return(Exec&);

int machine_warps_per_sm(const Exec&);
int machine_sms(const Exec&);

/// A device-wide fence by the running block.
void note_fence(Exec&);
void report_exited(Exec&, Block&, uint32_t barrier);

/// The one lane of host code.
struct HostState {
  HostCalls* calls = nullptr;
  const Program* program = nullptr;
  Region* stack = nullptr;
  uint64_t stack_top = 0;
  int depth = 0;
  uint64_t executed = 0;
  uint64_t call_cost = 0;  ///< what calls out of host code count for in the limit, as instructions
  uint64_t limit = 0;      ///< limits are looked at when `executed` comes here
  const RunControl* control = nullptr;
  double start = processor_seconds();
  const Inst* at = nullptr;  ///< the instruction of the innermost call
  bool returned = false;
  std::vector<std::byte> result;
};

/// Formats a device or host printf from its argument block. `load` reads bytes at an address (false: no such
/// memory); `text` reads a zero-terminated string.
std::string format_printf(const std::string& format,
                          const std::function<bool(uint64_t offset, void* to, size_t n)>& arg,
                          const std::function<std::string(uint64_t address)>& text);

/// Bytes behind a generic address as lane `lane` sees them: null when there are none (then nothing is
/// reported).
std::byte* lane_bytes(Exec&, uint32_t lane, uint64_t address, size_t n);
std::string lane_string(Exec&, uint32_t lane, uint64_t address);

}  // namespace dojo::simt

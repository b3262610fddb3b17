#pragma once
// What handlers and checks may ask of the machine that runs them. The machine implements it; so state, checks
// and ops know nothing of launches, residency and host threads.
#include "simt/state/exec.hpp"

namespace dojo::simt {

struct AccessTraits;    ///< decode/access_traits.hpp
struct CopiesInFlight;  ///< checks/shadow.hpp
struct DeviceLaunches;  ///< state/device_launches.hpp
struct SyncState;       ///< checks/shadow.hpp

class Supervisor {
 public:
  virtual ~Supervisor() = default;
  virtual void report(Exec&, Diagnostic) = 0;
  /// Is a finding with this key (of accesses) new? Counts how often findings come up, too: a run that does
  /// little else is ended. In an attempt it ends the attempt.
  virtual bool wanted(uint64_t key) = 0;
  /// As wanted, of a race that may be harmless: it does not count towards the end of a run.
  virtual bool wanted_quietly(uint64_t key) = 0;
  /// A race with the advice for lanes of one warp, which may turn out to be one across warps.
  virtual void report_race(Exec&, Diagnostic, uint64_t key) = 0;
  /// The race with this key was met between threads of different warps.
  virtual void across_warps(uint64_t key) = 0;
  /// A race with a block of the cluster that may not have started. It is left out if another race of the run
  /// has a side at its line: one barrier is missing for both.
  virtual void report_early_peer(Exec&, Diagnostic) = 0;
  /// A race of a load that is only compared. It becomes a warning, with this message, if all that `store`
  /// writes to words that are raced for is one value, and it is no single flag that one thread sets.
  virtual void report_level(Exec&, Diagnostic, uint32_t store, std::string message) = 0;
  /// `store` wrote a value to a word that is raced for. False: it has written others, too.
  virtual bool note_level(uint32_t store, uint64_t value, uint64_t word, uint64_t writer) = 0;
  /// Has it been reported?
  virtual bool known(uint64_t key) const = 0;
  /// The launch that has the block of this ticket, and the block; null: one that ran before this batch.
  virtual Grid* grid_of_ticket(uint64_t ticket, uint64_t* linear) = 0;
  /// Is the launch of that ticket, one of those that ran or run, over for this block, by streams and events?
  virtual bool is_over(uint64_t ticket, const Block&) const = 0;
  /// Ends an attempt to run blocks at once: the launch is run again from its start, in order.
  [[noreturn]] virtual void give_up_attempt() = 0;
  virtual SyncState& sync() = 0;
  /// Do blocks run in their one fixed order now?
  virtual bool serial() const = 0;
  /// By number of the access.
  virtual const AccessTraits& traits(uint32_t access) const = 0;
  /// cp.async copies of the block that runs on a host thread.
  virtual CopiesInFlight& copies(int thread) = 0;
  /// What kernels have asked of the device runtime. Only launches that run in order ask.
  virtual DeviceLaunches& launches() = 0;
  virtual int sms() const = 0;
  virtual int warps_per_sm() const = 0;
  /// Shared memory is given to blocks in units of so many bytes.
  virtual uint32_t smem_granularity() const = 0;
  /// The set of launches that run now, by its first ticket.
  uint64_t group_base() const { return group_base_; }
  /// Does an instruction only carry its value from place to place? (Remembered by instruction.)
  std::unordered_map<const Inst*, bool> carriers;

 protected:
  uint64_t group_base_ = 0;
};

}  // namespace dojo::simt

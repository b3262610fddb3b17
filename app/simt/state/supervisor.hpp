#pragma once
// What handlers and checks may ask of the machine that runs them. The machine implements it; so state, checks
// and ops know nothing of launches, residency and host threads.
#include "simt/state/exec.hpp"

namespace dojo::simt {

struct AccessTraits;    ///< checks/access_traits.hpp
struct CopiesInFlight;  ///< checks/shadow.hpp
struct SyncState;       ///< checks/shadow.hpp

class Supervisor {
 public:
  virtual ~Supervisor() = default;
  virtual void report(Exec&, Diagnostic) = 0;
  /// Is a finding with this key (of accesses) new? Counts how often findings come up, too: a run that does
  /// little else is ended. In an attempt it ends the attempt.
  virtual bool wanted(uint64_t key) = 0;
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
  virtual int sms() const = 0;
  virtual int warps_per_sm() const = 0;
  /// The set of launches that run now, by its first ticket.
  uint64_t group_base() const { return group_base_; }
  /// Does an instruction only carry its value from place to place? (Remembered by instruction.)
  std::unordered_map<const Inst*, bool> carriers;

 protected:
  uint64_t group_base_ = 0;
};

}  // namespace dojo::simt

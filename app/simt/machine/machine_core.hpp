#pragma once
// The machine itself: launches, residency, host threads, findings.
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_set>

#include "simt/checks/shadow.hpp"
#include "simt/decode/access_traits.hpp"
#include "simt/machine/launch_order.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/step_recorder.hpp"
#include "simt/state/processor_time.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

/// What a block leaves until its turn comes: logs and text are taken in block order.
struct Commit {
  std::vector<LineAccess> log;
  std::string printed;
  std::vector<Block::RedLog> reds;
  std::vector<Diagnostic> findings;
  std::unique_ptr<BlockTrace> trace;
  std::vector<size_t> entered;
  int sm = 0;
  bool detail = true;
};

class Machine final : public Supervisor {
 public:
  Machine(const Program&, std::span<const LaunchNode>, AddressSpace&, const MachineConfig&);
  std::vector<LaunchTrace> run();

  void report(Exec&, Diagnostic) override;
  bool wanted(uint64_t key) override;
  bool wanted_quietly(uint64_t key) override;
  void report_race(Exec&, Diagnostic, uint64_t key) override;
  void across_warps(uint64_t key) override;
  void report_early_peer(Exec&, Diagnostic) override;
  void report_level(Exec&, Diagnostic, uint32_t store, std::string message) override;
  bool note_level(uint32_t store, uint64_t value, uint64_t word, uint64_t writer) override;
  /// Gives the findings so far to the configuration's receiver, with what became of each.
  void hand_over_reports();
  bool known(uint64_t key) const override { return keys_.count(key) > 0; }
  Grid* grid_of_ticket(uint64_t ticket, uint64_t* linear) override;
  bool is_over(uint64_t ticket, const Block&) const override;
  [[noreturn]] void give_up_attempt() override;
  SyncState& sync() override { return sync_; }
  DeviceLaunches& launches() override { return launches_; }
  int sms() const override { return config_.sms; }
  int warps_per_sm() const override { return config_.warps_per_sm; }
  uint32_t smem_granularity() const override { return config_.smem_granularity; }
  bool serial() const override { return serial_; }
  const AccessTraits& traits(uint32_t access) const override {
    return access < traits_.size() ? traits_[access] : no_traits_;
  }
  CopiesInFlight& copies(int thread) override { return copies_[size_t(thread)]; }
  void poll(Exec&);
  const MachineConfig& config() const { return config_; }

 private:
  void prepare_all();
  void give_blocks(Grid&);
  void prepare(Grid&);
  /// The launches that can start now: those that nothing orders among each other. Empty: all are done.
  std::vector<Grid*> next_set() const;
  /// Tickets, grain and shadow of launches that will run together.
  void prepare_checks(const std::vector<Grid*>& set);
  void run_set(std::vector<Grid*>& set);
  /// Does the launch change nothing? Then it counts as done, with the instructions that it would execute.
  bool leave_out(Grid&);
  /// Tells RepeatedLaunches what has run. `since`: its changes() before.
  void note_repeatable(const std::vector<Grid*>& set, uint64_t since);
  void refuse_endless_grid(const Grid&) const;
  void find_traits(Grid&);
  void run_serial(std::vector<Grid*>&);
  /// Reverses the order of the resident blocks; those that have not begun come first, in their own order.
  void reverse_resident();
  /// Launches that can start now that others of the set have ended, added to it.
  bool join_set(std::vector<Grid*>& set);
  /// May the launch start: is all that comes before it done, or over or at least in the set?
  bool can_start(uint32_t launch, const std::vector<Grid*>& set) const;
  void take_tickets(Grid&);
  /// Which regions nothing that may run beside the set writes to: their reads need no noting.
  void find_untracked(const std::vector<Grid*>& set);
  /// A launch without checks notes no bytes that it writes: whatever it may write to counts as written.
  void count_as_written(const Grid&);
  /// Launches that are done but not over for each one that is left.
  void settle_open(const std::vector<Grid*>& set);
  class Residency;
  bool step_residents(Exec&, Residency&);
  bool unstick_residents(Exec&);
  [[noreturn]] void report_stuck(Exec&, std::vector<Grid*>& set);
  /// Nothing can run: lets host code run that may change what threads wait for. False where there is none.
  bool let_host_run(Exec&);
  void run_parallel(Grid&);
  std::exception_ptr attempt(Grid&, int threads, const std::function<void()>& begin);
  void forget_attempt(Grid&);
  void run_all_blocks(Grid&);
  void run_blocks(Exec&, Grid&, std::atomic<uint64_t>& next, std::atomic<bool>& stop);
  void start_block(Exec&, Grid&, Block&, uint64_t linear, int sm);
  void finish_block(Exec&, Block&);
  /// The block's summary, trace, accesses and text go to its launch.
  void hand_over_block(Exec&, Block&);
  /// After a stop: what the blocks that ran left goes to the configuration's receiver.
  void hand_over_stopped();
  bool step_block(Exec&, Block&);
  bool unstick_warps(Exec&, Block&, bool parked_too);
  void block_stuck(Exec&, Block&);
  [[noreturn]] void deadlock(Exec&, std::vector<Block*>&, std::vector<Grid*>&);
  /// Who waits for what: a sentence without its full stop, for the first thread. Empty: no thread polls.
  Diagnostic waiting_of(Exec&, const std::vector<Block*>&);
  /// What a deadlock's finding says of it.
  Diagnostic deadlock_of(Exec&, const std::vector<Block*>&, const std::vector<Grid*>&);
  void stuck_at_cluster_barrier(Exec&, const std::vector<Block*>&, Diagnostic&);
  bool wake(Block&, Exec&);
  bool may_go_on(Block&, Warp&);
  void commit(Grid&, uint64_t linear, Commit&&);
  void apply_commit(Grid&, uint64_t linear, Commit&);
  void select(Grid&);
  /// Adds a trace to the launch's; a spare one only if it has far more work than each of them.
  void keep_trace(LaunchTrace&, BlockTrace&&);
  /// Sends the accesses that wait to the caches, and enters their hits into the traces.
  void settle_accesses();
  /// Where blocks that still run have made too many accesses, the caches take what there is of each; where
  /// their traces have become too long, shortens them.
  void settle_parts(Exec&);
  void shorten_traces(std::span<Block* const>);
  /// Of the blocks that run. Where each thread runs its own, the others' are taken to be as long as this
  /// one's.
  uint64_t traced_bytes(const Exec&) const;
  void finish_grid(Grid&);
  void use_grid(Exec&, Grid&, bool detail);
  /// Of a sampled launch: what its blocks in detail have counted, for all blocks.
  void estimate_left_out(Grid&);
  void flush_printed(std::string&);
  Exec& exec(int thread);
  /// Takes up what the threads have executed since they last looked. True: more than the limit.
  bool count_all();

  const Program& program_;
  std::span<const LaunchNode> nodes_;
  AddressSpace& memory_;
  const MachineConfig& config_;
  const LaunchOrder order_;
  std::vector<std::unique_ptr<Grid>> grids_;
  std::vector<uint8_t> done_;      ///< by launch
  std::vector<uint32_t> started_;  ///< launches, in the order of their tickets
  /// Launches that are done, and each with the first that is left and doesn't come after it.
  std::vector<std::pair<uint32_t, uint32_t>> open_;
  std::vector<LaunchTrace> traces_;
  std::vector<BlockSummary> spare_blocks_;  ///< memory of a launch that is done, for the next one
  std::vector<std::unique_ptr<Exec>> execs_;
  std::mutex lock_;
  std::condition_variable turn_;
  bool applying_ = false;  ///< a thread takes logs in block order
  std::map<uint64_t, Commit> waiting_;
  uint64_t waiting_accesses_ = 0;
  uint32_t polls_ = 0;
  std::vector<std::vector<LineAccess>> spare_logs_;  ///< of blocks whose turn is over
  uint64_t next_commit_ = 0;
  bool has_commits_ = false;
  DeviceLaunches launches_;
  bool interleaved_ = false;              ///< see run_serial
  bool host_ran_ = false;                 ///< let_host_run() was the last that did anything
  bool polled_ = false;                   ///< all warps of a block polled since let_host_run() looked
  bool serial_ = true, attempt_ = false;  ///< attempt: a parallel run that is given up at the first finding
  std::atomic<bool> dirty_{false};
  /// Findings wait for the end of the run, since what comes later decides what they say.
  struct Report {
    Diagnostic diagnostic;
    std::string level_message;  ///< not empty: see report_level
    uint32_t level_store = 0;
    bool early_peer = false;  ///< see report_early_peer
  };
  struct Level {
    uint64_t value = 0, word = 0, writer = 0;  ///< the first
    bool one_value = true, several = false;    ///< several words, or several writers of one
  };
  /// Takes up a finding, once per pair of places; null: it was there before.
  Report* keep(Exec&, Diagnostic);
  /// Does this race, or one that shares a line with it, need a barrier of the block?
  bool is_wide(const Diagnostic&) const;
  void join_races();
  /// Leaves out what report_early_peer() says it does.
  void drop_early_peers();
  std::vector<Report> reports_;
  std::unordered_map<uint64_t, std::pair<std::string, std::string>> lines_of_;  ///< by key of a race
  std::set<std::string> wide_;                  ///< lines that take part in a race across warps
  std::unordered_map<uint32_t, Level> levels_;  ///< by store
  std::set<std::string> reported_;
  std::unordered_set<uint64_t> keys_;
  std::optional<Diagnostic> first_;  ///< the first finding that doesn't end the run by itself
  uint64_t events_ = 0;              ///< how often a finding came up, reported before or not
  std::string printed_;
  std::atomic<uint64_t> executed_{0};
  std::atomic<bool> over_limit_{false};  ///< of instructions
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const double start_used_ = processor_seconds();
  std::atomic<int64_t> last_poll_{0};
  std::vector<Block*> resident_;
  std::vector<std::unique_ptr<Block>> owned_;  ///< the resident blocks
  uint64_t next_ticket_ = 1;
  uint32_t selected_ = ~0u;
  std::vector<BlockAccesses>
      pending_;  ///< of the launch `selected_`, until enough blocks are there to go side by side
  LaunchTrace* pending_trace_ = nullptr;
  SyncState sync_;
  std::vector<AccessTraits> traits_;
  std::vector<CopiesInFlight> copies_;
  const AccessTraits no_traits_;
  std::unique_ptr<StepRecorder> steps_;
};

}  // namespace dojo::simt

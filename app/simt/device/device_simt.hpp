#pragma once
// The SIMT machine as a Device: memory, streams and launches of a student's program, run at the latest at a
// synchronisation, with counters from the machine and times from the time model. The only room that knows
// them all; it knows no lab.
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/native/launch_samples.hpp"
#include "simt/caches/hierarchy.hpp"
#include "simt/device/device_report.hpp"
#include "simt/device/executed.hpp"
#include "simt/gpu/device_model.hpp"
#include "simt/host_beside.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/repeated_launches.hpp"
#include "simt/time/engines.hpp"
#include "simt/time/model.hpp"

namespace dojo::simt {

class SimtDevice final : public Device {
 public:
  explicit SimtDevice(const DeviceModel&);

  const DeviceInfo& info() const override { return model_.info; }
  AddressSpace& memory() override { return memory_; }
  void set_control(const RunControl& c) override { control_ = c; }
  void load(std::shared_ptr<const ptx::Module>, const Assembled&) override;
  void load_beside(std::shared_ptr<const ptx::Module>, const Assembled&) override;
  void select(const ptx::Module&) override;
  uint64_t symbol(const std::string& name, uint64_t* bytes) override;

  CudaStatus allocate(uint64_t* address, uint64_t bytes, Owner, std::string name, SourceLoc) override;
  CudaStatus release(uint64_t address, SourceLoc) override;
  CudaStatus copy(uint64_t dst, uint64_t src, uint64_t bytes, uint64_t stream, bool blocking) override {
    return copy_box(CopyBox::line(dst, src, bytes), stream, blocking);
  }
  CudaStatus copy_box(const CopyBox&, uint64_t stream, bool blocking) override;
  void note_host_move(uint64_t bytes) override;
  CudaStatus pin(uint64_t address, uint64_t bytes) override;
  CudaStatus unpin(uint64_t address) override;
  CudaStatus fill_box(const FillBox&, uint32_t value, uint64_t stream, bool blocking) override;

  KernelResources kernel_resources(const std::string& mangled) override;
  int max_active_blocks(const std::string& mangled, uint32_t threads, uint32_t dynamic_smem) override;
  int max_active_clusters(const LaunchSpec&) override;
  CudaStatus allow_dynamic_smem(const std::string& mangled, int bytes) override;

  CudaStatus launch(
      const LaunchSpec&) override;  ///< throws RunStopped where RunControl::apart runs it at once
  uint64_t create_stream(int priority, bool non_blocking) override;
  CudaStatus destroy_stream(uint64_t) override;
  uint64_t create_event() override;
  CudaStatus record_event(uint64_t event, uint64_t stream) override;
  CudaStatus wait_event(uint64_t stream, uint64_t event) override;
  CudaStatus elapsed(float* ms, uint64_t start, uint64_t stop) override;
  CudaStatus synchronize() override;
  CudaStatus synchronize_stream(uint64_t) override;
  CudaStatus synchronize_event(uint64_t) override;
  void note_graph(uint64_t nodes) override;
  void begin_graph(uint64_t nodes, bool first) override;
  void end_graph() override { in_graph_ = false; }

  void set_printer(std::function<void(std::string_view)> p) override { print_ = std::move(p); }
  std::vector<LaunchReport> take_launches() override;
  std::vector<Diagnostic> take_findings() override;
  Timing device_time() const override;
  double end_to_end_us() const override { return clock_.host - clock_.taken; }
  std::vector<WorkSpan> timeline() override;
  bool last_writer(uint64_t address, Dim3* block, Dim3* thread) override;
  void cold_caches() override { hierarchy_.clear(), constants_ = {}; }
  /// See count_caches().
  void count_caches(bool on) { caches_ = on; }
  /// See run_to_the_end().
  void run_to_the_end() { to_the_end_ = true; }
  /// See run_beside().
  void run_beside(HostBeside* h) { host_ = h; }
  PendingWork pending_work() const;
  void run_queued() { flush(); }
  bool runs() const { return running_; }
  bool may_wait(const ptx::Function& kernel);
  bool stream_runs(uint64_t stream) { return runs_before(stream); }
  bool event_runs(uint64_t event) const;
  /// See sample_blocks().
  void sample_blocks(uint64_t n) { blocks_in_detail_ = n; }
  /// See sample_launches().
  void sample_launches(LaunchSampler* s) { sampler_ = s, for_results_ = for_results_ && s; }
  /// See repeated_launches().
  uint64_t repeated_launches() const { return repeated_.left_out(); }
  /// See executed_instructions().
  const ExecutedInstructions& executed() const { return executed_; }

 private:
  struct Stream {
    int index = 0, priority = 0;
    bool non_blocking = false;
    std::vector<uint32_t> tail;   ///< queued launches that the stream's next work comes after
    std::vector<uint32_t> works;  ///< the same of what has been handed to the engines
  };
  struct Queued {
    LaunchNode node;
    double issued = 0;  ///< on the host's clock
    bool graph = false;
    std::vector<uint32_t> works;  ///< of the engines, that it comes after
  };
  struct Event {
    bool recorded = false;
    std::vector<uint32_t> after;  ///< queued launches it waits for
    std::vector<uint32_t> works;  ///< the same of what has been handed to the engines
    double issued = 0;            ///< on the host's clock
    bool waits = false;           ///< for launches in `held_` or `running_`
    uint32_t record = 0;          ///< which of its records this is
  };
  struct Clock {
    double host = 0, taken = 0;   ///< end-to-end time, and what was reported of it
    double device = 0;            ///< where the next batch starts on the device's timeline
    double first = -1, last = 0;  ///< of the launches since the last take
  };

  void place(std::shared_ptr<const ptx::Module>, const Assembled&);
  void place_variable(uint32_t index);
  void write_relocations();
  CudaStatus check(const LaunchSpec&, const ptx::Function&, const KernelResources&, int* blocks_per_sm);
  /// What new work of the stream comes after: queued launches, or work of the engines.
  std::vector<uint32_t> before(uint64_t stream, std::vector<uint32_t> Stream::*of = &Stream::tail);
  double finish(const std::vector<uint32_t>& works);  ///< when all of it has ended, on the host's clock
  Stream* find_stream(uint64_t id);
  /// Does the stream's next work come after launches that have not run?
  bool queued_before(uint64_t stream) {
    return !held_.empty() || !before(stream).empty() || runs_before(stream);
  }
  /// Does it come after launches that run now, on another thread?
  bool runs_before(uint64_t stream);
  /// Which of those.
  std::vector<uint32_t> running_before(uint64_t stream);
  /// Returns when nothing runs on another thread; throws RunStopped where that was stopped.
  void wait_until_idle();
  /// Queued launches of a module that must not run before the host waits for them: one of them may itself
  /// wait for the host.
  struct Held {
    const ptx::Module* module = nullptr;
    bool for_results = false;
    std::vector<Queued> queue;
    std::map<uint64_t, std::vector<uint32_t>> tails;   ///< by stream
    std::map<uint64_t, std::vector<uint32_t>> events;  ///< what each waits for
  };
  Held take_held();
  void hold_queue();
  /// What comes next can't run in the queue's batch: runs the queue, or holds it.
  void end_queue();
  void run_held();
  void run_queue();
  void make_current(const ptx::Module&);
  /// The launches that run between two synchronisations, and what each step finds out about them.
  struct Batch {
    std::vector<Queued> queued;
    std::vector<LaunchNode> nodes;
    std::vector<LaunchTrace> traces;
    std::vector<MemoryTotals> memory;
    std::vector<ModelledLaunch> modelled;
    std::map<uint64_t, std::vector<uint32_t>> tails;  ///< by stream: what its next work comes after
    struct Recorded {
      uint32_t record = 0;  ///< Event::record
      std::vector<uint32_t> after;
    };
    std::map<uint64_t, Recorded> events;  ///< what each waits for
  };
  /// Runs all queued launches: take them, run them on the machine, model their time, report, move the clocks.
  void flush();
  Batch take_queue();
  MachineConfig machine_config(const Batch&);
  void choose_recorded(const Batch&, MachineConfig&) const;
  void run_batch(Batch&);
  /// Reports what ran of a batch that was stopped: the blocks in time, and no counts, which are not whole.
  void report_stopped(Batch&, StoppedBatch, uint64_t dirty_before);
  void charge_instructions(const Batch&);
  CacheCounters cache_counters(const Batch&, uint32_t launch) const;
  LaunchReport report_of(const Batch&, uint32_t launch);
  LaunchReport report_of_results(const Batch&, uint32_t launch);
  void estimate_times(Batch&);
  void report_batch(const Batch&);
  /// Runs what the kernels of the last batch asked for, each launch to its end with all that it launches.
  void run_asked();
  bool launches_others(const ptx::Function& kernel);  ///< can its code call the device runtime?
  void add_executed(const LaunchTrace&);
  void hand_to_engines(const Batch&);
  uint32_t hand_over(Work, WorkSpan);
  void charge(double us, const char* what);  ///< the host is busy
  double host_move_us(uint64_t bytes) const;
  void hold_until(double at, const char* what);
  /// The host waits for work that ends at `done`, and for the call itself: longer when it had to wait.
  void wait_for(double done);
  double wait_for_constants(const ptx::Function&);
  std::vector<MemoryTotals> memory_totals(const Batch&, uint64_t dirty_before) const;
  double fill_us(const FillBox&) const;
  double copy_us(const CopyBox&);  ///< within the device
  void over_the_link(Work::Kind, double bytes, double link_us, bool pinned, uint64_t stream, bool blocking);
  void inside(uint64_t stream, double us, double bytes, const char* what);
  std::shared_ptr<const ptx::CodeShape> shape_of(uint32_t function);
  double code_bytes(uint32_t function) const;  ///< of its machine code; 0 without
  void mark_written(uint64_t address, uint64_t bytes);

  bool pinned(uint64_t address, uint64_t bytes) const;  ///< by pin()

  DeviceModel model_;
  AddressSpace memory_;
  std::map<uint64_t, uint64_t> pinned_;  ///< by pin(): address, bytes
  RunControl control_;
  std::shared_ptr<const ptx::Module> module_;
  Assembled resources_;
  std::shared_ptr<const Program> program_;
  SymbolTable symbols_;
  std::vector<bool> placed_;
  std::map<std::string, int> dynamic_limit_;
  std::map<uint32_t, std::shared_ptr<const ptx::CodeShape>> shapes_;
  /// A loaded module that is not the current one: the fields above.
  struct Parked {
    std::shared_ptr<const ptx::Module> module;
    Assembled resources;
    std::shared_ptr<const Program> program;
    SymbolTable symbols;
    std::vector<bool> placed;
    std::map<std::string, int> dynamic_limit;
    std::map<uint32_t, std::shared_ptr<const ptx::CodeShape>> shapes;
  };
  std::map<const ptx::Module*, Parked> parked_;
  void exchange_with(Parked&);
  CacheHierarchy hierarchy_;
  struct Constants {
    bool bank = false, read = false;
  } constants_;  ///< what kernels have asked for of constant memory since the caches were emptied
  std::map<uint64_t, Stream> streams_;
  std::map<uint64_t, Event> events_;
  uint64_t next_handle_ = 1;
  std::vector<Queued> queue_;
  std::vector<Held> held_;  ///< what comes before the queue, in this order
  Clock clock_;
  Engines engines_;
  std::vector<WorkSpan> spans_;       ///< of the engines' work, by its number; times are the engines'
  std::vector<WorkSpan> host_spans_;  ///< on the host's clock
  size_t first_span_ = 0;             ///< of those since the last take_launches
  uint32_t batches_ = 0;
  bool in_graph_ = false;
  uint64_t graph_nodes_ = 0;  ///< launched by graphs so far
  std::function<void(std::string_view)> print_;
  std::vector<LaunchReport> launches_;
  ExecutedInstructions executed_;
  std::vector<Diagnostic> findings_;
  std::vector<DeviceWork> asked_;
  int depth_ = 0;                                   ///< of launches by kernels
  std::map<const ptx::Function*, bool> launching_;  ///< see launches_others()
  std::map<const ptx::Function*, bool> spinning_;   ///< see may_wait()
  bool caches_ = true, to_the_end_ = false;
  LaunchSampler* sampler_ = nullptr;
  uint64_t blocks_in_detail_ = 0;  ///< of each launch; 0: all
  RepeatedLaunches repeated_;
  bool for_results_ = false;       ///< the queued launches run for their results only
  bool other_file_waits_ = false;  ///< kernels of another module come after those that run
  bool broken_ = false;            ///< after an error that ends the context
  HostBeside* host_ = nullptr;
  Batch* running_ = nullptr;           ///< on the machine now
  RunStopped stop_{Status::pass, {}};  ///< what broke the context
};

}  // namespace dojo::simt

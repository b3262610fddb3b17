#pragma once
// Slow motion of one block: where it stands, what the warps do there, forwards and back. Over a recorded
// trace (core/step_trace.hpp), so that going back is as cheap as going on.
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/step_trace.hpp"
#include "gui/plot/table.hpp"

namespace dojo::gui {

/// One access to shared memory over the banks: who meets whom.
struct BankView {
  struct Cell {
    int lane = 0;
    uint32_t word = 0;
    int wavefront = 0;  ///< the wavefront that serves it, from 0
  };
  std::array<std::vector<Cell>, 32> banks;
  int wavefronts = 0, ideal_wavefronts = 0;
  bool conflict() const { return wavefronts > ideal_wavefronts; }
};
BankView bank_view(const StepTrace&, const StepTrace::Access&);

/// One access to global memory over the 32-byte sectors.
struct SectorView {
  struct Sector {
    uint64_t number = 0;  ///< address / 32
    uint32_t lanes = 0;
    uint32_t bytes = 0;  ///< mask of the bytes asked for
  };
  std::vector<Sector> sectors;  ///< those touched, ascending
  std::array<int, 32> of_lane;  ///< index of each lane's first sector, -1: not active
  int lines = 0;
  double used_share = 0;  ///< bytes asked for / bytes moved
  std::string region;     ///< the buffer's name, if known
  uint64_t offset = 0;    ///< of the lowest address in it
  int fewest = 1;         ///< sectors that this many distinct bytes would need
};
SectorView sector_view(const StepTrace&, const StepTrace::Access&);
/// Half of what several lanes moved, or more, was moved for nothing.
bool wasteful(const SectorView&, const StepTrace::Access&);

/// The accesses of one line to one space, in the order in which they ran: what the bank and address maps
/// draw.
struct LineAccesses {
  int line = 0;
  struct One {
    uint32_t access = 0;  ///< index into StepTrace::accesses
    uint32_t step = 0;
    int warp = 0;
  };
  std::vector<One> all;
  size_t worst = 0;  ///< index of the costliest
};
/// By line; lines of other files are left out.
std::vector<LineAccesses> line_accesses(const StepTrace&, StepTrace::Space, const std::string& file);

/// One warp's steps in order, for lanes over time: the mask of each, with its line.
struct LaneStep {
  uint32_t mask = 0;
  int line = 0;
  uint32_t step = 0;
};
std::vector<LaneStep> lane_steps(const StepTrace&, int warp);
/// The same as figures: a row an instruction, its lanes as a mask and as a count.
Table lane_table(const StepTrace&, int warp);

/// An access lane by lane, for CSV: address (shared: offset in the block's memory), and the bank and
/// wavefront, or the sector.
Table access_table(const StepTrace&, const StepTrace::Access&);

/// Does the step have a shared access with conflicts, a global one that moves twice the bytes it uses or
/// more?
bool has_conflict(const StepTrace&, const StepTrace::Step&);
bool has_waste(const StepTrace&, const StepTrace::Step&);

class SlowMotion {
 public:
  enum class Order { turns, machine };  ///< warps line by line in turns, or as the machine ran them
  enum class Grain { line, instruction };
  enum class Stop { conflict, waste, divergence, barrier, finding };
  struct Warp {
    uint32_t mask = 0, live = 0, waiting = 0;
    int line = 0, barrier = -1;
    bool begun = false, done = false, current = false;
  };
  /// "line 12", "at barrier 0", "waits", "done", "not begun"; code that the compiler gave no line is called
  /// that.
  static std::string state_text(const Warp&);
  struct Register {
    uint32_t id = 0;
    bool written = false, read = false, pinned = false;
    uint32_t known = 0;  ///< lanes that have a value
    std::array<uint64_t, 32> value{};
  };

  void set(std::shared_ptr<const StepTrace>);
  void clear() { set(nullptr); }
  const StepTrace* trace() const { return trace_.get(); }
  /// Tells recordings apart, also where a new one lies at the address of one that is gone.
  uint64_t serial() const { return serial_; }

  // Where.
  size_t count() const { return order_.size(); }
  size_t at() const { return at_; }     ///< index in the order of the step shown last
  const StepTrace::Step* step() const;  ///< the one shown; null without a trace
  int line() const;
  /// Of the warp that is shown: "Warp 0: 31 of 32 lanes active", "Warp 0: done".
  std::string heading() const;
  const std::string& file() const;
  bool forward();
  bool back();
  void seek(size_t);
  void to_step(size_t recorded);      ///< by index of StepTrace::steps
  bool run_on(bool forwards = true);  ///< to the next breakpoint; false (and at the end) when there is none
  std::string stopped_at;             ///< why run_on stopped, in words

  // How.
  Order order() const { return order_kind_; }
  Grain grain() const { return grain_; }
  void set_order(Order);
  void set_grain(Grain);
  int warp() const { return scope_; }  ///< only this warp's steps are stops; -1: all
  void set_warp(int);
  std::set<int> breakpoints;  ///< lines
  std::set<Stop> stops{Stop::finding};
  bool playing = false;
  double per_second = 4;
  /// Plays; true when something moved.
  bool tick(double now);
  double next_tick(double now) const;

  // What is there. All of it as of at().
  const std::vector<Warp>& warps() const { return warps_; }
  uint32_t epoch() const;
  std::vector<const StepTrace::Access*> accesses() const;  ///< of the line (or instruction), worst last
  /// The stop in one sentence: its finding, else its costliest access, its barrier, or how many lanes work.
  std::string caption() const;
  const std::vector<uint32_t>& shared_words() const { return shared_; }
  bool shared_known(size_t word) const { return word < shared_known_.size() && shared_known_[word]; }
  bool shared_fresh(uint32_t word) const;  ///< changed by the stop that is shown
  bool shared_is_float() const { return shared_float_; }
  /// Of the current warp: what the stop reads and writes, and pinned ones. By variables: those first that
  /// hold one, and of several that hold the same one the register that was written last.
  std::vector<Register> registers(bool by_variables = false) const;
  std::set<uint32_t> pinned;
  std::vector<const StepTrace::Note*> notes() const;  ///< findings of the stop
  uint32_t first_of_stop() const {
    return stop_first_;
  }  ///< index in the order at which the shown stop begins
  /// For the ribbon under the code: marks over [0, count()), decimated to `columns`; bit 1 conflict, 2 waste,
  /// 4 divergence, 8 barrier, 16 finding.
  std::vector<uint8_t> ribbon(int columns) const;
  const StepTrace::Step& ordered(size_t k) const { return trace_->steps[order_[k]]; }
  uint32_t recorded(size_t k) const { return order_[k]; }

 private:
  void arrange();
  void restart();
  void apply(size_t k);
  void show(size_t k);
  bool is_stop(size_t k) const;
  std::string reason(size_t k) const;

  std::shared_ptr<const StepTrace> trace_;
  uint64_t serial_ = 0;
  std::vector<uint32_t> order_;       ///< indices of steps
  std::vector<uint32_t> stop_begin_;  ///< for each place in the order: where its line segment begins
  Order order_kind_ = Order::turns;
  Grain grain_ = Grain::line;
  int scope_ = -1;
  size_t at_ = 0, applied_ = 0;
  uint32_t stop_first_ = 0;
  std::vector<Warp> warps_;
  std::vector<uint32_t> last_step_;  ///< by warp: 1 + index of its last step
  std::vector<uint32_t> shared_;
  std::vector<bool> shared_known_;
  std::set<uint32_t> fresh_;
  bool shared_float_ = true;
  std::vector<std::vector<uint64_t>> values_;  ///< by warp: registers × 32
  std::vector<std::vector<uint32_t>> known_;   ///< by warp: lanes of each register
  double due_ = 0;
};

}  // namespace dojo::gui

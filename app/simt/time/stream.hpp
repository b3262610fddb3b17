#pragma once
// A traced warp as the stream of machine operations that the SM model issues. The trace gives the order of
// basic blocks, the CodeShape the operations of each, the memory events the cost of every access.
#include <array>
#include <memory>
#include <vector>

#include "ptx/code_shape.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

/// What an operation does beyond using its pipe. `release`: an access with a fence before it; `acquire`: one
/// that empties the L1 when its data arrive; both at a scope beyond the block.
/// copy, copy_group, copy_wait: cp.async, its commit_group, its wait_group or wait_all. signal_wait: a look
/// whether an mbarrier's phase has ended.
enum class Act : uint8_t {
  plain,
  barrier,
  cluster_barrier,
  fence,
  sleep,
  release,
  acquire,
  acquire_release,
  copy,
  copy_group,
  copy_wait,
  signal_wait,
};

/// Functions of a module with their shapes, and what each PTX instruction is.
class ShapeTable {
 public:
  struct Entry {
    const ptx::Function* function = nullptr;
    std::shared_ptr<const ptx::CodeShape> shape;
    std::vector<Act> acts;           ///< by PTX instruction
    std::vector<bool> unrolled;      ///< by block: it has operations that don't run on every visit
    std::vector<uint32_t> follower;  ///< by block: the next in the layout that has operations
    size_t longest = 0;              ///< operations of the longest block
    uint32_t index = 0;              ///< of the function
    bool estimated = true;
  };
  /// Functions whose shape the trace has not are estimated.
  ShapeTable(const ptx::Module&, uint32_t kernel, const LaunchTrace&);
  const Entry& at(uint32_t function);

 private:
  const ptx::Module& module_;
  std::vector<std::unique_ptr<Entry>> entries_;
};

/// One operation, with what its memory access needs.
struct StreamOp {
  const ptx::ShapeOp* op = nullptr;
  const ShapeTable::Entry* entry = nullptr;
  uint32_t index = 0;  ///< within its block
  bool first = false;  ///< of its block's visit
  Act act = Act::plain;
  bool active = true;  ///< false: all lanes predicated off
  uint16_t lanes = 32;
  uint16_t wavefronts = 1;      ///< shared: of the data stage; global: lines
  uint16_t lsu_wavefronts = 1;  ///< of the load/store unit; textures: samples
  uint16_t sectors = 0, l1_hits = 0, l2_hits = 0;
  uint16_t packets = 0;                          ///< of a global atomic (MemoryEvent::packets)
  bool remote = false;                           ///< shared memory of another block of the cluster
  bool l2_far = false;                           ///< the access waits for the far half of the L2
  bool l2_coming = false;                        ///< its line was in flight from DRAM
  uint8_t askers = 1;                            ///< blocks that wait for one answer of DRAM
  uint32_t half_line = 0;                        ///< global: the first 64 bytes it touches
  uint16_t mbarrier = MemoryEvent::no_mbarrier;  ///< of a bulk copy, or of a wait
  uint16_t stall = 0;  ///< cycles until the next one may issue, where the trace says; 0: the operation does
  bool taken = false;  ///< a branch after which the stream goes on elsewhere
  bool met = false;    ///< the first after lanes that had parted met again
};

/// Walks one warp's trace. Deterministic.
///
/// Where ptxas unrolled a loop, one iteration of the machine's loop is several visits of the trace. Its
/// operations come in the machine's order, each with the memory event of its own visit: loads that ptxas
/// hoisted issue together, and an operation that depends on the load of an earlier visit waits for it.
class OpStream {
 public:
  OpStream() = default;
  OpStream(ShapeTable&, const WarpTrace&);
  /// The next operation; false at the end.
  bool next(StreamOp&);
  /// Operations in all (walks a copy).
  uint64_t count() const;
  /// Trace step that the last operation belongs to.
  uint32_t step() const { return step_; }

 private:
  bool enter();
  void look_around();
  static constexpr uint32_t kNot = ~0u;
  uint32_t visit_of(const ptx::ShapeOp&) const;
  void focus(uint32_t visit);
  bool begin_visit(const ptx::ShapeOp&);
  void advance(const ptx::ShapeOp&);
  void describe_access(const ptx::ShapeOp&, StreamOp& out);
  uint16_t awaited_mbarrier(const ptx::ShapeOp&);
  bool is_copy(const ptx::ShapeOp&, const MemoryEvent&);
  static void describe_spill(const ptx::ShapeOp&, StreamOp& out);
  bool leads_elsewhere(const ptx::ShapeOp&) const;
  const MemoryEvent* event_of(uint32_t inst);
  const MemoryEvent* find_event(uint32_t inst, uint32_t from, uint32_t to, bool backwards);

  ShapeTable* table_ = nullptr;
  const WarpTrace* trace_ = nullptr;
  const ShapeTable::Entry* entry_ = nullptr;
  const ptx::ShapeBlock* block_ = nullptr;
  uint32_t op_ = 0;
  uint32_t rounds_ = 0;                   // still to come of an atomic's loop; 0: in none
  uint32_t repeat_ = 0;                   // instructions still to come of a routine, `op_` being its place
  const MemoryEvent* routine_ = nullptr;  // that routine
  uint32_t step_ = 0, next_step_ = 0;
  // Events of this visit, and of what surrounds it as far as the last and the next visit of the same block:
  // machine code moves accesses of neighbouring blocks here.
  uint32_t own_ = 0, own_end_ = 0, around_ = 0, around_end_ = 0, next_event_ = 0;
  uint32_t cursor_ = 0;         // behind the event found last
  bool looked_around_ = false;  // around_ is known for this visit
  struct Visit {
    uint32_t step, own, own_end;
  };
  std::vector<Visit> run_;  // visits in a row of a block that is unrolled; of others empty
  uint32_t visit_ = 0;      // which of them
  bool first_ = false;      // nothing of this visit has come
  uint32_t last_block_ = ~0u, last_function_ = ~0u;
  uint32_t lanes_ = 0;  // of the last visit
  bool met_ = false;
  /// The last stores, and the operations that they were.
  struct StoreOfEvent {
    const MemoryEvent* event = nullptr;
    const ptx::ShapeOp* op = nullptr;
  };
  std::array<StoreOfEvent, 32> stored_{};
  size_t next_stored_ = 0;
};

}  // namespace dojo::simt

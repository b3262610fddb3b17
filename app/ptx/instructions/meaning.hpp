#pragma once
// What an instruction is, typed: its operation, what it reads and writes, where, in which order and how far
// that order reaches. The parser describes each instruction once; nothing else compares words of opcodes to
// find out. Words that only one operation has (roundings, comparisons, shapes) are left to its decoder.
//
// "atom.acq_rel.gpu.shared.add.u32 %r1, [%rd1], %r2" is operation atom, effect atomic, space shared, order
// acq_rel, scope gpu, change add, type u32, width 4, one operand written.
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "ptx/instructions/type.hpp"

namespace dojo::ptx {

/// The first word of an opcode; other: none that is known.
enum class Op : uint8_t {
  other,
#define PTX_INSTRUCTION(operation, group, effect, words) operation,
#include "ptx/instructions/list.def"
};

/// What a group of operations is to the pipes of a GPU.
enum class Group : uint8_t {
  arithmetic,
  multiply,
  multiply_add,
  divide,
  compare,
  logic,
  shift,
  bits,
  convert,
  move,
  special_function,
  memory,
  shuffle,
  vote,
  barrier,
  fence,
  branch,
  call,
  tensor,
  tensor_load,
  other,
};

/// What is read and written. A result is the first operand.
enum class Effect : uint8_t {
  none,       ///< no result, no access to memory by address: branches, barriers, fences, hints
  result,     ///< registers to a result
  load,       ///< memory to a result
  store,      ///< registers to memory
  atomic,     ///< memory is changed, its old value is the result
  reduction,  ///< memory is changed, there is no result
  copy,       ///< global memory to shared memory, by the load/store unit: cp.async
  bulk,       ///< memory to memory, by the copy engine: cp.async.bulk and its like
};

/// weak also where an instruction names no order. relaxed also for mmio.
enum class Order : uint8_t { weak, is_volatile, relaxed, acquire, release, acq_rel, sc };

/// The threads for whom an order or a barrier holds; none: not said.
enum class Scope : uint8_t { none, warp, cta, cluster, gpu, sys };

/// What an atomic operation or a reduction does to a word.
enum class Change : uint8_t { none, add, min, max, inc, dec, and_, or_, xor_, exch, cas };

/// Of a barrier, or of dependent launches (launch_dependents arrives). both: it arrives and waits.
enum class Side : uint8_t { both, arrive, wait };

struct Meaning {
  Op op = Op::other;
  Effect effect = Effect::result;
  Space space = Space::none;  ///< of the address (cp.async: of the source; cp.async.bulk: of the
                              ///< destination), none: generic
  bool of_cluster = false;    ///< .shared::cluster: shared memory of any block of the cluster
  Order order = Order::weak;
  Scope scope = Scope::none;
  Change change = Change::none;
  Side side = Side::both;
  Type type = Type::none;  ///< the last type that the opcode names
  uint8_t width = 0;       ///< bytes per lane that move between registers and memory
  uint8_t written = 0;  ///< how many of the first operands are written: 0 or 1 (a vector or pair counts once)

  bool is(std::initializer_list<Op> any) const {
    for (Op o : any)
      if (op == o) return true;
    return false;
  }
  bool loads() const { return effect == Effect::load || effect == Effect::copy; }
  bool stores() const { return effect == Effect::store; }
  bool changes() const { return effect == Effect::atomic || effect == Effect::reduction; }
  /// A load, store or atomic of the load/store unit or the texture units.
  bool accesses() const { return loads() || stores() || changes(); }
  /// In the block's own shared memory, and the opcode says so.
  bool own_shared() const { return space == Space::shared && !of_cluster; }
  bool acquires() const { return order == Order::acquire || order == Order::acq_rel; }
  bool releases() const { return order == Order::release || order == Order::acq_rel; }
  bool fences() const { return op == Op::membar || op == Op::fence; }
  bool returns() const { return op == Op::ret || op == Op::exit; }
  /// A barrier of the block, or of a cluster with that scope; not bar.warp.sync.
  bool barrier() const { return (op == Op::bar || op == Op::barrier) && scope != Scope::warp; }
  bool textures() const { return is({Op::tex, Op::tld4, Op::suld, Op::sust}); }
};

struct Instruction;
/// Describes an instruction by its parts and operands.
Meaning meaning_of(const Instruction&);

/// The operation that an opcode's first word names.
Op operation(std::string_view word);
/// Its first word ("and" for Op::and_).
std::string_view name_of(Op);
Group group_of(Op);
/// The further words that it may carry, as list.def has them; null data: it is never run.
std::string_view words_of(Op);
/// Every operation but `other`.
inline constexpr size_t operations =
#define PTX_INSTRUCTION(operation, group, effect, words) +1
#include "ptx/instructions/list.def"
    ;

}  // namespace dojo::ptx

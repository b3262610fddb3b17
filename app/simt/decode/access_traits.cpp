#include "simt/decode/access_traits.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

namespace dojo::simt {
namespace {

using ptx::Change;
using ptx::Function;
using ptx::Instruction;
using ptx::Meaning;
using ptx::Op;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Order;
using ptx::Space;

/// A register, or a word of the stack that unoptimised code keeps a variable in.
using Place = std::tuple<bool, uint64_t, int64_t, std::string>;
Place reg(uint64_t r) { return {true, r, 0, {}}; }
Place word(const Operand& o) { return {false, o.base_is_reg ? o.value : ~uint64_t(0), o.offset, o.name}; }

bool holds(const std::set<Place>& places, const Operand& o) {
  if (o.kind == OperandKind::reg) return places.count(reg(o.value)) > 0;
  return std::any_of(o.items.begin(), o.items.end(), [&](const Operand& i) { return holds(places, i); });
}
bool add_all(std::set<Place>& places, const Operand& o) {
  bool any = false;
  if (o.kind == OperandKind::reg) any |= places.insert(reg(o.value)).second;
  for (const Operand& i : o.items) any |= add_all(places, i);
  return any;
}

/// Is one of the places in a variable that is listed, as the arguments of a call are?
bool in_listed(const std::set<Place>& places, const Operand& list) {
  return std::any_of(list.items.begin(), list.items.end(), [&](const Operand& a) {
    return !a.name.empty() && std::any_of(places.begin(), places.end(),
                                          [&](const Place& p) { return std::get<3>(p) == a.name; });
  });
}

/// The registers and stack words that a load's or an atomic's result flows to. `copies`: only where it is
/// handed on unchanged. What a called function returns depends on all its arguments: in code compiled as
/// written, votes and shuffles are calls.
std::set<Place> flow(const Function& f, uint32_t from, bool copies) {
  std::set<Place> places;
  add_all(places, f.code[from].operands.at(0));
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& i : f.code) {
      const Meaning& m = i.meaning;
      if (i.operands.size() < 2) continue;
      if (m.op == Op::call) {
        if (copies || i.operands.size() < 3 || !in_listed(places, i.operands[2])) continue;
        for (const Operand& result : i.operands[0].items) changed |= places.insert(word(result)).second;
      } else if (m.op == Op::st) {
        if (m.space != Space::shared && m.space != Space::global &&
            i.operands[0].kind == OperandKind::address && holds(places, i.operands[1]))
          changed |= places.insert(word(i.operands[0])).second;
      } else if (m.op == Op::ld) {
        if (i.operands[1].kind == OperandKind::address && places.count(word(i.operands[1])))
          changed |= add_all(places, i.operands[0]);
      } else if (m.written && m.op != Op::atom) {
        if (copies && !m.is({Op::mov, Op::cvt})) continue;
        bool reads = false;
        for (size_t k = 1; k < i.operands.size(); ++k) reads |= holds(places, i.operands[k]);
        if (reads) changed |= add_all(places, i.operands[0]);
      }
    }
  }
  return places;
}

/// How many edges away each basic block is from one, or towards it; far: unreachable.
constexpr uint32_t far = 1u << 30;
std::vector<uint32_t> distances(const Function& f, uint32_t home, bool towards) {
  std::vector<uint32_t> d(f.blocks.size(), far);
  d[home] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f.blocks.size(); ++b)
      for (uint32_t s : f.blocks[b].successors) {
        const uint32_t from = towards ? s : b, to = towards ? b : s;
        if (s < d.size() && d[from] + 1 < d[to]) d[to] = d[from] + 1, changed = true;
      }
  }
  return d;
}

/// Does the result decide whether its innermost loop goes on? That loop is the shortest way round: a branch
/// that depends on the result leaves it.
bool decides_loop(const Function& f, uint32_t at) {
  const uint32_t home = f.block_of[at];
  if (!f.blocks[home].in_loop || f.code[at].operands.empty()) return false;
  const std::set<Place> places = flow(f, at, false);
  const std::vector<uint32_t> away = distances(f, home, false), back = distances(f, home, true);
  uint32_t round = far;
  for (uint32_t s : f.blocks[home].successors) round = std::min(round, back[s] + 1);
  const auto on_it = [&](uint32_t b) { return b == home || away[b] + back[b] == round; };
  for (uint32_t i = 0; i < f.code.size(); ++i) {
    const Instruction& b = f.code[i];
    if (b.meaning.op != Op::bra || b.guard < 0 || !places.count(reg(uint64_t(b.guard)))) continue;
    const uint32_t block = f.block_of[i];
    if (!on_it(block)) continue;
    for (uint32_t s : f.blocks[block].successors)
      if (!on_it(s)) return true;
  }
  return false;
}

/// Special registers that change while a thread runs.
bool is_clock(std::string_view name) {
  return name.find("clock") != name.npos || name.find("timer") != name.npos;
}

/// Calls `with(register)` for each register of an operand.
template <class F>
void each_register(const Operand& o, const F& with) {
  if (o.kind == OperandKind::reg || (o.kind == OperandKind::address && o.base_is_reg)) with(o.value);
  for (const Operand& i : o.items) each_register(i, with);
}

bool is_swap(const Instruction& i) { return i.meaning.op == Op::atom && i.meaning.change == Change::cas; }

/// Is a value that a load gave handed to a compare-and-swap that is called? (Unoptimised code calls it.)
bool passed_to_swap(const Function& f, const std::set<Place>& places) {
  return std::any_of(f.code.begin(), f.code.end(), [&](const Instruction& i) {
    if (i.meaning.op != Op::call) return false;
    const auto swaps = [](const Operand& o) {
      return o.name.find("atomicCAS") != o.name.npos || o.name.find("compare_and_swap") != o.name.npos;
    };
    if (std::none_of(i.operands.begin(), i.operands.end(), swaps)) return false;
    return std::any_of(i.operands.begin(), i.operands.end(),
                       [&](const Operand& o) { return in_listed(places, o); });
  });
}

}  // namespace

Scope scope_of(const Instruction& i) {
  switch (i.meaning.scope) {
    case ptx::Scope::cta:
      return Scope::block;
    case ptx::Scope::cluster:
      return Scope::cluster;
    default:
      return Scope::device;
  }
}

bool has_fences(const Function& f) {
  return std::any_of(f.code.begin(), f.code.end(), [](const Instruction& i) {
    return i.meaning.fences() || i.meaning.acquires() || i.meaning.releases();
  });
}

namespace {
/// More than one array, or one and something else.
const ptx::Variable several;
}  // namespace

const ptx::Variable* TraitsReader::shared_array(const Function& f, const Operand& o) const {
  const ptx::Variable* v = nullptr;
  if (o.target < 0) return nullptr;
  if (o.symbol == ptx::SymbolKind::variable) v = &module_.variables[size_t(o.target)];
  if (o.symbol == ptx::SymbolKind::local) v = &f.locals[size_t(o.target)];
  return v && v->space == ptx::Space::shared && !v->is_extern && v->bytes ? v : nullptr;
}

void TraitsReader::open(const Function& f) {
  function_ = &f;
  swaps_ = std::any_of(f.code.begin(), f.code.end(),
                       [](const Instruction& i) { return is_swap(i) || i.meaning.op == Op::call; });
  read_.assign(f.registers.size(), false);
  used_.assign(f.registers.size(), false);
  set_in_loop_.assign(f.registers.size(), false);
  constants_.assign(f.registers.size(), nullptr);
  std::vector<bool> written(f.registers.size(), false);
  for (const Instruction& i : f.code) {
    const bool in_loop = f.blocks[f.block_of[size_t(&i - f.code.data())]].in_loop;
    if (i.guard >= 0) read_[size_t(i.guard)] = true;
    const bool writes = i.meaning.written;
    for (size_t k = 0; k < i.operands.size(); ++k) {
      const Operand& o = i.operands[k];
      if (k > 0 || !writes || o.kind != OperandKind::reg)
        each_register(o, [&](uint64_t r) {
          read_[r] = true;
          if (i.meaning.op != Op::setp) used_[r] = true;
        });
      if (k > 0 || !writes || o.kind == OperandKind::address) continue;
      const bool moves = i.meaning.op == Op::mov && i.operands[1].kind == OperandKind::imm;
      const bool special = i.meaning.op == Op::mov && i.operands[1].kind == OperandKind::special &&
                           !is_clock(i.operands[1].name);
      each_register(o, [&](uint64_t r) {
        constants_[r] = moves && !written[r] ? &i.operands[1].value : nullptr;
        if (in_loop && !special && (!moves || written[r])) set_in_loop_[r] = true;
        written[r] = true;
      });
    }
  }
  find_arrays(f);
}

const uint64_t* TraitsReader::constant(const Operand& o) const {
  if (o.kind == OperandKind::imm) return &o.value;
  return o.kind == OperandKind::reg ? constants_[o.value] : nullptr;
}

bool TraitsReader::result_used(const Instruction& i) const {
  const Operand& d = i.operands.at(0);
  return d.kind == OperandKind::reg && read_[d.value];
}

bool TraitsReader::same_each_round(const Operand& o) const {
  return o.kind == OperandKind::imm || (o.kind == OperandKind::reg && !set_in_loop_[o.value]);
}

/// Which static array of shared memory each register points into.
void TraitsReader::find_arrays(const Function& f) {
  arrays_.assign(f.registers.size(), nullptr);
  const auto of = [&](const Operand& o) -> const ptx::Variable* {
    if (o.kind == OperandKind::reg) return arrays_[o.value];
    return o.kind == OperandKind::symbol ? shared_array(f, o) : nullptr;
  };
  if (std::none_of(f.code.begin(), f.code.end(), [&](const Instruction& i) {
        return std::any_of(i.operands.begin(), i.operands.end(), [&](const Operand& o) {
          return o.kind == OperandKind::symbol && shared_array(f, o);
        });
      }))
    return;
  std::vector<uint8_t> defined(f.registers.size(), 0);  // 1: points into no array
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& i : f.code) {
      if (i.operands.size() < 2 || i.operands[0].kind != OperandKind::reg) continue;
      const Meaning& m = i.meaning;
      const uint64_t to = i.operands[0].value;
      if (!m.written) continue;
      const ptx::Variable* from = nullptr;
      if (!m.is({Op::ld, Op::atom}))
        for (size_t k = 1; k < i.operands.size(); ++k)
          if (const ptx::Variable* v = of(i.operands[k])) from = from && from != v ? &several : v;
      // A register with several definitions points into an array only if all of them do.
      if (from) {
        const ptx::Variable* now = defined[to] || (arrays_[to] && arrays_[to] != from) ? &several : from;
        changed |= arrays_[to] != now;
        arrays_[to] = now;
      }
    }
    if (changed) continue;
    for (const Instruction& i : f.code) {
      if (i.operands.size() < 2 || i.operands[0].kind != OperandKind::reg) continue;
      const uint64_t to = i.operands[0].value;
      if (!arrays_[to] || defined[to]) continue;
      const bool none =
          std::none_of(i.operands.begin() + 1, i.operands.end(), [&](const Operand& o) { return of(o); });
      if (none) defined[to] = 1, arrays_[to] = &several, changed = true;
    }
  }
}

void TraitsReader::set_array(const Function& f, const Instruction& i, AccessTraits& t) const {
  for (const Operand& o : i.operands) {
    if (o.kind != OperandKind::address) continue;
    const ptx::Variable* v = o.base_is_reg ? arrays_[o.value] : shared_array(f, o);
    if (v && v != &several) {
      t.array = v->name;
      t.array_begin = uint32_t(v->offset);
      t.array_end = uint32_t(v->offset + v->bytes);
    }
    return;  // of a copy, the first address is that of its destination
  }
}

AccessTraits TraitsReader::read(uint32_t function, uint32_t at) {
  const Function& f = module_.functions[function];
  AccessTraits t;
  const Instruction& i = f.code[at];
  if (function_ != &f) open(f);
  set_array(f, i, t);
  const Meaning& m = i.meaning;
  t.is_volatile = m.order == Order::is_volatile;
  t.acquires = m.acquires();
  t.scope = scope_of(i);
  const bool loop = f.blocks[f.block_of[at]].in_loop;
  t.releases = m.releases();
  t.strong = m.is({Op::ld, Op::st}) && m.order != Order::weak;
  if (m.op == Op::ld) {
    if (t.strong && loop) t.polls = t.waits = decides_loop(f, at);
    if (!t.strong) {
      const Operand& to = i.operands.at(0);
      t.only_compared = to.kind == OperandKind::reg && read_[to.value] && !used_[to.value];
      if (swaps_) {
        const std::set<Place> places = flow(f, at, true);
        for (const Instruction& a : f.code)
          if (is_swap(a) && a.operands.size() > 2) t.seeds_swap |= holds(places, a.operands[2]);
        t.seeds_swap |= passed_to_swap(f, places);
      }
    }
  } else if (m.changes()) {
    const Operand* b = i.operands.size() > 2 && m.op == Op::atom ? &i.operands[2]
                       : i.operands.size() > 1                   ? &i.operands[1]
                                                                 : nullptr;
    const uint64_t* value = b ? constant(*b) : nullptr;
    const bool zero = value && *value == 0;
    const bool used = m.op == Op::atom && result_used(i);
    t.swaps = m.change == Change::cas;
    if (t.swaps) {
      t.polls = loop;
      t.takes_lock = value != nullptr;
    } else if (m.change == Change::exch) {
      t.sets = !used;
      t.polls = used && loop && decides_loop(f, at);
      t.takes_lock = t.polls && value && !zero;
    } else {
      t.polls = zero && loop && used;
      t.counts = !zero;
    }
    // Done again with the same operand, these change nothing: a lost comparison, a minimum, a bit that is
    // set.
    const bool idempotent = t.swaps || m.change == Change::min || m.change == Change::max ||
                            m.change == Change::and_ || m.change == Change::or_;
    t.waits = (t.polls && (!t.swaps || t.takes_lock)) ||
              (idempotent && used && loop && b && same_each_round(*b) && decides_loop(f, at));
  }
  const bool shared = m.space == Space::shared || m.space == Space::none;
  t.keeps_order = shared && (m.op == Op::ld ? t.strong : m.op == Op::atom && result_used(i));
  return t;
}

}  // namespace dojo::simt

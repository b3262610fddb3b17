#include "ptx/instructions/meaning.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

#include "ptx/module.hpp"

namespace dojo::ptx {
namespace {

/// Effect, and the one more that a row may have.
enum class RowEffect : uint8_t { none, result, load, store, atomic, reduction, by_form };

struct Known {
  std::string_view name;
  Group group = Group::other;
  RowEffect effect = RowEffect::result;
  std::string_view words = {};
};

/// "and_" is the operation and.
constexpr std::string_view plain(std::string_view name) {
  return name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}
constexpr std::string_view words_in(const char* words) {
  return words ? std::string_view(words) : std::string_view();
}

constexpr std::array<Known, operations + 1> all_known = {{
    {"", Group::other, RowEffect::result, {}},
#define PTX_INSTRUCTION(operation, group, effect, words) \
  {plain(#operation), Group::group, RowEffect::effect, words_in(words)},
#include "ptx/instructions/list.def"
}};

const Known& known(Op op) { return all_known[size_t(op)]; }

bool carries(const Instruction& i, std::string_view word) {
  return std::find(i.parts.begin() + 1, i.parts.end(), word) != i.parts.end();
}
bool second_is(const Instruction& i, std::initializer_list<std::string_view> any) {
  return i.parts.size() > 1 && std::find(any.begin(), any.end(), i.parts[1]) != any.end();
}

/// What a row leaves to the form: the rest of the opcode.
Effect effect_by_form(Op op, const Instruction& i) {
  switch (op) {
    case Op::bar:
    case Op::barrier:
      return carries(i, "red") ? Effect::result : Effect::none;
    case Op::wmma:
      return second_is(i, {"load"}) ? Effect::load : second_is(i, {"store"}) ? Effect::store : Effect::result;
    case Op::mbarrier:
      return second_is(i, {"arrive", "arrive_drop", "test_wait", "try_wait", "pending_count"})
                 ? Effect::result
                 : Effect::none;
    case Op::cp:
      if (carries(i, "bulk")) return carries(i, "global") ? Effect::bulk : Effect::none;
      return carries(i, "async") && (carries(i, "ca") || carries(i, "cg")) ? Effect::copy : Effect::none;
    default:
      return Effect::result;
  }
}

Effect effect_of(Op op, const Instruction& i) {
  switch (known(op).effect) {
    case RowEffect::none:
      return Effect::none;
    case RowEffect::result:
      return Effect::result;
    case RowEffect::load:
      return Effect::load;
    case RowEffect::store:
      return Effect::store;
    case RowEffect::atomic:
      return Effect::atomic;
    case RowEffect::reduction:
      return Effect::reduction;
    case RowEffect::by_form:
      break;
  }
  return effect_by_form(op, i);
}

/// What a word of an opcode says, whatever the operation.
struct Word {
  std::string_view word;
  void (*says)(Meaning&);
};

constexpr Word space_words[] = {
    {"shared", [](Meaning& m) { m.space = Space::shared; }},
    {"shared::cta", [](Meaning& m) { m.space = Space::shared; }},
    {"shared::cluster", [](Meaning& m) { m.space = Space::shared, m.of_cluster = true; }},
    {"global", [](Meaning& m) { m.space = Space::global; }},
    {"local", [](Meaning& m) { m.space = Space::local; }},
    {"const", [](Meaning& m) { m.space = Space::constant; }},
    {"param", [](Meaning& m) { m.space = Space::param; }},
    {"param::entry", [](Meaning& m) { m.space = Space::param; }},
    {"param::func", [](Meaning& m) { m.space = Space::param; }},
};

constexpr Word order_words[] = {
    {"volatile", [](Meaning& m) { m.order = Order::is_volatile; }},
    {"relaxed", [](Meaning& m) { m.order = Order::relaxed; }},
    {"mmio", [](Meaning& m) { m.order = Order::relaxed; }},
    {"acquire", [](Meaning& m) { m.order = Order::acquire; }},
    {"release", [](Meaning& m) { m.order = Order::release; }},
    {"acq_rel", [](Meaning& m) { m.order = Order::acq_rel; }},
    {"sc", [](Meaning& m) { m.order = Order::sc; }},
    {"warp", [](Meaning& m) { m.scope = Scope::warp; }},
    {"cta", [](Meaning& m) { m.scope = Scope::cta; }},
    {"cluster", [](Meaning& m) { m.scope = Scope::cluster; }},
    {"gpu", [](Meaning& m) { m.scope = Scope::gpu; }},
    {"gl", [](Meaning& m) { m.scope = Scope::gpu; }},
    {"sys", [](Meaning& m) { m.scope = Scope::sys; }},
};

constexpr Word change_words[] = {
    {"add", [](Meaning& m) { m.change = Change::add; }},
    {"min", [](Meaning& m) { m.change = Change::min; }},
    {"max", [](Meaning& m) { m.change = Change::max; }},
    {"inc", [](Meaning& m) { m.change = Change::inc; }},
    {"dec", [](Meaning& m) { m.change = Change::dec; }},
    {"and", [](Meaning& m) { m.change = Change::and_; }},
    {"or", [](Meaning& m) { m.change = Change::or_; }},
    {"xor", [](Meaning& m) { m.change = Change::xor_; }},
    {"exch", [](Meaning& m) { m.change = Change::exch; }},
    {"cas", [](Meaning& m) { m.change = Change::cas; }},
};

constexpr Word side_words[] = {
    {"arrive", [](Meaning& m) { m.side = Side::arrive; }},
    {"launch_dependents", [](Meaning& m) { m.side = Side::arrive; }},
    {"wait", [](Meaning& m) { m.side = Side::wait; }},
};

void take(std::span<const Word> words, std::string_view part, Meaning& m) {
  for (const Word& w : words)
    if (w.word == part) w.says(m);
}

/// Bytes per lane: elements of the opcode's type, registers of a matrix, or what a copy's operand says.
uint8_t width_of(const Meaning& m, const Instruction& i) {
  const int element = std::max(8, bits(m.type)) / 8;
  const int vector = carries(i, "v8")                       ? 8
                     : carries(i, "v4") || carries(i, "x4") ? 4
                     : carries(i, "v2") || carries(i, "x2") ? 2
                                                            : 1;
  if (m.effect == Effect::copy) {
    for (const Operand& o : i.operands)
      if (o.kind == OperandKind::imm && (o.value == 4 || o.value == 8 || o.value == 16))
        return uint8_t(o.value);
    return 4;
  }
  if (m.is({Op::ldmatrix, Op::stmatrix})) return uint8_t(4 * vector);
  if (m.op == Op::wmma) {
    size_t registers = 1;
    for (const Operand& o : i.operands)
      if (o.kind == OperandKind::list) registers = std::max(registers, o.items.size());
    return uint8_t(std::min<size_t>(4 * registers, 16));
  }
  return uint8_t(std::min(vector * element, 32));
}

uint8_t written_by(const Meaning& m, const Instruction& i) {
  if (i.operands.empty()) return 0;
  switch (m.effect) {
    case Effect::result:
    case Effect::load:
    case Effect::atomic:
      return m.barrier() || i.operands[0].kind != OperandKind::address ? 1 : 0;
    default:
      return 0;
  }
}

}  // namespace

Meaning meaning_of(const Instruction& i) {
  Meaning m;
  if (i.parts.empty()) return m;
  m.op = operation(i.parts[0]);
  m.effect = effect_of(m.op, i);
  const bool has_sides = m.is({Op::bar, Op::barrier, Op::griddepcontrol});
  const bool has_space = m.accesses() || m.is({Op::cvta, Op::isspacep});
  for (size_t k = 1; k < i.parts.size(); ++k) {
    const std::string_view part = i.parts[k];
    if (const Type t = type_from(part); t != Type::none) m.type = t;
    take(order_words, part, m);
    if (has_space) take(space_words, part, m);
    if (m.changes()) take(change_words, part, m);
    if (has_sides) take(side_words, part, m);
  }
  if (m.effect == Effect::copy || m.textures()) m.space = Space::global;
  if (m.effect == Effect::bulk)
    m.space = i.parts.size() > 3 && i.parts[3] == "global" ? Space::global : Space::shared;
  if (m.accesses()) m.width = width_of(m, i);
  m.written = written_by(m, i);
  return m;
}

Op operation(std::string_view word) {
  static const auto by_word = [] {
    std::unordered_map<std::string_view, Op> all;
    for (size_t k = 1; k < all_known.size(); ++k) all.emplace(all_known[k].name, Op(k));
    return all;
  }();
  const auto it = by_word.find(word);
  return it == by_word.end() ? Op::other : it->second;
}

std::string_view name_of(Op op) { return known(op).name; }
Group group_of(Op op) { return known(op).group; }
std::string_view words_of(Op op) { return known(op).words; }

}  // namespace dojo::ptx

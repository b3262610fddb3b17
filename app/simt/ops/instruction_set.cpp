#include "simt/ops/instruction_set.hpp"

#include <string_view>

#include "simt/checks/unset_registers.hpp"
#include "simt/ops/control.hpp"
#include "simt/ops/emitters.hpp"
#include "simt/ops/host_calls.hpp"
#include "simt/ops/ops.hpp"

namespace dojo::simt {

using ptx::Type;

namespace {

uint32_t class_of(Type t) {
  switch (t) {
    case Type::none:
      return c_none;
    case Type::pred:
      return c_pred;
    case Type::b8:
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::b128:
      return c_bits;
    case Type::u8:
    case Type::u16:
    case Type::u32:
    case Type::u64:
    case Type::s8:
    case Type::s16:
    case Type::s32:
    case Type::s64:
    case Type::u16x2:
    case Type::s16x2:
      return c_int;
    case Type::f32:
      return c_f32;
    case Type::f64:
      return c_f64;
    default:
      return c_half;
  }
}

const Family* find_family(const ptx::Instruction& ins) {
  static const std::multimap<std::string, const Family*, std::less<>> table = [] {
    std::multimap<std::string, const Family*, std::less<>> t;
    for (auto families :
         {integer_families(), division_families(), bit_families(),     stack_families(),   packed_families(),
          float_families(),   approx_families(),   half_families(),    convert_families(), compare_families(),
          move_families(),    memory_families(),   atomic_families(),  warp_families(),    barrier_families(),
          control_families(), tensor_families(),   async_families(),   cluster_families(), fence_families(),
          texture_families(), surface_families(),  mbarrier_families()})
      for (const Family& f : families) t.emplace(f.base, &f);
    return t;
  }();
  if (ins.parts.empty()) return nullptr;
  Type last = Type::none;
  for (const std::string& part : ins.parts)
    if (Type t = ptx::type_from(part); t != Type::none) last = t;
  auto [first, end] = table.equal_range(ins.parts[0]);
  for (auto it = first; it != end; ++it)
    if (it->second->classes & class_of(last)) return it->second;
  return nullptr;
}

const Family* find_alone(const ptx::Instruction& ins) {
  const Family* family = find_family(ins);
  return family && family->base == std::string_view("mapa") ? &mapa_alone() : family;
}

}  // namespace

const InstructionSet& instruction_set() {
  static const InstructionSet set = {
      .find = find_family,
      .enter_device = enter_device,
      .enter_host = enter_host,
      .enter_nothing = enter_nothing,
      .run_guarded = run_guarded,
      .run_guard_branch = run_guard_branch,
      .run_end = run_end,
      .run_fall_off = run_fall_off,
      .run_unsupported = run_unsupported,
      .check_set = check_set,
      .special = decode_special,
      .local_address = decode_local_address,
      .dynamic_shared = decode_dynamic_shared,
      .param_address = decode_param_address,
      .param_to_stack = decode_param_to_stack,
      .resize = decode_resize,
      .not_pred = decode_not_pred,
  };
  return set;
}

std::shared_ptr<const Program> decode(std::shared_ptr<const ptx::Module> m, const SymbolTable& symbols,
                                      bool alone) {
  static const InstructionSet set_alone = [] {
    InstructionSet set = instruction_set();
    set.find = find_alone;
    return set;
  }();
  return std::make_shared<Program>(std::move(m), symbols, alone ? set_alone : instruction_set());
}

}  // namespace dojo::simt

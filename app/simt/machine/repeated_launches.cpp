#include "simt/machine/repeated_launches.hpp"

#include <algorithm>

namespace dojo::simt {
namespace {

constexpr size_t most_launches = 16;  ///< remembered per kernel

/// A special register whose value a second launch finds changed.
bool differs_per_launch(const ptx::Operand& o) {
  if (o.kind == ptx::OperandKind::special)
    return o.name.starts_with("%clock") || o.name.starts_with("%globaltimer") || o.name == "%gridid";
  return std::any_of(o.items.begin(), o.items.end(), differs_per_launch);
}

bool is_report(const std::string& name) { return name == "vprintf" || name == "__assertfail"; }

/// A function that is called, or a list with one.
template <class Test>
bool any_function(const ptx::Operand& o, const Test& test) {
  return (o.symbol == ptx::SymbolKind::function && test(o.name)) ||
         std::any_of(o.items.begin(), o.items.end(),
                     [&](const ptx::Operand& i) { return any_function(i, test); });
}

}  // namespace

RepeatedLaunches::Kind RepeatedLaunches::kind_of(const Grid& g) {
  Kind kind;
  for (const Code* c : g.codes)
    for (const ptx::Instruction& i : c->fn->code) {
      const ptx::Meaning& m = i.meaning;
      // Surfaces, bulk copies and functions of the device's runtime write without noting where.
      if (m.op == ptx::Op::sust || m.effect == ptx::Effect::bulk) kind.noted = false;
      if (m.op == ptx::Op::call) {
        bool known = false;
        for (const ptx::Operand& o : i.operands)
          known |= any_function(o, [&](const std::string& name) {
            kind.follows &= !is_report(name);
            return is_report(name) || std::any_of(g.codes.begin(), g.codes.end(),
                                                  [&](const Code* f) { return f->fn->name == name; });
          });
        kind.noted &= known;
      }
      if (m.textures() || (m.changes() && !m.own_shared())) kind.follows = false;
      kind.follows &= std::none_of(i.operands.begin(), i.operands.end(), differs_per_launch);
    }
  kind.follows &= kind.noted;
  return kind;
}

uint64_t RepeatedLaunches::version(const Region* r) const {
  const auto at = changed_.find(r);
  return at == changed_.end() ? all_ : std::max(all_, at->second);
}

const RepeatedLaunches::Counts* RepeatedLaunches::find(const Grid& g) const {
  const auto of_kernel = launches_.find(g.code->fn);
  if (of_kernel == launches_.end()) return nullptr;
  const LaunchSpec& spec = g.node->spec;
  if (spec.cooperative || g.cluster.count() > 1) return nullptr;
  for (const Launch& l : of_kernel->second) {
    if (l.grid != g.grid || l.block != g.block || l.dynamic_smem != spec.dynamic_smem ||
        l.params != spec.params)
      continue;
    const bool unchanged = std::all_of(l.regions.begin(), l.regions.end(), [&](const auto& r) {
      return !r.first->freed && version(r.first) == r.second;
    });
    if (unchanged) return &l.counts;
  }
  return nullptr;
}

void RepeatedLaunches::ran(const Grid& g, std::span<const TouchedRegion> touched, uint64_t since, bool alone,
                           Counts counts) {
  const auto [known, fresh] = kinds_.try_emplace(g.code->fn);
  if (fresh) known->second = kind_of(g);
  if (!known->second.noted) {
    all_ = ++changes_;
    return;
  }
  const LaunchSpec& spec = g.node->spec;
  bool again = known->second.follows && alone && !spec.cooperative && g.cluster.count() <= 1;
  for (const TouchedRegion& t : touched)
    // Host code changes what it shares with kernels unseen.
    again &= !(t.read && t.written) && !t.on_both && version(t.region) <= since;
  for (const TouchedRegion& t : touched)
    if (t.written) changed(*t.region);
  if (!again) return;
  std::vector<Launch>& all = launches_[g.code->fn];
  std::erase_if(all, [&](const Launch& l) {
    return l.grid == g.grid && l.block == g.block && l.dynamic_smem == spec.dynamic_smem &&
           l.params == spec.params;
  });
  if (all.size() == most_launches) all.erase(all.begin());
  Launch l{g.grid, g.block, spec.dynamic_smem, spec.params, {}, counts};
  for (const TouchedRegion& t : touched) l.regions.emplace_back(t.region, version(t.region));
  all.push_back(std::move(l));
}

}  // namespace dojo::simt

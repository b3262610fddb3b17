// What slow motion shows of the step it stands at: its words, accesses, registers, notes, and the ribbon of
// all steps.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "gui/model/slow_motion.hpp"

namespace dojo::gui {

using Trace = StepTrace;

bool has_conflict(const Trace& t, const Trace::Step& s) {
  for (uint32_t k = 0; k < s.access_count; ++k) {
    const auto& a = t.accesses[s.access - 1 + k];
    if (a.space == Trace::Space::shared && a.wavefronts > a.fewest_wavefronts) return true;
  }
  return false;
}

bool has_waste(const Trace& t, const Trace::Step& s) {
  for (uint32_t k = 0; k < s.access_count; ++k) {
    const auto& a = t.accesses[s.access - 1 + k];
    if (a.space != Trace::Space::global || std::popcount(a.mask) < 2) continue;
    if (sector_view(t, a).used_share <= 0.5) return true;
  }
  return false;
}

std::string SlowMotion::heading() const {
  const Trace::Step* now = step();
  if (!now) return {};
  if (const auto& all = warps(); now->warp < all.size() && all[now->warp].done)
    return fmt::format("Warp {}: done", now->warp);
  return fmt::format("Warp {}: {} of 32 lanes active", now->warp, std::popcount(now->mask));
}

std::string SlowMotion::caption() const {
  const auto* now = step();
  if (!now) return {};
  if (const auto all = notes(); !all.empty()) return all.front()->text;
  const std::string where =
      line() > 0 ? fmt::format("Line {}, warp {}: ", line(), now->warp) : fmt::format("Warp {}: ", now->warp);
  const int active = std::popcount(now->mask);
  const Trace::Access* costliest = nullptr;
  for (auto* a : accesses())
    if (a->space == Trace::Space::shared || a->space == Trace::Space::global) costliest = a;
  if (costliest) {
    const auto& a = *costliest;
    const char* what = a.atomic ? "atomic" : a.store ? "store" : "load";
    if (a.space == Trace::Space::shared) {
      const BankView v = bank_view(*trace_, a);
      return where + fmt::format("the shared {} takes {} wavefront{}; {}.", what, a.wavefronts,
                                 a.wavefronts == 1 ? "" : "s",
                                 v.conflict() ? fmt::format("without bank conflicts, {}", a.fewest_wavefronts)
                                              : "no bank conflict");
    }
    const SectorView v = sector_view(*trace_, a);
    return where + fmt::format("the global {} moves {} sector{} and uses {:.0f} % of their bytes.", what,
                               v.sectors.size(), v.sectors.size() == 1 ? "" : "s", 100 * v.used_share);
  }
  if (now->flags & Trace::at_barrier) return where + "waits at the barrier.";
  return where + fmt::format("{} of 32 lanes work.", active);
}

std::vector<const Trace::Access*> SlowMotion::accesses() const {
  std::vector<const Trace::Access*> out;
  if (order_.empty()) return out;
  std::set<const Trace::Access*> found;  // with a finding: worse than any cost
  for (size_t i = stop_first_; i <= at_; ++i) {
    const auto& s = trace_->steps[order_[i]];
    const bool noted = std::any_of(trace_->notes.begin(), trace_->notes.end(),
                                   [&](auto& note) { return note.step == order_[i]; });
    for (uint32_t k = 0; k < s.access_count; ++k) {
      out.push_back(&trace_->accesses[s.access - 1 + k]);
      if (noted) found.insert(out.back());
    }
  }
  std::stable_sort(out.begin(), out.end(), [&](auto* a, auto* b) {
    auto cost = [](const Trace::Access& x) {
      return x.space == Trace::Space::shared ? int(x.wavefronts) - int(x.fewest_wavefronts) : int(x.sectors);
    };
    return std::pair(found.count(a), cost(*a)) < std::pair(found.count(b), cost(*b));
  });
  return out;
}

std::vector<SlowMotion::Register> SlowMotion::registers(bool by_variables) const {
  std::vector<Register> out;
  const auto* now = step();
  if (!now) return out;
  auto add = [&](uint32_t id) -> Register& {
    for (auto& r : out)
      if (r.id == id) return r;
    Register r;
    r.id = id;
    r.pinned = pinned.count(id) > 0;
    r.known = known_[now->warp][id];
    for (uint32_t l = 0; l < 32; ++l)
      if (r.known >> l & 1) r.value[l] = values_[now->warp][id * 32 + l];
    out.push_back(r);
    return out.back();
  };
  for (uint32_t id : pinned)
    if (id < trace_->registers.size()) add(id);
  for (size_t i = at_ + 1; i-- > stop_first_;) {
    const auto& c = trace_->code[trace_->steps[order_[i]].code];
    for (uint32_t id : c.writes) add(id).written = true;
    if (out.size() > 40) break;
  }
  for (size_t i = at_ + 1; i-- > stop_first_;) {
    const auto& c = trace_->code[trace_->steps[order_[i]].code];
    for (uint32_t id : c.reads) add(id).read = true;
    if (out.size() > 60) break;
  }
  if (!by_variables) return out;
  // The list runs from the stop's last step backwards: the first of a variable's registers is its newest.
  std::set<std::string> shown;
  std::erase_if(out, [&](const Register& r) {
    const std::string& name = trace_->registers[r.id].variable;
    return !name.empty() && !r.pinned && !shown.insert(name).second;
  });
  std::stable_partition(out.begin(), out.end(),
                        [&](const Register& r) { return !trace_->registers[r.id].variable.empty(); });
  return out;
}

std::vector<const Trace::Note*> SlowMotion::notes() const {
  std::vector<const Trace::Note*> out;
  if (order_.empty()) return out;
  for (auto& n : trace_->notes)
    for (size_t i = stop_first_; i <= at_; ++i)
      if (n.step == order_[i] || (n.step >= order_.size() && order_[i] + 1 == order_.size())) {
        out.push_back(&n);
        break;
      }
  return out;
}

std::vector<uint8_t> SlowMotion::ribbon(int columns) const {
  std::vector<uint8_t> out(size_t(std::max(0, columns)), 0);
  if (out.empty() || order_.empty()) return out;
  std::map<uint32_t, bool> noted;
  for (auto& n : trace_->notes) noted[n.step] = true;
  for (size_t k = 0; k < order_.size(); ++k) {
    const auto& s = trace_->steps[order_[k]];
    uint8_t& m = out[k * out.size() / order_.size()];
    if (has_conflict(*trace_, s)) m |= 1;
    if (has_waste(*trace_, s)) m |= 2;
    if (s.flags & Trace::diverged) m |= 4;
    if (s.flags & Trace::at_barrier) m |= 8;
    if (noted.count(order_[k])) m |= 16;
  }
  return out;
}

}  // namespace dojo::gui

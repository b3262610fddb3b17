#include "core/steps/step_names.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

namespace dojo {
namespace {

/// A value that a line wrote in one lane.
struct Written {
  uint64_t bits = 0;
  int line = 0;
  bool wide = false;
};

/// What was written, by warp and lane, in order.
using History = std::map<std::pair<uint32_t, uint32_t>, std::vector<Written>>;

bool same_value(const Written& a, const Written& b) {
  if (a.wide == b.wide) return a.bits == b.bits;
  const uint64_t wide = a.wide ? a.bits : b.bits, narrow = uint32_t(a.wide ? b.bits : a.bits);
  return wide == narrow || wide == uint64_t(int64_t(int32_t(uint32_t(narrow))));
}

/// Calls `note(register, warp, lane, written)` for all that the trace's steps wrote.
template <class Note>
void each_write(const StepTrace& t, Note note) {
  for (const StepTrace::Step& s : t.steps) {
    const int line = t.code[s.code].line;
    for (uint32_t k = 0; k < s.writes; ++k) {
      const StepTrace::Write& w = t.writes[s.first_write + k];
      for (uint32_t lane = 0; lane < 32; ++lane)
        if (w.mask >> lane & 1)
          note(w.reg, uint32_t(s.warp), lane, Written{value_of(t, w, lane), line, w.words == 2});
    }
  }
}

/// Do the register's values come, in order, among those of the variable, most of them at the same lines? (The
/// optimiser hoists a first value out of its loop.) Where the variable's recording was cut off, what comes
/// after its end is not asked.
bool fits(const History& reg, const History& variable, bool cut_off) {
  size_t found = 0, at_its_line = 0;
  for (const auto& [who, values] : reg) {
    const auto of = variable.find(who);
    if (of == variable.end()) return false;
    size_t next = 0;  // behind the one found last, which may serve again: a copy of it
    bool any = false;
    for (const Written& v : values) {
      size_t k = next - any;
      while (k < of->second.size() && !same_value(of->second[k], v)) ++k;
      if (k == of->second.size()) {
        if (cut_off && any) break;
        return false;
      }
      size_t same_line = k;
      while (same_line < of->second.size() && same_value(of->second[same_line], v) &&
             of->second[same_line].line != v.line)
        ++same_line;
      if (same_line < of->second.size() && same_value(of->second[same_line], v)) k = same_line, ++at_its_line;
      next = k + 1;
      any = true;
      ++found;
    }
  }
  return found && 2 * at_its_line >= found;
}

}  // namespace

void ask_for_same(StepTrace& ask, const StepTrace& recorded) {
  constexpr uint64_t longer = 6, most = 400'000;  // instructions as written for one; kept
  ask.launch = recorded.launch;
  ask.of_kernel = recorded.of_kernel;
  ask.by_index = true;
  ask.wanted = recorded.index;
  ask.most = uint32_t(std::min<uint64_t>(most, longer * (recorded.skip + recorded.most)));
}

void name_registers(StepTrace& to, const StepTrace& as_written) {
  // A variable is told by its name and function: two loops' counters of one name may be one here.
  std::map<std::string, History> variables;
  each_write(as_written, [&](uint32_t reg, uint32_t warp, uint32_t lane, const Written& v) {
    const std::string& name = as_written.registers[reg].variable;
    // What the machine itself provides has its name in any code.
    if (!name.empty() && name.find('.') == name.npos) variables[name][{warp, lane}].push_back(v);
  });
  if (variables.empty()) return;
  std::map<uint32_t, History> registers;
  each_write(to, [&](uint32_t reg, uint32_t warp, uint32_t lane, const Written& v) {
    if (to.registers[reg].variable.empty()) registers[reg][{warp, lane}].push_back(v);
  });
  const bool cut_off = !as_written.ended;
  for (const auto& [reg, history] : registers) {
    const std::string* only = nullptr;
    bool several = false;
    for (const auto& [name, of] : variables)
      if (fits(history, of, cut_off)) several |= only != nullptr, only = &name;
    if (only && !several) to.registers[reg].variable = *only;
  }
}

}  // namespace dojo

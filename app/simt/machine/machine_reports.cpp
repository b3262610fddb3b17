// Findings of one run: each once, and worded by all that the run has shown.
#include <fmt/format.h>

#include "simt/checks/race_advice.hpp"
#include "simt/machine/machine_core.hpp"

namespace dojo::simt {

namespace {

std::string place_text(const SourceLoc& at) { return fmt::format("|{}:{}", at.file, at.line); }

/// The two lines of a race.
std::pair<std::string, std::string> lines_of(const Diagnostic& d) {
  return {place_text(d.where), place_text(d.related.empty() ? d.where : d.related.back().where)};
}

/// Advice for lanes of one warp becomes that for threads of a block.
void widen(std::string& message) {
  if (message.ends_with(loop_separation)) return;
  if (const size_t n = message.rfind(warp_separation); n != message.npos)
    message.replace(n, warp_separation.size(), block_separation);
}

}  // namespace

Machine::Report* Machine::keep(Exec& x, Diagnostic d) {
  if (x.block && x.block->steps) x.block->steps->found(x, d);
  if (attempt_) give_up_attempt();
  std::string key = to_string(d.kind) + place_text(d.where);
  for (const Related& r : d.related) key += place_text(r.where);
  constexpr size_t most = 200;
  if (!reported_.insert(key).second || reported_.size() > most) return nullptr;
  return &reports_.emplace_back(Report{std::move(d), {}, 0, false});
}

void Machine::report(Exec& x, Diagnostic d) {
  if (const Report* kept = keep(x, std::move(d)); kept && !first_) first_ = kept->diagnostic;
}

void Machine::report_race(Exec& x, Diagnostic d, uint64_t key) {
  const auto& lines = lines_of_[key] = lines_of(d);
  if (d.message.ends_with(block_separation) || d.message.ends_with(loop_order))
    wide_.insert({lines.first, lines.second});
  report(x, std::move(d));
}

void Machine::across_warps(uint64_t key) {
  const auto at = lines_of_.find(key);
  if (at == lines_of_.end()) return;
  wide_.insert({at->second.first, at->second.second});
  lines_of_.erase(at);  // said once
}

bool Machine::is_wide(const Diagnostic& d) const {
  const auto [one, other] = lines_of(d);
  return d.kind == FindingKind::race && (wide_.count(one) || wide_.count(other));
}

/// Findings that share a line are one race: lines 5 and 6 across warps, lines 6 and 7 within one.
void Machine::join_races() {
  for (size_t before = 0; before != wide_.size();) {
    before = wide_.size();
    for (const Report& r : reports_)
      if (const auto [one, other] = lines_of(r.diagnostic); is_wide(r.diagnostic)) wide_.insert({one, other});
  }
}

void Machine::report_level(Exec& x, Diagnostic d, uint32_t store, std::string message) {
  Report* kept = keep(x, std::move(d));
  if (!kept) return;
  kept->level_message = std::move(message);
  kept->level_store = store;
}

void Machine::report_early_peer(Exec& x, Diagnostic d) {
  if (Report* kept = keep(x, std::move(d))) kept->early_peer = true;
}

void Machine::drop_early_peers() {
  std::unordered_set<std::string> lines;
  for (const Report& r : reports_)
    if (const auto [one, other] = lines_of(r.diagnostic);
        !r.early_peer && r.diagnostic.kind == FindingKind::race)
      lines.insert({one, other});
  std::erase_if(reports_, [&](const Report& r) {
    return r.early_peer && lines.count(place_text(r.diagnostic.where)) > 0;
  });
}

bool Machine::note_level(uint32_t store, uint64_t value, uint64_t word, uint64_t writer) {
  const auto [at, first] = levels_.try_emplace(store, Level{value, word, writer});
  Level& level = at->second;
  if (first) return true;
  level.one_value &= level.value == value;
  level.several |= level.word != word || level.writer != writer;
  return level.one_value;
}

void Machine::hand_over_reports() {
  join_races();
  drop_early_peers();
  for (Report& r : reports_) {
    if (!r.level_message.empty()) {
      const Level& level = levels_[r.level_store];
      if (level.one_value && level.several) {
        r.diagnostic.severity = Severity::warning;
        r.diagnostic.message = std::move(r.level_message);
      }
    }
    if (is_wide(r.diagnostic)) widen(r.diagnostic.message);
    if (config_.finding) config_.finding(std::move(r.diagnostic));
  }
  reports_.clear(), lines_of_.clear(), wide_.clear();
}

void Machine::give_up_attempt() {
  dirty_ = true;
  throw RunStopped(Status::finding, {});  // the launch is run again, in order
}

bool Machine::wanted(uint64_t key) {
  if (attempt_) give_up_attempt();
  constexpr uint64_t enough = 100'000;
  if (++events_ > enough && first_ && config_.stop_when_hopeless) {
    // Wrong nearly everywhere: what follows would only take time.
    flush_printed(printed_);
    Diagnostic why = *first_;
    // In the words of its report: else the same race would be told twice, with two advices.
    join_races();
    if (is_wide(why)) widen(why.message);
    throw RunStopped(Status::finding, std::move(why));
  }
  return keys_.insert(key).second;
}

bool Machine::wanted_quietly(uint64_t key) {
  if (attempt_) give_up_attempt();
  return keys_.insert(key).second;
}

}  // namespace dojo::simt

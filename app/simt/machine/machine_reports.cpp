// Findings of one run: each once, and worded by all that the run has shown.
#include <fmt/format.h>

#include "simt/checks/race_advice.hpp"
#include "simt/machine/machine_core.hpp"

namespace dojo::simt {

namespace {

std::string place_text(const SourceLoc& at) { return fmt::format("|{}:{}", at.file, at.line); }

/// The two lines of a race, whichever of them met the other.
std::string pair_key(const Diagnostic& d) {
  std::string one = place_text(d.where), other = d.related.empty() ? one : place_text(d.related.back().where);
  if (other < one) std::swap(one, other);
  return one + other;
}

/// Advice for lanes of one warp becomes that for threads of a block.
void widen(std::string& message) {
  if (const size_t n = message.rfind(warp_separation); n != message.npos)
    message.replace(n, warp_separation.size(), block_separation);
}

}  // namespace

Machine::Report* Machine::keep(Exec& x, Diagnostic d) {
  if (x.block && x.block->steps) x.block->steps->found(x, d);
  if (attempt_) give_up_attempt();
  std::string key = d.kind + place_text(d.where);
  for (const Related& r : d.related) key += place_text(r.where);
  constexpr size_t most = 200;
  if (!reported_.insert(key).second || reported_.size() > most) return nullptr;
  return &reports_.emplace_back(Report{std::move(d), {}, 0});
}

void Machine::report(Exec& x, Diagnostic d) {
  if (const Report* kept = keep(x, std::move(d)); kept && !first_) first_ = kept->diagnostic;
}

void Machine::report_race(Exec& x, Diagnostic d, uint64_t key) {
  pair_of_[key] = pair_key(d);
  if (d.message.find(block_separation) != d.message.npos) wide_.insert(pair_of_[key]);
  report(x, std::move(d));
}

void Machine::across_warps(uint64_t key) {
  const auto at = pair_of_.find(key);
  if (at == pair_of_.end()) return;
  wide_.insert(std::move(at->second));
  pair_of_.erase(at);  // said once
}

void Machine::report_level(Exec& x, Diagnostic d, uint32_t store, std::string message) {
  Report* kept = keep(x, std::move(d));
  if (!kept) return;
  kept->level_message = std::move(message);
  kept->level_store = store;
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
  for (Report& r : reports_) {
    if (!r.level_message.empty()) {
      const Level& level = levels_[r.level_store];
      if (level.one_value && level.several) {
        r.diagnostic.severity = Severity::warning;
        r.diagnostic.message = std::move(r.level_message);
      }
    }
    if (wide_.count(pair_key(r.diagnostic))) widen(r.diagnostic.message);
    if (config_.finding) config_.finding(std::move(r.diagnostic));
  }
  reports_.clear(), pair_of_.clear(), wide_.clear();
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
    if (wide_.count(pair_key(why))) widen(why.message);
    throw RunStopped(Status::finding, std::move(why));
  }
  return keys_.insert(key).second;
}

bool Machine::wanted_quietly(uint64_t key) {
  if (attempt_) give_up_attempt();
  return keys_.insert(key).second;
}

}  // namespace dojo::simt

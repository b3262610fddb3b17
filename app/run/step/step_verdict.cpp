// A student's file and what is said of it: the small check size, gates, known mistakes.
#include <algorithm>
#include <chrono>
#include <limits>

#include "core/error.hpp"
#include "core/gates/gate_parse.hpp"
#include "core/paths.hpp"
#include "core/text/numbers.hpp"
#include "core/text/source_words.hpp"
#include "run/reference_cache.hpp"
#include "run/step/step_runner.hpp"
#include "run/student/originals.hpp"
#include "run/verdict/default_bounds.hpp"
#include "run/verdict/hoisted_loads.hpp"
#include "run/verdict/mistakes.hpp"
#include "run/verdict/seen_at.hpp"
#include "run/verdict/shown.hpp"

namespace dojo::run {

RunReport StepRunner::once_as_meant(const fs::path& file, const Config& c) {
  RunReport r = once(file, c, false);
  if (r.status != Status::finding || !r.check.checked || device_info_.kind != DeviceKind::simt ||
      !may_be_hoisted(r.diagnostics))
    return r;
  // The small size is quick, and shows most mistakes. Only this size can acquit.
  if (!step_.check_size.empty() && has_errors(once(file, small_config(c), true).diagnostics)) return r;
  const RunReport as_written = once(file, c, true);
  const bool to_the_end = worse(as_written.status, Status::wrong) == Status::wrong;
  if (!to_the_end || has_errors(as_written.diagnostics)) return r;
  drop_errors(r.diagnostics);
  r.status = r.check.wrong > 0 || r.inputs_changed ? Status::wrong : Status::pass;
  return r;
}

RunReport StepRunner::judged(const fs::path& file, const Config& c) {
  Config first = c;
  first.twice = request_.gates && step_.check_size.empty();
  RunReport r = once_as_meant(file, first);
  if (!request_.gates) return r;
  check_small(file, r, c);
  const std::string source = text_of(file);
  judge(r, c, &r, &source, [&](const Config& g) { return once_as_meant(file, g); });
  return r;
}

void StepRunner::note_size(RunReport& r, const Config& c) const {
  const auto volume = [](const Size& size) {
    double product = 1;
    for (const auto& [name, extent] : size) product *= double(extent);
    return product;
  };
  const bool larger = c.size.size() == step_.size.size() && volume(c.size) > volume(step_.size);
  if (r.status != Status::timeout || device_info_.kind != DeviceKind::simt || !larger) return;
  Diagnostic d;
  d.severity = Severity::note;
  d.kind = FindingKind::size;
  d.message = "Size " + size_argument(c.size) +
              (c.size == step_.gpu_size ? " is for a real GPU; on a modelled one the step's own is "
                                        : " is larger than the step's own on a modelled GPU, ") +
              size_argument(step_.size) + ". Run a smaller size, or give the run longer than " +
              number(request_.time_limit_s) + " s: in the terminal with --time-limit.";
  r.diagnostics.push_back(std::move(d));
}

RunReport StepRunner::student(const Config& c) {
  const bool own = request_.student_file.empty();
  RunReport r = judged(own ? catalog_.student_file(step_) : fs::path(request_.student_file), c);
  note_size(r, c);
  if (own) name_mistake(r, c);
  return r;
}

std::optional<RunReport> StepRunner::judged_once(const fs::path& file, const Config& c, bool may_run) {
  const std::string key = cache_key(catalog_, step_, text_of(file), report_device(device_info_), c.size,
                                    c.seed, c.lines, c.blocks) +
                          "-judged-" + std::to_string(request_.gate_draw);
  if (auto known = cache_load(key)) return std::move(known->runs[0]);
  if (!may_run) return std::nullopt;
  RunReport r = judged(file, c);
  cache_store(key, r);
  return r;
}

void StepRunner::name_mistake(RunReport& r, const Config& c) {
  if (!request_.gates || r.status == Status::pass || device_info_.kind != DeviceKind::simt) return;
  const auto started = std::chrono::steady_clock::now();
  // The student waits: what doesn't fit in a moment is made after the next save. After an endless loop
  // the student has waited long enough.
  const auto may_run = [&] {
    return r.status != Status::timeout &&
           std::chrono::steady_clock::now() - started <= std::chrono::milliseconds(1000);
  };
  for (const StoredMistake& m : stored_mistakes(catalog_, step_)) {
    if (!read_file(m.file)) continue;
    const auto known = judged_once(m.file, c, may_run());
    if (!known && r.status != Status::timeout) return;
    if (!known) continue;
    const std::string own = text_of(catalog_.student_file(step_)), stored = text_of(m.file);
    const Failure failed{r, own}, mistake{*known, stored};
    if (!same_failure(failed, mistake)) continue;
    const auto delivered = original_text(catalog_, step_, data_folder());
    std::optional<RunReport> starter;
    if (delivered) {
      if (*delivered == own) return;  // nothing was changed
      const fs::path file = "untouched " + step_.file;
      texts_[file] = *delivered;
      starter = judged_once(file, c, may_run());
      if (!starter && r.status != Status::timeout) return;
    }
    std::optional<Failure> untouched;
    if (starter) untouched.emplace(Failure{*starter, *delivered});
    if (!shows_mistake(failed, mistake, untouched)) continue;
    Diagnostic d;
    d.severity = Severity::note;
    d.kind = FindingKind::mistake;
    d.message = m.words;
    r.diagnostics.push_back(std::move(d));
    return;
  }
}

Config StepRunner::small_config(const Config& c) const {
  Config small;
  small.device = device_info_.kind == DeviceKind::simt ? c.device : step_.device;
  small.size = step_.check_size;
  small.seed = c.seed;
  return small;
}

namespace {

/// The report shows the wrong elements of another run, and says of which.
void take_check(RunReport& r, const RunReport& other, const std::string& where) {
  r.check = other.check;
  r.check.tolerance_note += (r.check.tolerance_note.empty() ? "" : "; ") + where;
}

}  // namespace

void StepRunner::check_small(const fs::path& file, RunReport& r, const Config& c) {
  if (step_.check_size.empty() || r.status == Status::compile_error ||
      worse(r.status, Status::finding) == r.status)
    return;
  Config small = small_config(c);
  small.twice = true;
  const Status before = r.status;
  check_at(file, r, small);
  small.twice = false;
  for (const Size& also : step_.also_check) {
    if (r.status != before) return;
    small.size = also;
    check_at(file, r, small);
  }
}

void StepRunner::check_at(const fs::path& file, RunReport& r, const Config& small) {
  RunReport s = once(file, small, true);
  if (worse(r.status, s.status) == r.status) return;
  r.status = s.status;
  for (auto& d : s.diagnostics) {
    d.message += seen_at(small.size);
    r.diagnostics.push_back(std::move(d));
  }
  if (s.check.wrong > 0) take_check(r, s, "checked at " + size_argument(small.size));
}

namespace {

/// Gates may ask for wrong results, at a place where a right solution can't have others
/// (DeviceModel::alone).
constexpr const char* right_quantity = "right";

bool asks_for_results(const GateDef& def) {
  return gates::names(def.expr, gates::Node::name, right_quantity);
}

/// Did it come to its end, with right results? Findings beside them change nothing.
bool right(const RunReport& r) { return r.check.checked && r.check.wrong == 0 && !r.inputs_changed; }

}  // namespace

Config StepRunner::where_judged(const gates::Place& place, uint64_t seed) const {
  const gates::Spot spot = gates::spot(place, request_.gate_draw);
  Config g;
  g.device = spot.device.empty() ? step_.device : spot.device;
  g.size = step_.gate_size;
  for (const auto& [extent, value] : spot.size) g.size[extent] = value;
  g.seed = seed;
  return g;
}

void StepRunner::judge(RunReport& r, const Config& c, const RunReport* self, const std::string* source,
                       const std::function<RunReport(const Config&)>& again) {
  if (step_.gates.empty() || worse(r.status, Status::wrong) == r.status) return;  // no verdict on a wrong run
  std::map<std::string, RunReport> others;
  auto run_at = [&](const Config& g) -> const RunReport& {
    if (g.device == c.device && g.size == c.size) return self ? *self : r;
    const std::string key = g.device + "|" + size_argument(g.size);
    auto it = others.find(key);
    if (it == others.end()) it = others.emplace(key, again(g)).first;
    return it->second;
  };
  std::vector<GateReport> gates;
  for (const GateDef& def : step_.gates) {
    const gates::Place place = gates::parse_gate(def.expr).place;
    const Config g = where_judged(place, c.seed);
    const bool secret = place.drawn() && request_.gate_draw;
    const RunReport& judged = run_at(g);
    if (!asks_for_results(def) && worse(judged.status, Status::wrong) == judged.status) {
      const std::string where =
          (secret ? std::string("at a hidden place") : "at " + size_argument(g.size) + " on " + g.device) +
          ", where the gates are judged";
      r.status = judged.status;
      r.at_hidden_place = secret;
      take_check(r, judged, "checked " + where);
      for (Diagnostic d : judged.diagnostics) {
        d.message += " (seen " + where + ")";
        r.diagnostics.push_back(std::move(d));
      }
      return;
    }
    if (!source && !gates::named(def.expr, gates::Node::source).empty())
      continue;  // a handout's reference has no text
    GateReport gate = judge_one(def, g, judged, source);
    gate.at_hidden_place = secret;
    if (place.drawn() && !secret)
      gate.words += (gate.words.empty() ? "Judged at " : " Judged at ") + size_argument(g.size) + " on " +
                    g.device + ".";
    if (!gate.pass && !request_.every_gate && estimated(judged) && reference_misses(def, g)) {
      Diagnostic d;
      d.severity = Severity::note;
      d.kind = FindingKind::not_judged;
      d.message = def.expr + " is not judged. " + (def.words.empty() ? "" : def.words + " ") +
                  "Without ptxas the machine code is estimated, and by the estimate the reference misses "
                  "this bound, too. Install the CUDA Toolkit to have it judged.";
      r.diagnostics.push_back(std::move(d));
      continue;
    }
    gates.push_back(std::move(gate));
  }
  for (GateReport& gate : gates) {
    if (!gate.pass) r.status = worse(r.status, Status::gate_failed);
    r.gates.push_back(std::move(gate));
  }
}

void StepRunner::judge_bounds(RunReport& r, const Config& c) {
  if (!request_.gates || !request_.default_bounds || !correct(r) || !has_reference(step_)) return;
  // A GPU is not kept busy with a reference that was not asked for.
  if (device_info_.kind != DeviceKind::simt && request_.who != Who::both) return;
  for (GateReport& broken : broken_bounds(step_, r, reference(step_, c))) {
    if (said_by_a_gate(broken, r)) continue;
    r.status = worse(r.status, Status::gate_failed);
    r.gates.push_back(std::move(broken));
  }
}

bool StepRunner::reference_misses(const GateDef& def, const Config& g) {
  if (!has_reference(step_)) return false;
  const std::string key = def.expr + "|" + g.device + "|" + size_argument(g.size);
  if (const auto known = missed_.find(key); known != missed_.end()) return known->second;
  const auto& source = reference_source();
  bool misses = false;
  if (source || gates::named(def.expr, gates::Node::source).empty()) {
    const RunReport& run = reference(step_, g);
    misses = estimated(run) && !judge_one(def, g, run, source ? &*source : nullptr).pass;
  }
  return missed_[key] = misses;
}

const std::optional<std::string>& StepRunner::reference_source() {
  if (!reference_source_) reference_source_ = read_file(catalog_.reference_file(step_));
  return *reference_source_;
}

GateReport StepRunner::judge_one(const GateDef& def, const Config& g, const RunReport& run,
                                 const std::string* source) {
  GateContext context;
  context.run = &run;
  context.quantities = quantities(step_, g.size, g.seed);
  context.quantities[right_quantity] = right(run);
  for (const std::string& word : gates::named(def.expr, gates::Node::source))
    context.quantities[gates::source_quantity(word)] = count_word(*source, word);
  context.reference = [&](const std::string& name) -> const RunReport& {
    const Step* s = name == "self" ? &step_ : name == "previous" ? catalog_.previous(step_) : nullptr;
    if (!s && name == "previous") throw Error(step_.id() + " has no step before it");
    if (!s) s = &catalog_.find_reference(name.find('/') == std::string::npos ? step_.lab + "/" + name : name);
    Config rc = g;
    if (s->lab != step_.lab || s->gate_size.size() != g.size.size()) rc.size = s->gate_size;
    return reference(*s, rc);
  };
  try {
    return evaluate(def, context);
  } catch (const Error& e) {
    if (e.exit == 130) throw;
    GateReport gate;
    gate.name = def.expr;
    gate.words = e.what() + (def.words.empty() ? "" : " " + def.words);
    gate.value = gate.bound = std::numeric_limits<double>::quiet_NaN();
    return gate;
  }
}

}  // namespace dojo::run

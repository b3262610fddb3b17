#include "run/runner.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/error.hpp"
#include "core/gate_parse.hpp"
#include "core/problem.hpp"
#include "core/source_words.hpp"
#include "run/execute.hpp"
#include "run/library_run.hpp"
#include "run/list_code.hpp"
#include "run/own_program.hpp"
#include "run/problem_plugin.hpp"
#include "run/recording.hpp"
#include "run/reference_cache.hpp"
#include "run/verdict/default_bounds.hpp"
#include "run/verdict/mistakes.hpp"
#include "simt/device/executed.hpp"

namespace dojo::run {
namespace {

constexpr uintmax_t largest_source = 4 << 20;

/// The step's default with the wanted extents in their places. A lone number has the name "".
Size resolve_size(const Step& step, const Size& defaults, const Size& wanted) {
  Size size = defaults;
  for (const auto& [name, value] : wanted) {
    std::string key = name;
    if (key.empty()) {
      if (defaults.size() == 1)
        key = defaults.begin()->first;
      else if (defaults.count("n"))
        key = "n";
      else
        throw Error(step.id() + " has several extents: give its size as " + size_argument(defaults));
    }
    if (!size.count(key))
      throw Error(step.id() + " has no extent '" + key + "'; its size looks like " + size_argument(defaults));
    if (value < 0) throw Error("a size can't be negative: " + key + "=" + std::to_string(value));
    size[key] = value;
  }
  // A guard for all problems; each has limits of its own.
  double product = 1;
  for (const auto& [k, v] : size) {
    if (v > (int64_t(1) << 31))
      throw Error("size " + k + "=" + std::to_string(v) + " is too large (at most 2147483648)");
    product *= double(std::max<int64_t>(v, 1));
  }
  if (size.size() < 3 && product > 0x1p33) throw Error("size " + size_argument(size) + " is too large");
  return size;
}

/// Do gates of the lab look at opcodes? Its runs then keep them, those of references that other steps compare
/// with included.
bool uses_ptx(const Lab& lab) {
  for (const Step& s : lab.steps)
    for (const GateDef& g : s.gates)
      if (!gates::named(g.expr, gates::Node::ptx).empty()) return true;
  return false;
}

/// One configuration in which a step runs.
struct Config {
  std::string device;
  Size size;
  uint64_t seed = 1;
  bool lines = false, blocks = false;
};

class Runner {
 public:
  Runner(const Catalog& catalog, const RunRequest& request, const RunHooks& hooks)
      : catalog_(catalog), request_(request), hooks_(hooks), step_(catalog.find(request.step)) {}

  Report run() {
    Config c;
    c.device = request_.device.empty() ? step_.device : request_.device;
    if (c.device.starts_with("rec:")) return replayed(c.device);
    c.seed = request_.seed;
    c.lines = request_.lines;
    c.blocks = request_.blocks;
    auto device = open_device(c.device);
    const bool gpu = device->info().kind == DeviceKind::cuda;
    c.size = resolve_size(step_, gpu ? step_.gpu_size : step_.size, request_.size);
    device_info_ = device->info();
    device.reset();

    Report report;
    report.step = step_.id();
    report.seed = c.seed;
    report.size = c.size;
    report.device = report_device(device_info_);
    // The student's run comes first: it is what the person at the keyboard waits for.
    if (request_.who != Who::reference) report.runs.push_back(student(c));
    if (gpu && !report.runs.empty() && report.runs.front().status == Status::timeout) {
      // A kernel that never ends keeps the GPU until this process is gone: whatever came next would wait for
      // it.
      Diagnostic d;
      d.severity = Severity::note;
      d.kind = "not_run";
      d.message = "The reference was not run: the GPU is busy with the kernel above until its process ends.";
      if (request_.who == Who::both) report.runs.front().diagnostics.push_back(std::move(d));
      return report;
    }
    if (request_.who == Who::reference || (request_.who == Who::both && has_reference(step_))) {
      RunReport r = reference(step_, c);
      const auto source = read_file(catalog_.reference_file(step_));
      if (request_.gates)
        judge(r, c, nullptr, source ? &*source : nullptr,
              [&](const Config& g) { return reference(step_, g); });
      report.runs.push_back(std::move(r));
    }
    if (request_.who == Who::both && request_.gates && report.runs.size() == 2)
      for (GateReport& broken : broken_bounds(step_, report.runs[0], report.runs[1])) {
        report.runs[0].status = worse(report.runs[0].status, Status::gate_failed);
        report.runs[0].gates.push_back(std::move(broken));
      }
    if (gpu && request_.who != Who::student && request_.timing)
      for (RunReport& r : library_runs(c.device, step_, problem_of(catalog_.lab_of(step_)),
                                       instance(step_, c.size, c.seed), c.size))
        report.runs.push_back(std::move(r));
    // Predictions and briefs name the problem's quantities, also when the run came out of the cache.
    report.quantities = quantities(step_, c.size, c.seed);
    return report;
  }

  Report traced(StepTrace& out) {
    const TraceAsk& ask = request_.trace;
    Config c;
    c.device = request_.device.starts_with("simt:") ? request_.device : step_.device;
    if (!c.device.starts_with("simt:"))
      throw Error("only the SIMT machine can run a block instruction by instruction");
    c.seed = request_.seed;
    const bool small = ask.small && !step_.check_size.empty();
    c.size = small ? step_.check_size : resolve_size(step_, step_.size, request_.size);
    auto device = open_device(c.device);
    Report report;
    report.step = step_.id();
    report.seed = c.seed;
    report.size = c.size;
    report.device = report_device(device->info());
    const bool reference = request_.who == Who::reference;
    fs::path file = reference                       ? catalog_.reference_file(step_)
                    : request_.student_file.empty() ? catalog_.student_file(step_)
                                                    : fs::path(request_.student_file);
    std::error_code ec;
    const bool is_ptx = reference && !fs::exists(file, ec) && fs::exists(reference_ptx(step_), ec);
    if (is_ptx) file = reference_ptx(step_);
    const std::string source = source_of(file);
    Job j = job(step_, c, reference ? "reference" : "student");
    j.shown_file = shown(file);
    j.source = source;
    j.is_ptx = is_ptx;
    j.debug = small || ask.as_written;
    j.steps = std::make_shared<StepTrace>();
    set_trace(*j.steps, ask);
    RunReport r = execute(j, *device, hooks_);
    if (!j.steps->reached && r.status == Status::pass)
      throw Error("the run has no block " +
                  (ask.by_index ? std::to_string(ask.index.x) + "," + std::to_string(ask.index.y) + "," +
                                      std::to_string(ask.index.z)
                                : std::to_string(ask.block)) +
                  " in launch " + std::to_string(ask.launch) +
                  (ask.kernel.empty() ? "" : " of " + ask.kernel) + "; it made " +
                  std::to_string(r.launches.size()) + (r.launches.size() == 1 ? " launch" : " launches"));
    out = std::move(*j.steps);
    // A deadlock is found when nobody runs any more: it belongs to where the recording stands.
    for (auto& d : r.diagnostics)
      if (d.kind == "deadlock" && d.block && *d.block == out.index)
        out.notes.push_back({uint32_t(out.steps.empty() ? 0 : out.steps.size() - 1), d.where.line, 0,
                             out.executed, d.kind, d.message});
    r.launches.clear();
    report.runs.push_back(std::move(r));
    return report;
  }

  CodeListing listed() {
    std::string name = request_.device.empty() ? step_.device : request_.device;
    if (name.starts_with("rec:")) name = step_.device;  // a recording compiles nothing
    const bool reference = request_.who == Who::reference;
    const bool given = !reference && request_.student_source.has_value();
    fs::path file = reference                       ? catalog_.reference_file(step_)
                    : request_.student_file.empty() ? catalog_.student_file(step_)
                                                    : fs::path(request_.student_file);
    std::error_code ec;
    const bool counts = request_.code_counts && name.starts_with("simt:");
    Config c;
    c.device = name;
    c.seed = request_.seed;
    c.size = counts ? resolve_size(step_, step_.size, request_.size) : step_.size;
    c.lines = true;
    Job j;
    if (counts) j = job(step_, c, "");
    j.step = &step_;
    j.who = reference ? "reference" : "student";
    j.timing = false;
    if (reference && !fs::exists(file, ec) && fs::exists(reference_ptx(step_), ec)) {
      file = reference_ptx(step_);
      j.is_ptx = true;
    }
    j.shown_file = shown(file);
    j.source = given ? *request_.student_source : source_of(file);
    if (hooks_.progress) hooks_.progress({j.who, "compile", 0});
    auto device = open_device(name);
    CodeListing code = list_compiled(compile_job(j, device->info()), j.shown_file, device->info());
    if (code.functions.empty() || !request_.code_counts) return code;
    const simt::ExecutedInstructions* executed = simt::executed_instructions(*device);
    if (!executed) {
      code.not_ran = "only the SIMT machine counts instructions one by one";
      return code;
    }
    const RunReport r = execute(j, *device, hooks_);
    add_counts(*executed, code);
    if (!code.ran)
      code.not_ran = r.diagnostics.empty() ? "the run launched no kernel" : r.diagnostics.front().message;
    return code;
  }

 private:
  Report replayed(const std::string& device) {
    const Recording recording = load_recording(recording_path(device));
    Report r = replay(device, recording, step_.id(),
                      request_.size.empty() ? Size{} : resolve_size(step_, step_.size, request_.size));
    if (request_.who == Who::student)
      std::erase_if(r.runs, [](const RunReport& x) { return x.who != "student"; });
    if (request_.who == Who::reference)
      std::erase_if(r.runs, [](const RunReport& x) { return x.who == "student"; });
    if (r.runs.empty())
      throw Error("the recording has no such run of " + step_.id() + "; a recording can't run your file");
    for (auto& x : r.runs)
      for (auto& l : x.launches) {
        if (!request_.lines) l.lines.clear();
        if (!request_.blocks) l.blocks.clear();
      }
    return r;
  }

  fs::path reference_ptx(const Step& s) const {
    fs::path p = catalog_.reference_file(s);
    return p.replace_extension(".ptx");
  }
  bool has_reference(const Step& s) const {
    std::error_code ec;
    return fs::exists(catalog_.reference_file(s), ec) || fs::exists(reference_ptx(s), ec);
  }
  std::string shown(const fs::path& p) const {
    const fs::path relative = fs::absolute(p).lexically_normal().lexically_relative(catalog_.root);
    return relative.empty() || relative.string().starts_with("..") ? p.string() : relative.string();
  }

  std::string source_of(const fs::path& p) const {
    std::error_code ec;
    if (!fs::exists(p, ec))
      throw Error("there is no file " + shown(p) +
                  (p == catalog_.student_file(step_)
                       ? "; `warpdojo reset " + step_.id() + "` puts it back as it was"
                       : ""));
    if (!fs::is_regular_file(p, ec)) throw Error(shown(p) + " is not a file");
    if (fs::file_size(p, ec) > largest_source) throw Error(shown(p) + " is larger than 4 MiB");
    auto text = read_file(p);
    if (!text) throw Error("cannot read " + shown(p));
    return *text;
  }

  static std::string instance_key(const Step& s, const Size& size, uint64_t seed) {
    return s.id() + "|" + size_argument(size) + "|" + std::to_string(seed);
  }

  const Instance& instance(const Step& s, const Size& size, uint64_t seed) {
    const std::string key = instance_key(s, size, seed);
    auto it = instances_.find(key);
    if (it != instances_.end()) return it->second;
    if (hooks_.progress) hooks_.progress({"", "inputs", 0});
    if (cancelled(hooks_)) throw_cancelled();
    try {
      Instance made = problem_of(catalog_.lab_of(s)).make(s, size, seed);
      for (const auto& [k, v] : size) made.quantities.emplace(k, double(v));
      for (const auto& [k, v] : s.params) made.quantities.emplace(k, v);
      made.quantities["ideal_bytes"] = made.ideal_bytes;
      made.quantities["flops"] = made.flops;
      quantities_.emplace(key, made.quantities);
      if (instances_.size() > 3)
        instances_.clear();  // inputs may be large: keep what a step and its gates need
      return instances_.emplace(key, std::move(made)).first->second;
    } catch (const std::bad_alloc&) {
      throw Error("size " + size_argument(size) + " is too large for this machine's memory");
    } catch (const std::length_error&) {
      throw Error("size " + size_argument(size) + " is too large for this machine's memory");
    }
  }

  /// Of the problem instance. Where a run came out of the cache, so do they: no inputs are made for them.
  const std::map<std::string, double>& quantities(const Step& s, const Size& size, uint64_t seed) {
    const auto it = quantities_.find(instance_key(s, size, seed));
    return it != quantities_.end() ? it->second : instance(s, size, seed).quantities;
  }

  Job job(const Step& s, const Config& c, std::string who) {
    Job j;
    j.step = &s;
    j.problem = &problem_of(catalog_.lab_of(s));
    j.instance = &instance(s, c.size, c.seed);
    j.who = std::move(who);
    j.lines = c.lines;
    j.blocks = c.blocks;
    j.time_limit_s = request_.time_limit_s;
    j.threads = request_.threads;
    j.timing = request_.timing;
    j.apart = request_.apart;
    j.max_warp_instructions = request_.max_warp_instructions;
    j.opcodes = uses_ptx(catalog_.lab_of(s));
    return j;
  }

  /// The request carries the file's text, since the child can't read it.
  bool is_given(const fs::path& file) const {
    return request_.student_source && file == fs::path(request_.student_file);
  }
  std::string text_of(const fs::path& file) const {
    if (!is_given(file)) return source_of(file);
    if (request_.student_source->size() > largest_source)
      throw Error(file.string() + " is larger than 4 MiB");
    return *request_.student_source;
  }

  RunReport once(const fs::path& file, const Config& c, bool debug) {
    const std::string source = text_of(file);
    Job j = job(step_, c, "student");
    j.shown_file = is_given(file) ? file.string() : shown(file);
    j.source = source;
    j.debug = debug;
    auto device = open_device(c.device);
    return execute(j, *device, hooks_);
  }

  /// A file in the student's place, with all that leads to its verdict.
  RunReport judged(const fs::path& file, const Config& c) {
    RunReport r = once(file, c, false);
    if (!request_.gates) return r;
    check_small(file, r, c);
    const std::string source = text_of(file);
    judge(r, c, &r, &source, [&](const Config& g) { return once(file, g, false); });
    return r;
  }

  RunReport student(const Config& c) {
    const bool own = request_.student_file.empty();
    RunReport r = judged(own ? catalog_.student_file(step_) : fs::path(request_.student_file), c);
    if (own) name_mistake(r, c);
    return r;
  }

  /// Adds a note when a stored wrong version of the step fails in the same way.
  void name_mistake(RunReport& r, const Config& c) {
    if (!request_.gates || r.status == Status::pass || device_info_.kind != DeviceKind::simt) return;
    const auto started = std::chrono::steady_clock::now();
    for (const StoredMistake& m : stored_mistakes(catalog_, step_)) {
      const auto source = read_file(m.file);
      if (!source) continue;
      const std::string key = cache_key(catalog_, step_, *source, report_device(device_info_), c.size, c.seed,
                                        c.lines, c.blocks) +
                              "-judged";
      auto known = cache_load(key);
      if (!known) {
        // The student waits: what doesn't fit in a moment is made after the next save.
        if (std::chrono::steady_clock::now() - started > std::chrono::milliseconds(1000)) return;
        known.emplace().runs.push_back(judged(m.file, c));
        cache_store(key, known->runs[0]);
      }
      if (!same_failure(r, known->runs[0])) continue;
      Diagnostic d;
      d.severity = Severity::note;
      d.kind = "mistake";
      d.message = m.words;
      r.diagnostics.push_back(std::move(d));
      return;
    }
  }

  /// The same file at a small, awkward size, compiled as written: the optimiser hides what it moves.
  void check_small(const fs::path& file, RunReport& r, const Config& c) {
    if (step_.check_size.empty() || r.status == Status::compile_error ||
        worse(r.status, Status::finding) == r.status)
      return;
    Config small;
    small.device = device_info_.kind == DeviceKind::simt ? c.device : step_.device;
    small.size = step_.check_size;
    small.seed = c.seed;
    RunReport s = once(file, small, true);
    if (worse(r.status, s.status) == r.status) return;
    r.status = s.status;
    for (auto& d : s.diagnostics) {
      d.message += " (seen at " + size_argument(small.size) + ", compiled without optimisation)";
      r.diagnostics.push_back(std::move(d));
    }
    if (s.check.wrong > 0) {
      r.check = s.check;
      r.check.tolerance_note +=
          (r.check.tolerance_note.empty() ? "" : "; ") + ("checked at " + size_argument(small.size));
    }
  }

  /// The step's gates, on the devices and sizes that lab.toml names. `self` is the run itself when the gates
  /// may look at it; `again` runs the same file in the configuration of the gates when it is another one.
  template <class Again>
  void judge(RunReport& r, const Config& c, const RunReport* self, const std::string* source, Again again) {
    if (step_.gates.empty() || worse(r.status, Status::wrong) == r.status)
      return;  // no verdict on a wrong run
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
      Config g;
      g.device = place.device.empty() ? step_.device : place.device;
      g.size = step_.gate_size;
      for (const auto& [extent, value] : place.size) g.size[extent] = value;
      g.seed = c.seed;
      const RunReport& judged = run_at(g);
      if (worse(judged.status, Status::wrong) == judged.status) {
        r.status = judged.status;
        r.check = judged.check;
        for (Diagnostic d : judged.diagnostics) {
          d.message +=
              " (seen at " + size_argument(g.size) + " on " + g.device + ", where the gates are judged)";
          r.diagnostics.push_back(std::move(d));
        }
        return;
      }
      if (!source && !gates::named(def.expr, gates::Node::source).empty())
        continue;  // a handout's reference has no text
      gates.push_back(judge_one(def, g, judged, source));
    }
    for (GateReport& gate : gates) {
      if (!gate.pass) r.status = worse(r.status, Status::gate_failed);
      r.gates.push_back(std::move(gate));
    }
  }

  GateReport judge_one(const GateDef& def, const Config& g, const RunReport& run, const std::string* source) {
    GateContext context;
    context.run = &run;
    context.quantities = quantities(step_, g.size, g.seed);
    for (const std::string& word : gates::named(def.expr, gates::Node::source))
      context.quantities[gates::source_quantity(word)] = count_word(*source, word);
    context.reference = [&](const std::string& name) -> const RunReport& {
      const Step* s = name == "self" ? &step_ : name == "previous" ? catalog_.previous(step_) : nullptr;
      if (!s && name == "previous") throw Error(step_.id() + " has no step before it");
      if (!s) s = &catalog_.find(name.find('/') == std::string::npos ? step_.lab + "/" + name : name);
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

  /// A reference's run, without gates: from memory, from the cache folder, or fresh.
  const RunReport& reference(const Step& s, const Config& c) {
    const std::string memo = s.id() + "|" + c.device + "|" + size_argument(c.size) + "|" +
                             std::to_string(c.seed) + "|" + char('0' + c.lines * 2 + c.blocks);
    if (auto it = references_.find(memo); it != references_.end()) return it->second;
    Job j;
    fs::path file = catalog_.reference_file(s);
    std::error_code ec;
    if (!fs::exists(file, ec) && fs::exists(reference_ptx(s), ec)) {
      file = reference_ptx(s);
      j.is_ptx = true;
    }
    const bool is_ptx = j.is_ptx;
    const std::string source = source_of(file);
    auto device = open_device(c.device);
    // A measured time is of its hour; a report without times is no full one, and one of kernels apart is
    // another one.
    const bool cacheable = device->info().kind == DeviceKind::simt && request_.timing && !request_.apart;
    std::string key;
    if (cacheable) {
      key = cache_key(catalog_, s, source, report_device(device->info()), c.size, c.seed, c.lines, c.blocks);
      if (auto known = cache_load(key)) {
        quantities_.emplace(instance_key(s, c.size, c.seed), known->quantities);
        return references_.emplace(memo, std::move(known->runs[0])).first->second;
      }
    }
    j = job(s, c, "reference");
    j.shown_file = shown(file);
    j.source = source;
    j.is_ptx = is_ptx;
    RunReport r = execute(j, *device, hooks_);
    if (cacheable && r.status == Status::pass) cache_store(key, r, j.instance->quantities);
    return references_.emplace(memo, std::move(r)).first->second;
  }

  const Catalog& catalog_;
  const RunRequest& request_;
  const RunHooks& hooks_;
  const Step& step_;
  DeviceInfo device_info_;
  std::map<std::string, Instance> instances_;
  std::map<std::string, std::map<std::string, double>> quantities_;  ///< by instance_key
  std::map<std::string, RunReport> references_;
};

}  // namespace

Report run_step(const Catalog& catalog, const RunRequest& request, const RunHooks& hooks) {
  if (request.program) return run_program(request, hooks);
  return Runner(catalog, request, hooks).run();
}

Report run_trace(const Catalog& catalog, const RunRequest& request, const RunHooks& hooks, StepTrace& out) {
  if (request.program) return trace_program(request, hooks, out);
  return Runner(catalog, request, hooks).traced(out);
}

CodeListing list_code(const Catalog& catalog, const RunRequest& request, const RunHooks& hooks) {
  if (request.program) return list_program(request, hooks);
  return Runner(catalog, request, hooks).listed();
}

}  // namespace dojo::run

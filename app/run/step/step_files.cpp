// Where the texts of a step are, its inputs, and one run of a file.
#include <algorithm>

#include "core/error.hpp"
#include "core/gates/gate_parse.hpp"
#include "run/problem_plugin.hpp"
#include "run/reference_cache.hpp"
#include "run/source_file.hpp"
#include "run/step/step_runner.hpp"

namespace dojo::run {
namespace {

/// Does a gate of the lab meet a condition? Runs of all its steps then keep what the gate needs, since
/// references of one step are compared with in others.
template <class F>
bool some_gate(const Lab& lab, F meets) {
  return std::any_of(lab.steps.begin(), lab.steps.end(), [&](const Step& s) {
    return std::any_of(s.gates.begin(), s.gates.end(), [&](const GateDef& g) { return meets(g.expr); });
  });
}

bool looks_at_opcodes(const std::string& gate) { return !gates::named(gate, gates::Node::ptx).empty(); }

bool looks_at_exchanges(const std::string& gate) {
  return gates::names(gate, gates::Node::name, "shared_exchanged_bytes");
}

}  // namespace

fs::path StepRunner::reference_ptx(const Step& s) const {
  fs::path p = catalog_.reference_file(s);
  return p.replace_extension(".ptx");
}

bool StepRunner::has_reference(const Step& s) const {
  std::error_code ec;
  return fs::exists(catalog_.reference_file(s), ec) || fs::exists(reference_ptx(s), ec);
}

std::string StepRunner::shown(const fs::path& p) const {
  const fs::path relative = fs::absolute(p).lexically_normal().lexically_relative(catalog_.root);
  return relative.empty() || relative.string().starts_with("..") ? p.string() : relative.string();
}

std::string StepRunner::source_of(const fs::path& p) const {
  std::error_code ec;
  if (!fs::exists(p, ec))
    throw Error("there is no file " + shown(p) +
                (p == catalog_.student_file(step_)
                     ? "; `warpdojo reset " + step_.id() + "` puts it back as it was"
                     : ""));
  return read_source(p, shown(p));
}

std::string StepRunner::instance_key(const Step& s, const Size& size, uint64_t seed) {
  return s.id() + "|" + size_argument(size) + "|" + std::to_string(seed);
}

namespace {

/// The step itself, or in `placed` its copy with the params that the size replaces: most sizes replace none.
const Step& with_params_of(const Step& s, const Size& size, Step& placed) {
  if (std::none_of(size.begin(), size.end(), [&](auto& extent) { return s.params.count(extent.first); }))
    return s;
  placed = s;
  for (const auto& [k, v] : size)
    if (const auto it = placed.params.find(k); it != placed.params.end()) it->second = double(v);
  return placed;
}

}  // namespace

const Instance& StepRunner::instance(const Step& s, const Size& size, uint64_t seed) {
  const std::string key = instance_key(s, size, seed);
  auto it = instances_.find(key);
  if (it != instances_.end()) return it->second;
  if (hooks_.progress) hooks_.progress({"", "inputs", 0});
  if (cancelled(hooks_)) throw_cancelled();
  try {
    Step placed;
    Instance made = problem_of(catalog_.lab_of(s)).make(with_params_of(s, size, placed), size, seed);
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

const std::map<std::string, double>& StepRunner::quantities(const Step& s, const Size& size, uint64_t seed) {
  const auto it = quantities_.find(instance_key(s, size, seed));
  return it != quantities_.end() ? it->second : instance(s, size, seed).quantities;
}

Job StepRunner::job(const Step& s, const Config& c, std::string who) {
  Job j;
  j.step = &s;
  j.problem = &problem_of(catalog_.lab_of(s));
  j.instance = &instance(s, c.size, c.seed);
  j.who = std::move(who);
  j.lines = c.lines;
  j.blocks = c.blocks;
  j.twice = c.twice;
  j.other_inputs = [&s, c, problem = j.problem] {
    Step placed;
    return problem->make(with_params_of(s, c.size, placed), c.size, c.seed + 1);
  };
  j.time_limit_s = request_.time_limit_s;
  j.threads = request_.threads;
  j.timing = request_.timing;
  j.apart = request_.apart;
  j.max_warp_instructions = request_.max_warp_instructions;
  j.opcodes = some_gate(catalog_.lab_of(s), looks_at_opcodes);
  j.exchanges = some_gate(catalog_.lab_of(s), looks_at_exchanges);
  return j;
}

bool StepRunner::is_given(const fs::path& file) const {
  return request_.student_source && file == fs::path(request_.student_file);
}

std::string StepRunner::text_of(const fs::path& file) const {
  if (const auto text = texts_.find(file); text != texts_.end()) return text->second;
  if (!is_given(file)) return source_of(file);
  if (request_.student_source->size() > largest_source) throw Error(file.string() + " is larger than 4 MiB");
  return *request_.student_source;
}

RunReport StepRunner::once(const fs::path& file, const Config& c, bool debug) {
  const std::string source = text_of(file);
  Job j = job(step_, c, "student");
  j.shown_file = is_given(file) ? file.string() : shown(file);
  j.source = source;
  j.debug = debug;
  auto device = open_device(c.device);
  return execute(j, *device, hooks_);
}

}  // namespace dojo::run

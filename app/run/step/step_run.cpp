// A step from its request to its report.
#include <algorithm>

#include "core/error.hpp"
#include "run/library_run.hpp"
#include "run/problem_plugin.hpp"
#include "run/recordings/recording.hpp"
#include "run/reference_cache.hpp"
#include "run/step/step_runner.hpp"

namespace dojo::run {

namespace {
constexpr int oldest_target = 75;  ///< of the compilers of CUDA 13: compute capability 7.5
}

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

void refuse_old_device(const Catalog& catalog, const Step& step, const DeviceInfo& device) {
  const size_t digits = step.arch.find_first_of("0123456789");
  const int needs = digits == std::string::npos ? 0 : std::atoi(step.arch.c_str() + digits);
  // What needs no more than the compilers' oldest target is compiled for that one, for older devices too.
  if (needs <= oldest_target || device.cc_major * 10 + device.cc_minor >= needs) return;
  const auto short_name = [](std::string title) {
    for (const std::string maker : {"NVIDIA ", "GeForce "})
      if (title.starts_with(maker)) title.erase(0, maker.size());
    const bool family = title.starts_with("RTX");  // the number is the name's second word
    return title.substr(0, title.find(' ', family ? 4 : 0));
  };
  std::string examples;
  for (const DeviceFamily& family : device_families())
    if (family.scheme == "simt")
      for (const DeviceInfo& d : family.list(nullptr))
        if (d.name.find("toy") == std::string::npos && d.cc_major * 10 + d.cc_minor >= needs)
          examples += (examples.empty() ? "" : ", ") + short_name(d.title);
  const auto& row = catalog.lab_of(step).steps;
  const bool alone =
      std::count_if(row.begin(), row.end(), [&](const Step& s) { return s.number == step.number; }) == 1;
  throw Error((alone ? step.lab + "/" + std::to_string(step.number) : step.id()) +
              " needs a GPU of compute capability " + std::to_string(needs / 10) + "." +
              std::to_string(needs % 10) + (examples.empty() ? "" : " (" + examples + ")") + "; the " +
              short_name(device.title) + " has " + std::to_string(device.cc_major) + "." +
              std::to_string(device.cc_minor) + ". Choose another device.");
}

Report StepRunner::run() {
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
  refuse_old_device(catalog_, step_, device_info_);

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
    d.kind = FindingKind::not_run;
    d.message = "The reference was not run: the GPU is busy with the kernel above until its process ends.";
    if (request_.who == Who::both) report.runs.front().diagnostics.push_back(std::move(d));
    return report;
  }
  if (request_.who == Who::reference || (request_.who == Who::both && has_reference(step_))) {
    RunReport r = reference(step_, c);
    const auto& source = reference_source();
    if (request_.gates)
      judge(r, c, nullptr, source ? &*source : nullptr, [&](const Config& g) { return reference(step_, g); });
    report.runs.push_back(std::move(r));
  }
  if (request_.who != Who::reference) judge_bounds(report.runs.front(), c);
  if (gpu && request_.who != Who::student && request_.timing)
    for (RunReport& r : library_runs(c.device, step_, problem_of(catalog_.lab_of(step_)),
                                     instance(step_, c.size, c.seed), c.size))
      report.runs.push_back(std::move(r));
  // Predictions and briefs name the problem's quantities, also when the run came out of the cache.
  report.quantities = quantities(step_, c.size, c.seed);
  return report;
}

Report StepRunner::replayed(const std::string& device) {
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

const RunReport& StepRunner::reference(const Step& s, const Config& c) {
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

}  // namespace dojo::run

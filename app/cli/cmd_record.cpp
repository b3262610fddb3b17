// record: the references' reports on a device, kept in a file that every other machine can replay.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>

#include "cli/benches/solution_times.hpp"
#include "cli/cli.hpp"
#include "cli/show.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "run/audits/gpu_figures.hpp"
#include "run/bench.hpp"
#include "run/recordings/recording.hpp"
#include "run/recordings/recording_times.hpp"

namespace dojo::cli {
namespace {

/// The size that a GPU takes; with `all` also the machine's own and one between: three points to compare a
/// model with.
std::vector<Size> sizes_to_record(const Step& s, bool all) {
  std::vector<Size> sizes{s.gpu_size};
  if (!all || s.size == s.gpu_size) return sizes;
  Size middle;
  for (const auto& [name, large] : s.gpu_size) {
    const int64_t small = s.size.count(name) ? s.size.at(name) : large;
    int64_t v = std::llround(std::sqrt(double(small) * double(large)));
    // Round numbers between round numbers: tiles that divide both should divide it.
    for (int64_t unit = 1024; unit > 1; unit /= 2)
      if (small % unit == 0 && large % unit == 0 && v > unit) {
        v = v / unit * unit;
        break;
      }
    middle[name] = v;
  }
  sizes.push_back(s.size);
  if (middle != s.size && middle != s.gpu_size) sizes.push_back(middle);
  return sizes;
}

/// One run to record.
struct Item {
  const Step* step;
  Size size;
  bool gates;
};

/// What is asked for and not in the recording yet.
std::vector<Item> items_of(const Catalog& catalog, const RecordOptions& o, const run::Recording& have) {
  std::vector<Item> items;
  for (const Step* step : steps_of(catalog, o.steps)) {
    std::vector<Size> sizes = sizes_to_record(*step, o.all_sizes);
    if (!o.size.empty()) sizes = {parse_size(o.size)};
    for (const Size& size : sizes) {
      const auto same = [&](const Report& r) { return r.step == step->id() && r.size == size; };
      if (std::any_of(have.reports.begin(), have.reports.end(), same)) continue;
      // Gates compare with other steps, which must run for it: once a step is enough.
      items.push_back({step, size, &size == &sizes.front()});
    }
  }
  return items;
}

run::RunRequest request_of(const Item& item, const RecordOptions& o) {
  run::RunRequest r;
  r.step = item.step->id();
  r.who = run::Who::reference;
  r.device = o.device;
  r.size = item.size;
  r.seed = o.seed;
  r.blocks = o.blocks;
  r.lines = true;
  r.gates = item.gates;
  r.time_limit_s = 60;
  return r;
}

}  // namespace

int cmd_record(const RecordOptions& o) {
  if (o.table) {
    fmt::print("{}", run::gpu_table(open_catalog(), run::load_recording(o.out)));
    return 0;
  }
  if (!o.times.empty()) {
    run::RecordedTimes times;
    if (fs::exists(o.times)) times = run::load_times(o.times);
    run::add_times(times, run::load_recording(o.out), o.steps);
    run::save_times(o.times, times);
    return 0;
  }
  if (o.steps.empty()) throw Error("record needs steps: STEP, LAB or all");
  if (o.solutions) return record_solutions(o);
  run::register_devices();
  open_device(o.device);  // wrong names and missing drivers before any work
  const Catalog catalog = open_catalog();
  run::Recording recording;
  if (o.resume && fs::exists(o.out)) recording = run::load_recording(o.out);
  recording.date = run::date_name();
  recording.driver = run::driver_name();
  recording.commit = run::commit_name();
  const std::vector<Item> items = items_of(catalog, o, recording);

  std::vector<std::optional<Report>> made(items.size());
  std::mutex guard;  // of `made`, `status`, the file and the terminal
  std::atomic<size_t> next{0};
  int status = 0;
  auto keep = [&](size_t i, Answer a) {
    const std::lock_guard lock(guard);
    recording.gpu = a.report.device.title;
    if (!status) status = a.exit_status;
    fmt::print("{}  {}  {}\n", pad(a.report.step, 34), pad(run::size_name(a.report.size), 24),
               a.report.runs.empty() ? "-" : time_text(a.report.runs[0].time_us.value));
    std::fflush(stdout);
    made[i] = std::move(a.report);
    run::Recording all = recording;
    for (const auto& r : made)
      if (r) all.reports.push_back(*r);
    run::save_recording(o.out, all);  // at once: an interrupted recording keeps what it has
  };
  auto work = [&] {
    run::WorkerClient client;
    for (size_t i; (i = next++) < items.size();) {
      try {
        keep(i, ask(client, request_of(items[i], o)));
      } catch (const Error& e) {
        const std::lock_guard lock(guard);
        fmt::print(stderr, "warpdojo: {}: {}\n", items[i].step->id(), e.what());
        status = status ? status : e.exit;
        if (e.exit == 130) next = items.size();
      }
    }
  };
  std::vector<std::thread> workers;
  for (int i = 1; i < o.workers; ++i) workers.emplace_back(work);
  work();
  for (auto& t : workers) t.join();
  const size_t count =
      recording.reports.size() +
      size_t(std::count_if(made.begin(), made.end(), [](const auto& r) { return r.has_value(); }));
  if (status == 130) return status;
  if (count == 0) throw Error("nothing was recorded");
  fmt::print("{} report{} in {}\n", count, count == 1 ? "" : "s", o.out);
  return status;
}

}  // namespace dojo::cli

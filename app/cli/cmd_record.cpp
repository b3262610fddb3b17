// record: the references' reports on a device, kept in a file that every other machine can replay.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/cli.hpp"
#include "cli/show.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "run/bench.hpp"
#include "run/gpu_figures.hpp"
#include "run/recording.hpp"

namespace dojo::cli {
namespace {

/// The size that a GPU takes; with `all` also the machine's own and one between: three points to compare a model with.
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

}  // namespace

int cmd_record(const RecordOptions& o) {
  if (o.table) {
    fmt::print("{}", run::gpu_table(open_catalog(), run::load_recording(o.out)));
    return 0;
  }
  if (o.steps.empty()) throw Error("record needs steps: STEP, LAB or all");
  run::register_devices();
  open_device(o.device);  // wrong names and missing drivers before any work
  const Catalog catalog = open_catalog();
  run::WorkerClient client;
  run::Recording recording;
  if (o.resume && fs::exists(o.out)) recording = run::load_recording(o.out);
  recording.date = run::date_name();
  recording.driver = run::driver_name();
  recording.commit = run::commit_name();
  int status = 0;
  for (const Step* step : steps_of(catalog, o.steps)) {
    std::vector<Size> sizes = sizes_to_record(*step, o.all_sizes);
    if (!o.size.empty()) sizes = {parse_size(o.size)};
    for (const Size& size : sizes) {
      const auto has = [&](const Report& r) { return r.step == step->id() && r.size == size; };
      if (o.resume && std::any_of(recording.reports.begin(), recording.reports.end(), has)) continue;
      run::RunRequest r;
      r.step = step->id();
      r.who = run::Who::reference;
      r.device = o.device;
      r.size = size;
      r.seed = o.seed;
      r.blocks = o.blocks;
      r.lines = true;
      r.time_limit_s = 60;
      try {
        Answer a = ask(client, r);
        recording.gpu = a.report.device.title;
        if (!status) status = a.exit_status;
        fmt::print("{}  {}  {}\n", pad(step->id(), 34), pad(plain_size(a.report.size), 24),
                   a.report.runs.empty() ? "-" : time_text(a.report.runs[0].time_us.value));
        std::fflush(stdout);
        std::erase_if(recording.reports, has);
        recording.reports.push_back(std::move(a.report));
        run::save_recording(o.out, recording);  // at once: an interrupted recording keeps what it has
      } catch (const Error& e) {
        if (e.exit == 130) throw;
        fmt::print(stderr, "warpdojo: {}: {}\n", step->id(), e.what());
        status = status ? status : e.exit;
      }
    }
  }
  if (recording.reports.empty()) throw Error("nothing was recorded");
  fmt::print("{} reports in {}\n", recording.reports.size(), o.out);
  return status;
}

}  // namespace dojo::cli

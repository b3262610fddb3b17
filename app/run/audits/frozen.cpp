#include "run/audits/frozen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "run/bench.hpp"
#include "run/recordings/recording.hpp"
#include "run/runner.hpp"

namespace dojo::run {
namespace {

/// What depends on the clock of the machine that runs it, not on the model.
void drop_wall_clock(nlohmann::ordered_json& report) {
  for (auto& run : report["runs"])
    for (const char* field : {"compile_ms", "wall_ms"}) run.erase(field);
}

/// The report of one reference as text that only the model decides. The file runs in the student's place,
/// since reports of references come from a cache.
std::string report_text(const Catalog& catalog, const Report& recorded, const std::string& device,
                        double limit_s) {
  RunRequest request;
  request.step = recorded.step;
  request.student_file = catalog.reference_file(catalog.find(recorded.step)).string();
  request.who = Who::student;
  request.device = device;
  request.size = recorded.size;
  request.lines = request.blocks = true;
  request.gates = false;
  request.time_limit_s = limit_s;
  auto json = nlohmann::ordered_json::parse(to_json(run_step(catalog, request)));
  drop_wall_clock(json);
  return json.dump();
}

double recorded_us(const Report& report) {
  const RunReport* run = reference_run(report);
  return run ? run->time_us.value : 0;
}

Figures frozen(const BenchOptions& o) {
  const Catalog catalog = load_catalog(find_root());
  const Recording recording = load_recording(recording_path("rec:h100"));
  const std::vector<std::string> devices =
      o.device.empty() ? std::vector<std::string>{"simt:h100", "simt:a5000"} : std::vector{o.device};
  const double within_us = o.within_us > 0 ? o.within_us : 200;
  std::string table;
  int runs = 0;
  for (const std::string& device : devices)
    for (const Report& report : recording.reports) {
      if (!o.steps.empty() && std::find(o.steps.begin(), o.steps.end(), report.step) == o.steps.end())
        continue;
      if (const double us = recorded_us(report); us <= 0 || us > within_us) continue;
      std::string text;
      try {
        text = report_text(catalog, report, device, o.time_limit_s);
      } catch (const Error& e) {
        text = e.what();
      }
      const std::string row =
          fmt::format("{:016x} {} {} {}", fingerprint(text), device, report.step, size_argument(report.size));
      if (o.say) o.say(row);
      table += row + "\n";
      ++runs;
    }
  if (o.print) o.print(table);
  return {{"frozen.runs", double(runs)},
          {"frozen.hash", double(fingerprint(table) & ((uint64_t(1) << 48) - 1))}};
}

}  // namespace

void register_frozen_bench() {
  register_bench({"frozen", "a hash per report of every reference, to show that a change kept them", frozen});
}

}  // namespace dojo::run

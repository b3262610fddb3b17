// run, play, explain: one report each.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/cli.hpp"
#include "cli/show.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/text/numbers.hpp"
#include "core/timeline/work_spans.hpp"
#include "run/advice.hpp"
#include "run/own_program.hpp"
#include "run/student/unsaved.hpp"
#include "run/verdict/shown.hpp"

namespace dojo::cli {
namespace {

run::RunRequest whole_request_of(const RunOptions& o) {
  run::RunRequest r = request_of(o);
  r.lines = o.lines;
  r.blocks = o.blocks;
  r.timing = !o.once;
  r.gates = !o.once;
  return r;
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// What the program launched, on standard error: its own text stays alone on standard output.
void print_kernels(const RunReport& r, const ReportDevice& device) {
  fmt::print(stderr, "{}", show_kernels(run::kernel_rows(r), r.time_us.source, device));
}

/// The student's run, else the first that there is.
void write_chrome(const Report& report, const std::string& file) {
  const RunReport* r = student_run(report);
  if (!r && !report.runs.empty()) r = &report.runs.front();
  if (!r || r->timeline.empty())
    throw Error("--chrome: this run copies nothing and uses one stream, so there is no timeline to write");
  if (!(std::ofstream(file) << chrome_trace(*r)))
    throw Error("cannot write " + file + ": is the folder there?");
}

/// The report of `run --json`; each of its runs has its advice, the most important first.
std::string explained(const Report& report) {
  auto j = nlohmann::ordered_json::parse(to_json(report));
  for (size_t i = 0; i < report.runs.size(); ++i) {
    auto all = nlohmann::ordered_json::array();
    for (const auto& a : run::advise(report.runs[i], report.device)) {
      all.push_back({{"kind", a.kind}, {"text", a.text}, {"share_of_time", a.weight}});
      if (!a.lab.empty()) all.back()["lab"] = a.lab;
      if (a.line) all.back()["file"] = a.file, all.back()["line"] = a.line;
    }
    j["runs"][i]["advice"] = std::move(all);
  }
  return j.dump(2) + "\n";
}

}  // namespace

int cmd_run(const RunOptions& asked) {
  const Catalog catalog = open_catalog();
  const Step& step = catalog.find(asked.step);
  RunOptions o = asked;
  // A copy elsewhere is what runs, not the file in the labs' folder.
  if (o.file.empty() && run::names_program(catalog, o.step)) o.file = o.step;
  if (const std::string words =
          o.file.empty() && o.who != run::Who::reference && !run::is_program(step)
              ? run::unsaved_words(catalog, step, data_folder(), "which does not run here")
              : "";
      !words.empty())
    fmt::print(stderr, "warpdojo: {}\n", words);
  run::WorkerClient client;
  const Answer a = ask(client, whole_request_of(o));
  int todo = 0;
  // A recording or another's file says nothing about this student.
  if (const RunReport* s = student_run(a.report);
      s && a.report.device.kind != DeviceKind::recording && o.file.empty())
    todo = count_try(catalog, step, s->status);
  if (!o.chrome.empty()) write_chrome(a.report, o.chrome);
  if (o.json)
    print(to_json(a.report, 2) + "\n");
  else
    print(show_report(a.report, &catalog, &step, catalog.root.string()) +
          (o.timeline ? show_timeline(a.report) : "") +
          (todo ? fmt::format("\nNot started: the TODO is at line {} of {}.\n", todo, step.file) : ""));
  return a.exit_status;
}

int cmd_play(const PlayOptions& o) {
  run::WorkerClient client;
  // With --json, standard output is the report alone.
  const Answer a = ask(client, o.request, o.json ? stderr : stdout);
  if (o.json) {
    print(to_json(a.report, 2) + "\n");
    return a.exit_status;
  }
  std::fflush(stdout);
  for (const auto& r : a.report.runs)
    for (const auto& d : r.diagnostics) {
      const std::string text = show_diagnostic(d, find_root().string());
      std::fwrite(text.data(), 1, text.size(), stderr);
    }
  for (const auto& r : a.report.runs) print_kernels(r, a.report.device);
  return a.exit_status;
}

int cmd_explain(const RunOptions& options) {
  RunOptions o = options;
  o.lines = true;
  Catalog catalog = open_catalog();
  const Step& step = step_or_program(catalog, o.step);
  run::RunRequest request = whole_request_of(o);
  set_program(request, catalog, step);
  run::WorkerClient client;
  const Answer a = ask(client, request);
  if (o.json) {
    print(explained(a.report));
    return a.exit_status;
  }
  for (const auto& r : a.report.runs) {
    const std::string size = size_text(a.report.size);
    print(paint(Ink::bold, fmt::format("{}{} on {}", run_title(step, r), size.empty() ? "" : ", " + size,
                                       a.report.device.name)) +
          "\n");
    const auto all = run::advise(r, a.report.device);
    if (r.time_us.value > 0) {
      const std::string rate = r.bytes > 0 && has_rates(r, a.report.device)
                                   ? fmt::format(", {} of the {} that must move", rate_text(r.gbps),
                                                 r.bytes < 1e4 ? number(r.bytes) + " bytes"
                                                               : fmt::format("{:.2f} MB", r.bytes / 1e6))
                                   : "";
      print(fmt::format("{} {}{}.\n", time_on(a.report.device, r.time_us.value), to_string(r.time_us.source),
                        rate));
    }
    for (const auto& d : r.diagnostics) print(show_diagnostic(d, catalog.root.string()));
    if (all.empty()) print("Nothing ran, so there is nothing to explain.\n");
    for (const auto& advice : all) {
      std::string text = advice.text;
      if (advice.line) text += fmt::format(" Most of it: {}:{}.", advice.file, advice.line);
      if (!advice.lab.empty() && catalog.find_lab(advice.lab) && advice.lab != step.lab)
        text += fmt::format(" The lab '{}' teaches this.", advice.lab);
      print("- " + wrap(text, 100, "  ").substr(2));
    }
  }
  return a.exit_status;
}

}  // namespace dojo::cli

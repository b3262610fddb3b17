#include "cli/benches/solution_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/fingerprint.hpp"
#include "run/audits/solutions.hpp"
#include "run/bench.hpp"

namespace dojo::cli {
namespace {

run::RunRequest request_of(const run::Solution& s, const std::string& device) {
  run::RunRequest r;
  r.step = s.step->id();
  r.who = run::Who::student;
  r.student_file = s.file.string();
  r.student_source = read_or_empty(s.file);
  r.device = device;
  r.size = s.step->gate_size;
  r.gates = false;
  r.default_bounds = false;
  r.threads = 1;  // as many workers as cores
  r.time_limit_s = 60;
  return r;
}

/// The row of a file as it is, without times.
run::SolutionTime row_of(const run::Solution& s) {
  run::SolutionTime t;
  t.file = s.name;
  t.step = s.step->id();
  t.size = size_argument(s.step->gate_size);
  t.print = fingerprint(read_or_empty(s.file));
  return t;
}

bool same_run(const run::SolutionTime& a, const run::SolutionTime& b) {
  return a.file == b.file && a.step == b.step && a.size == b.size && a.print == b.print;
}

const run::SolutionTime* find_run(const std::vector<run::SolutionTime>& times, const run::SolutionTime& t) {
  const auto it = std::find_if(times.begin(), times.end(), [&](const auto& o) { return same_run(o, t); });
  return it == times.end() ? nullptr : &*it;
}

/// Runs each file in a worker, `count` at once, and hands on the reports of those that give right results.
void run_all(const std::vector<run::Solution>& files, const std::string& device, int count,
             const std::function<void(const run::Solution&, const RunReport&, const Report&)>& take) {
  std::atomic<size_t> next{0};
  std::mutex guard;  // of `take` and the terminal
  const auto work = [&] {
    run::WorkerClient client;
    for (size_t i; (i = next++) < files.size();) {
      std::string problem;
      try {
        const Answer a = ask(client, request_of(files[i], device));
        if (a.exit_status == 130) next = files.size();
        const std::lock_guard lock(guard);
        if (!a.report.runs.empty() && a.report.runs[0].status == Status::pass)
          take(files[i], a.report.runs[0], a.report);
        else
          problem = a.report.runs.empty() ? "no run" : to_string(a.report.runs[0].status);
      } catch (const Error& e) {
        problem = e.what();
      }
      if (problem.empty()) continue;
      const std::lock_guard lock(guard);
      fmt::print(stderr, "{}: {}\n", files[i].name, problem);
    }
  };
  std::vector<std::thread> workers;
  for (int i = 1; i < count; ++i) workers.emplace_back(work);
  work();
  for (auto& t : workers) t.join();
}

run::Figures bench_solutions(const run::BenchOptions& o) {
  const Catalog catalog = open_catalog();
  const std::string device = o.device.empty() ? "simt:h100" : o.device;
  const std::vector<run::SolutionTime> recorded = run::load_solution_times(run::solution_times_path(device));
  std::vector<run::Solution> files;
  for (const run::Solution& s : run::solutions(
           catalog, steps_of(catalog, o.steps.empty() ? std::vector<std::string>{"all"} : o.steps)))
    if (const auto* r = find_run(recorded, row_of(s)); r && r->us > 0) files.push_back(s);
  if (files.empty()) throw Error("no file of these steps is recorded as it is now");
  std::vector<run::SolutionTime> times;
  run_all(files, device, int(std::thread::hardware_concurrency()),
          [&](const run::Solution& s, const RunReport& r, const Report&) {
            times.push_back(*find_run(recorded, row_of(s)));
            times.back().modelled_us = r.time_us.value;
            if (o.say)
              o.say(fmt::format("{}: {:.1f} us modelled, {:.1f} recorded", s.name, r.time_us.value,
                                times.back().us));
          });
  std::sort(times.begin(), times.end(),
            [](const auto& a, const auto& b) { return std::tie(a.step, a.file) < std::tie(b.step, b.file); });
  if (o.print) o.print(run::solutions_text(catalog, times));
  int judged = 0;
  const auto apart = run::disagreements(catalog, times, &judged);
  return {{"solutions.times", double(times.size())},
          {"solutions.judged", double(judged)},
          {"solutions.disagreements", double(apart.size())}};
}

}  // namespace

int record_solutions(const RecordOptions& o) {
  run::register_devices();
  const std::string gpu = open_device(o.device)->info().title;
  const Catalog catalog = open_catalog();
  std::vector<run::SolutionTime> kept, times;
  if (fs::exists(o.out)) {
    kept = run::load_solution_times(o.out);
    // Its head speaks for all of its rows.
    if (!kept.empty() && read_or_empty(o.out).find(" on an " + gpu + ",") == std::string::npos)
      throw Error(o.out + " was recorded on another GPU than " + gpu + ": give another file by --out");
  }
  std::vector<run::Solution> files;
  const std::vector<const Step*> asked = steps_of(catalog, o.steps);
  for (const run::Solution& s : run::solutions(catalog, steps_of(catalog, {"all"}))) {
    if (const auto* old = find_run(kept, row_of(s)))
      times.push_back(*old);
    else if (std::find(asked.begin(), asked.end(), s.step) != asked.end())
      files.push_back(s);
  }
  if (files.empty()) {
    fmt::print("{} has all of them\n", o.out);
    return 0;
  }
  const auto save = [&] {
    std::sort(times.begin(), times.end(), [](const auto& a, const auto& b) {
      return std::tie(a.step, a.file) < std::tie(b.step, b.file);
    });
    const std::string head = fmt::format(
        "# Microseconds of starters and of the solutions in tests: median, least and most of their runs, at "
        "the size\n"
        "# at which the gates are judged, on an {}, driver {}, {}, commit {}.\n"
        "# Made by `warpdojo record --solutions`; `warpdojo bench solutions` compares. A file, its step, the "
        "size, the\n"
        "# source's fingerprint, the times.\n",
        gpu, run::driver_name(), run::date_name(), run::commit_name());
    run::save_solution_times(o.out, head, times);
  };
  int count = 0;
  run_all(files, o.device, o.workers, [&](const run::Solution& s, const RunReport& r, const Report&) {
    run::SolutionTime t = row_of(s);  // times of 0: it launched nothing
    t.us = r.time_us.value, t.us_min = r.time_us.min, t.us_max = r.time_us.max;
    times.push_back(t);
    // At times, so that an interrupted recording keeps most of what it has.
    if (++count % 50 == 0) save();
    fmt::print("{}  {}\n", t.file, time_text(t.us));
  });
  if (times.empty()) throw Error("nothing was recorded");
  save();
  return count == int(files.size()) ? 0 : 70;
}

void register_solutions_bench() {
  run::register_bench({"solutions", "modelled against recorded times of students' files", bench_solutions});
}

}  // namespace dojo::cli

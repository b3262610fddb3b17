// Calls that measure, record and compare.
#include <memory>

#include "cli/calls/calls.hpp"

namespace dojo::cli {
namespace {

void add_devices(Calls& calls) {
  const auto json = std::make_shared<bool>(false);
  add_json(*calls.add("devices", "what a step can run on", [json] { return cmd_devices(*json); }), *json);
}

void add_record(Calls& calls) {
  const auto o = std::make_shared<RecordOptions>();
  auto* record = calls.add("record", "saves reports for replay", [o] { return cmd_record(*o); });
  record->add_option("STEP", o->steps, "steps, labs or all");
  add_device(*record, o->device);
  record->add_option("--size", o->size, size_words);
  add_seed(*record, o->seed);
  record->add_option("--out", o->out, "the recording: a line of JSON per report")->required();
  record
      ->add_option("-j", o->workers,
                   "workers: inputs are made and results checked beside each other, times taken in turn")
      ->check(CLI::Range(1, 64));
  record->add_flag("--all-sizes", o->all_sizes, "the GPU's size, the machine's, and one between");
  record->add_flag("--resume", o->resume, "keep what the file has and add what it lacks");
  record->add_flag("--table", o->table, "record nothing: print what the file has as a table");
  record->add_option("--times", o->times,
                     "record nothing: add the times that the file has to this table, as a column");
  record->add_flag("--solutions", o->solutions,
                   "times of starters and of the solutions in tests, at the size of their gates");
  record->add_flag("--blocks", o->blocks, "with the block timeline of each launch");
}

void add_profile(Calls& calls) {
  const auto o = std::make_shared<ProfileOptions>();
  auto* profile = calls.add(
      "profile", "a run as Nsight Compute's details page: modelled, or on a GPU under Nsight Compute",
      [o] { return cmd_profile(*o); });
  profile->add_option("TARGET", o->targets, "steps, labs, all, or .cu programs")->required();
  profile->add_option("--who", o->who, "student or reference")
      ->check(CLI::IsMember({"student", "reference"}));
  add_device(*profile, o->device);
  profile->add_option("--size", o->size, size_words);
  profile->add_option("--out", o->out, "also keep the counters in this file");
  add_json(*profile, o->json);
}

void add_counters(Calls& calls) {
  const auto o = std::make_shared<CountersOptions>();
  auto* compare = calls.add("counters", "the machine's counters against those recorded on a real GPU",
                            [o] { return cmd_counters(*o); });
  compare->add_option("TARGET", o->targets, "only these steps, labs or programs");
  compare->add_option("--recording", o->recording,
                      "made by `profile --out`; otherwise all in assets/recordings");
  compare->add_flag("--markdown", o->markdown, "the page docs/counters.md");
}

void add_sanitize(Calls& calls) {
  const auto o = std::make_shared<SanitizeOptions>();
  auto* sanitize = calls.add("sanitize", "runs a step or a program under Compute Sanitizer",
                             [o] { return cmd_sanitize(*o); });
  sanitize->add_option("TARGET", o->target, "a step or a .cu program")->required();
  sanitize->add_option("--who", o->who, "student or reference")
      ->check(CLI::IsMember({"student", "reference"}));
  add_device(*sanitize, o->device);
  sanitize->add_option("--size", o->size, size_words);
  sanitize->add_option("--tool", o->tool, "memcheck, racecheck, initcheck, synccheck or all")
      ->check(CLI::IsMember({"memcheck", "racecheck", "initcheck", "synccheck", "all"}));
}

void add_bench(Calls& calls) {
  const auto o = std::make_shared<BenchCommand>();
  auto* bench = calls.add("bench", "the figures of docs/figures.md", [o] { return cmd_bench(*o); });
  bench
      ->add_option("NAME", o->family,
                   "simt, fidelity, front-ends, frozen, compile, edit, app, grade, nvcc, solutions or cuda")
      ->required();
  bench->add_option("STEP", o->steps,
                    "fidelity, front-ends, frozen, compile, solutions: these steps or labs alone");
  bench->add_option("--without", o->without,
                    "fidelity: switches a rule of the time model off (simt/gpu/rules.cpp)");
  bench->add_option("--within", o->within_us,
                    "fidelity, front-ends, frozen: leave out runs that took the GPU more microseconds");
  bench->add_option("--above", o->above_us,
                    "fidelity: leave out runs that took the GPU no more microseconds");
  bench
      ->add_option("--time-limit", o->time_limit_s,
                   "fidelity, front-ends, frozen: seconds of processor time for each run")
      ->check(CLI::Validator(seconds_of_a_limit, ""));
  add_device(*bench, o->device);
  bench->add_flag("--quick", o->quick, "fewer repeats; front-ends: counters alone");
  add_json(*bench, o->json);
}

}  // namespace

void add_measuring_calls(Calls& calls) {
  add_devices(calls);
  add_record(calls);
  add_profile(calls);
  add_counters(calls);
  add_sanitize(calls);
  add_bench(calls);
}

}  // namespace dojo::cli

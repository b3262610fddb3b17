#pragma once
// The command line. Each call of docs/cli.md is one function; all of them end with that page's exit statuses.
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

#include "core/labs/extent.hpp"
#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "run/bench.hpp"
#include "run/native/exec_program.hpp"
#include "run/runner.hpp"
#include "run/student/student_progress.hpp"
#include "run/worker/worker.hpp"

namespace dojo::cli {

/// Parses and runs; returns the exit status. Never throws.
int main(int argc, char** argv);

struct RunOptions {
  std::string step;
  run::Who who = run::Who::both;
  std::string device, size;
  std::string file;  ///< runs in the student's place; empty: the lab's own
  uint64_t seed = 1;
  bool lines = false, blocks = false, json = false, once = false;
  bool timeline = false;  ///< run: draw copies and kernels by stream
  std::string chrome;     ///< run: write the same for chrome://tracing
  double time_limit_s = 40;
};
int cmd_run(const RunOptions&);

struct PlayOptions {
  run::PlayRequest request;
  bool json = false;
};
int cmd_play(const PlayOptions&);

struct ExecOptions {
  run::ExecRequest request;
  std::string json;         ///< file for the report
  int error_exitcode = -1;  ///< exit status when there are findings; -1: the program's own
};
/// A program whose host part runs natively.
int cmd_exec(const ExecOptions&);

struct SweepOptions {
  std::vector<std::string> steps;
  std::string sizes, device, csv;
  run::Who who = run::Who::both;
  uint64_t seed = 1;
  bool json = false;
};
int cmd_sweep(const SweepOptions&);

/// Two grids of tiles, the second of which needs the first; or with `mlp` a sweep over batches.
struct WavesOptions {
  std::string grid = "3x2", then = "3x2", tile = "128x256", csv;
  double time = 1, then_time = 0, wait = -1, post = 0, launch = 0, tflops = 540;
  int sms = 0, blocks_per_sm = 1;  ///< sms 0: 4, with mlp 132
  std::vector<int> m{64, 128, 256, 512, 768, 1024, 1280, 1536, 1792, 2048};
  bool mlp = false, json = false;
};
int cmd_waves(const WavesOptions&);

struct RecordOptions {
  std::vector<std::string> steps;
  std::string device = "cuda:0", size, out, times;
  uint64_t seed = 1;
  int workers = 1;
  bool blocks = false, all_sizes = false, resume = false, table = false, solutions = false;
};
int cmd_record(const RecordOptions&);

struct ProfileOptions {
  std::vector<std::string> targets;
  std::string who = "student";
  std::string device;  ///< empty: the step's own, modelled; with `out` cuda:0
  std::string size, out;
  bool json = false;
};
int cmd_profile(const ProfileOptions&);

struct CountersOptions {
  std::vector<std::string> targets;
  std::string
      recording;  ///< a path, or a name below assets/recordings; empty: all of them, the newest of a kernel
  bool markdown = false;
};
int cmd_counters(const CountersOptions&);

struct SanitizeOptions {
  std::string target, who = "student", device = "cuda:0", size, tool = "all";
};
/// Status 70 when a tool reports errors.
int cmd_sanitize(const SanitizeOptions&);

struct GradeCommand {
  std::vector<std::string> paths;
  std::string course, secret, secret_file, format = "csv", out, report, compare, device;
  std::string roster, overrides;  ///< who takes the course; what is decided about single students
  std::string merge;              ///< rows of an earlier --format json that stay where nothing is graded anew
  std::string tests;              ///< an instructor's test cases in the place of the steps' gates
  std::string anonymous;          ///< file for the names that the exports don't show
  int seeds = 0, jobs = 1;
  bool resume = false, no_sandbox = false, slurm = false;
  bool one_student = false;  ///< the path is one student's, whatever it holds
  int slurm_tasks = 0;
  double slurm_poll_s = 2;
  std::vector<std::string> slurm_options;
  std::string shard;                ///< "K/N": a task of an array job
  std::string kubernetes, collect;  ///< folder of a Kubernetes job: to make, to take the rows from
  std::string image = "warpdojo", claim = "warpdojo";
};
int cmd_grade(const GradeCommand&);

struct HandoutCommand {
  std::string folder, course;
  int stage = 0;
  bool update = false;
};
int cmd_handout(const HandoutCommand&);

struct SubmitCommand {
  std::string course, out;
};
/// Packs the student's files of the course into one zip.
int cmd_submit(const SubmitCommand&);

/// `lab`: only this one; empty: all.
int cmd_list(bool json, bool counters, const std::string& lab = {});
int cmd_watch(const std::string& lab_or_step);
int cmd_hint(const std::string& step);
int cmd_reset(const std::string& step);
/// A new lab of one step in labs/, reference/, tests/ and assets/lectures, whose tests pass.
int cmd_new_lab(const std::string& name);
int cmd_devices(bool json);
struct GlossaryOptions {
  std::string term;       ///< empty: all of them
  bool markdown = false;  ///< the page docs/glossary.md
  bool json = false;
};
int cmd_glossary(const GlossaryOptions&);
int cmd_explain(const RunOptions&);
struct TraceOptions {
  RunOptions run;
  run::TraceAsk ask;
  int warp = -1;
  std::string block = "0";
};
/// One block, instruction by instruction.
int cmd_trace(const TraceOptions&);
struct CodeOptions {
  RunOptions run;
  int line = 0;         ///< only this line of the file; 0: all
  bool sass = false;    ///< with the machine code of each line
  bool counts = false;  ///< runs it, and says how often each instruction was executed
};
/// The PTX, and the machine code, under each line of a step's file.
int cmd_code(const CodeOptions&);
struct BenchCommand {
  std::string family, device, without;
  std::vector<std::string> steps;  ///< ids, labs or "all"
  double within_us = 0, above_us = 0, time_limit_s = 300;
  bool quick = false, json = false;
};
int cmd_bench(const BenchCommand&);
/// The window, with its options. Status 2 when this build or this machine has none.
struct AppOptions {
  std::string step, lecture, submissions, course, theme, commands, screenshot, notes_screenshot;
  bool instructor = false;
  float scale = 0;
  int frames = 0, width = 0, height = 0;
};
int cmd_app(const AppOptions&);
/// `lab`: a lab's name or a deck (TOML); `out` ends in .html or .pdf.
int cmd_deck(const std::string& lab, const std::string& out, const std::string& device);
/// The app when there is a display, else a first step in the terminal and a line saying why.
int cmd_default();

/// What `bench app` measures. As cmd_app, cmd_deck and cmd_watch it is in app/window, and in the program
/// `warpdojo` a start of that room's program (start_window.cpp).
run::Figures bench_window(const run::BenchOptions&);
/// Makes the bench families known.
void register_cli_benches();

// Shared by the calls.

/// The catalog of the root in use; broken labs are reported on standard error, one line each.
Catalog open_catalog();
/// Steps by name; a lab's name stands for all of its steps, "all" for all labs. Throws Error.
std::vector<const Step*> steps_of(const Catalog&, const std::vector<std::string>& names);
/// "4194304", "2^22", "4M", "rows=32,cols=1k". Throws Error.
Size parse_size(const std::string&);
/// What every call asks of a run: step, who, device, size, seed and time limit. Throws Error for a bad size.
run::RunRequest request_of(const RunOptions&);
/// The step of a name, or the student's own program of a path; that one is added to the catalog.
/// Makes the request one of the program when the step is one.
void set_program(run::RunRequest&, const Catalog&, const Step&);
const Step& step_or_program(Catalog&, const std::string& name);
/// Counts a run as the student's try and keeps it. A run of the untouched file is no try when it is wrong or
/// fails a gate: then the line of its TODO, else 0.
int count_try(const Catalog&, const Step&, Status);
/// Saves; what went wrong is said on standard error.
void keep(run::StudentProgress&);
std::string size_text(const Size&);

/// What a worker answered.
struct Answer {
  Report report;
  int exit_status = 0;
  std::shared_ptr<const StepTrace> steps;   ///< when they were asked for
  std::shared_ptr<const CodeListing> code;  ///< likewise
};
/// Runs a request in the worker and waits, with progress on a terminal's standard error. Ctrl+C cancels.
/// Throws Error for wrong usage and for a cancelled run.
Answer ask(run::WorkerClient&, const run::RunRequest&);
/// `printed`: where the program's own output goes.
Answer ask(run::WorkerClient&, const run::PlayRequest&, std::FILE* printed = stdout);
/// True after Ctrl+C.
bool interrupted();
void catch_interrupts();

}  // namespace dojo::cli

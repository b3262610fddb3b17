#include "cli/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/usage.hpp"
#include "core/error.hpp"
#include "core/error_words.hpp"
#include "core/install/version.hpp"
#include "grade/cases/case_child.hpp"
#include "grade/intake/unpack_child.hpp"

namespace dojo::cli {
namespace {

using Command = std::function<int()>;

/// Seconds of a limit: more than none, at most a day.
std::string seconds_of_a_limit(const std::string& text) {
  char* end = nullptr;
  const double v = std::strtod(text.c_str(), &end);
  const bool number = end != text.c_str() && *end == 0;
  return number && v > 0 && v <= 86400
             ? ""
             : "'" + text + "' is no limit: give seconds, more than 0 and at most 86400";
}

/// "a100" is short for "simt:a100", and "cuda" for "cuda:0".
void add_device(CLI::App& c, std::string& device, const char* help = "h100, cuda:0 and others") {
  c.add_option("--device", device, help)->transform([](std::string given) {
    return full_device_name(given);
  });
}

void set_words(const char* variable, const std::vector<std::string>& words, char separator) {
  std::string all;
  for (const std::string& w : words) all += w + separator;
  setenv(variable, all.c_str(), 1);
}

void add_run_options(CLI::App& c, RunOptions& o) {
  static const std::map<std::string, run::Who> whos{
      {"student", run::Who::student}, {"reference", run::Who::reference}, {"both", run::Who::both}};
  c.add_option("STEP", o.step, "reduce/5, reduce/sequential, or a path")->required();
  c.add_option("--who", o.who, "student, reference or both")
      ->transform(CLI::CheckedTransformer(whos).description(""));
  add_device(c, o.device, "h100, a100, cuda:0, rec:FILE and others (warpdojo devices)");
  c.add_option("--size", o.size, "4194304, 2^22, 4M or rows=R,cols=C");
  c.add_option("--seed", o.seed, "of the inputs");
  c.add_option("--time-limit", o.time_limit_s, "seconds of processor time that a run may take")
      ->check(CLI::Validator(seconds_of_a_limit, ""));
}

bool is_command(const char* word) {
  return *word != '-' && std::string_view(word) != "nvrtc" && std::string_view(word) != "clang";
}

/// Takes what stands behind `--` in a call of play off the command line: the program's arguments.
std::vector<std::string> cut_arguments_of_play(int& argc, char** argv) {
  char** const end = argv + argc;
  char** const play = std::find_if(argv, end, [](const char* a) { return std::string_view(a) == "play"; });
  char** const cut = std::find_if(play, end, [](const char* a) { return std::string_view(a) == "--"; });
  if (cut == end || std::any_of(argv + 1, play, is_command)) return {};
  argc = int(cut - argv);
  return {cut + 1, end};
}

/// The first word is the program's file. Of the others, source files are compiled with it; the rest are
/// arguments of the program, as what stands behind -- is.
void sort_words_of_play(const std::vector<std::string>& words, const std::vector<std::string>& behind,
                        run::PlayRequest& request) {
  const auto source_file = [](const std::string& w) {
    std::error_code ec;
    return (w.ends_with(".cu") || w.ends_with(".cpp") || w.ends_with(".cc") || w.ends_with(".cxx") ||
            w.ends_with(".c")) &&
           std::filesystem::is_regular_file(w, ec);
  };
  request.file = words.front();
  std::vector<std::string> units;
  for (size_t i = 1; i < words.size(); ++i)
    (source_file(words[i]) ? units : request.args).push_back(words[i]);
  request.args.insert(request.args.end(), behind.begin(), behind.end());
  set_words("WARPDOJO_UNITS", units, '\n');
}

int dispatch(int argc, char** argv) {
  const std::vector<std::string> behind = cut_arguments_of_play(argc, argv);
  CLI::App app{"WarpDojo: a lab for GPU performance"};
  app.name("warpdojo");
  app.require_subcommand(0, 1);
  app.set_help_all_flag("--help-all", "help of all calls");
  app.set_version_flag("--version", program_version());
  std::string compiler;
  app.add_option("--compiler", compiler,
                 "what compiles kernels and host code; automatic: NVRTC where it is installed")
      ->type_name("nvrtc|clang");
  Command chosen;
  auto call = [&](const char* name, const char* help, Command f) {
    CLI::App* c = app.add_subcommand(name, help);
    c->fallthrough();  // --compiler may stand behind the call
    c->callback([&chosen, f] { chosen = f; });
    return c;
  };

  bool json = false, counters = false;
  std::string listed;
  auto* list = call("list", "labs, steps, your progress", [&] { return cmd_list(json, counters, listed); });
  list->add_option("LAB", listed, "only this lab");
  list->add_flag("--json", json);
  list->add_flag("--counters", counters, "the counters and their short names");

  RunOptions ro;
  auto* runs = call("run", "runs one step, side by side with its reference", [&] { return cmd_run(ro); });
  add_run_options(*runs, ro);
  runs->add_option("--file", ro.file, "a file to run in the place of the student's");
  runs->add_flag("--lines", ro.lines, "counters by source line");
  runs->add_flag("--blocks", ro.blocks, "the block timeline");
  runs->add_flag("--timeline", ro.timeline, "copies and kernels by stream, drawn");
  runs->add_option("--chrome", ro.chrome, "write them to a file for chrome://tracing or Perfetto");
  runs->add_flag("--json", ro.json);
  runs->add_flag("--once", ro.once, "each kernel runs once: no times, no gates (for profilers)");

  std::string name;
  call("watch", "reruns on save", [&] {
    return cmd_watch(name);
  })->add_option("LAB", name, "a lab or a step");
  call("hint", "the next hint", [&] { return cmd_hint(name); })->add_option("STEP", name)->required();
  call("reset", "the file as it was; yours is kept", [&] { return cmd_reset(name); })
      ->add_option("STEP", name)
      ->required();
  auto* made = app.add_subcommand("new", "a new lab: a skeleton whose tests pass");
  made->fallthrough();
  made->require_subcommand(1);
  auto* new_lab = made->add_subcommand("lab", "a lab of one step, with its reference, tests and slides");
  new_lab->add_option("NAME", name, "such as warp-votes")->required();
  new_lab->callback([&] { chosen = [&] { return cmd_new_lab(name); }; });

  PlayOptions po;
  std::vector<std::string> played;
  auto* play = call("play", "runs a whole CUDA program", [&] {
    sort_words_of_play(played, behind, po.request);
    return cmd_play(po);
  });
  play->add_option("FILE", played,
                   "the file with main, further source files; arguments of the program behind --")
      ->required();
  add_device(*play, po.request.device);
  // Whoever runs the program reads them from there: this process, or the worker that it starts.
  play->add_option_function<std::string>(
          "--files", [](const std::string& f) { setenv("WARPDOJO_FILES", f.c_str(), 1); },
          "a folder whose files the program may read and write")
      ->check(CLI::ExistingDirectory);
  play->add_option_function<std::vector<std::string>>(
          "-I", [](const std::vector<std::string>& f) { set_words("WARPDOJO_INCLUDE", f, ':'); },
          "a folder with headers")
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory);
  play->add_option_function<std::vector<std::string>>(
          "-D", [](const std::vector<std::string>& d) { set_words("WARPDOJO_DEFINES", d, '\n'); },
          "a macro: NAME or NAME=VALUE")
      ->allow_extra_args(false);
  play->add_option("--time-limit", po.request.time_limit_s, "seconds")
      ->check(CLI::Validator(seconds_of_a_limit, ""));
  play->add_flag("--json", po.json);
  play->add_flag("--lines", po.request.lines, "with counters per source line, in the report");
  play->add_flag("--blocks", po.request.blocks, "with the timeline of blocks, in the report");
  play->add_flag("--once{false}", po.request.timing, "no repeats to time a kernel (for profilers)");

  ExecOptions xo;
  CLI::App* exec = nullptr;
  exec = call("exec", "runs a compiled CUDA program, its host part natively", [&] {
    xo.request.command = exec->remaining();
    return cmd_exec(xo);
  });
  exec->fallthrough(false);
  exec->prefix_command();  // everything from PROGRAM on is the program's
  exec->footer(
      "PROGRAM [ARGS] follow the options. It runs with your rights, or with --sandbox without network and "
      "files "
      "other than the current folder's.");
  exec->add_option("--build", xo.request.build,
                   "command that builds it first, with nvcc's flags set for exec");
  exec->add_flag(
      "--sandbox", xo.request.sandbox,
      "no network; of files the system's and the program's to read, the current folder's to write");
  add_device(*exec, xo.request.options.device, "h100, a100 and others of the SIMT machine");
  exec->add_option("--json", xo.json, "file for the report");
  exec->add_option("--only", xo.request.options.only, "check and time this kernel only");
  exec->add_option("--skip", xo.request.options.skip, "launches to pass over first")
      ->check(CLI::NonNegativeNumber);
  exec->add_option("--count", xo.request.options.count, "launches to check and time after those")
      ->check(CLI::NonNegativeNumber);
  exec->add_option("--sample", xo.request.options.sample,
                   "launches of each kernel and size to check and time; the others run for their results")
      ->check(CLI::PositiveNumber);
  exec->add_flag("--no-check{false}", xo.request.options.checks, "no races and unwritten reads; bounds stay");
  exec->add_flag("--no-time{false}", xo.request.options.timing, "no modelled times");
  exec->add_flag("--lines", xo.request.options.lines, "counters by source line in the report");
  exec->add_flag("--leaks", xo.request.options.leaks, "list memory that is never freed");
  exec->add_option("--error-exitcode", xo.error_exitcode, "exit status when there are findings")
      ->check(CLI::Range(0, 255));

  std::string word;
  bool page = false;
  auto* glossary =
      call("glossary", "what a term means, or all terms", [&] { return cmd_glossary(word, page); });
  glossary->add_option("TERM", word, "such as wavefront; without one: all terms");
  glossary->add_flag("--markdown", page, "the page docs/glossary.md");

  auto* devices = call("devices", "what a step can run on", [&] { return cmd_devices(json); });
  devices->add_flag("--json", json);

  SweepOptions so;
  auto* sweep = call("sweep", "a curve over sizes", [&] { return cmd_sweep(so); });
  sweep->add_option("STEP", so.steps)->required();
  sweep->add_option("--sizes", so.sizes, "A:B:xK, A:B:+K or A,B,C; cols=A:B:x2 for one extent");
  add_device(*sweep, so.device);
  sweep->add_option("--seed", so.seed);
  sweep->add_option("--csv", so.csv, "also write the points to this file");
  std::map<std::string, run::Who> whos{
      {"student", run::Who::student}, {"reference", run::Who::reference}, {"both", run::Who::both}};
  sweep->add_option("--who", so.who)->transform(CLI::CheckedTransformer(whos).description(""));

  WavesOptions wo;
  auto* waves = call("waves", "what if: how the tiles of two dependent kernels fill a GPU, modelled",
                     [&] { return cmd_waves(wo); });
  waves->add_option("--grid", wo.grid, "the first kernel's tiles: ROWSxCOLUMNS");
  waves->add_option("--then", wo.then, "the second's");
  waves->add_option("--time", wo.time, "of a tile");
  waves->add_option("--then-time", wo.then_time, "of a tile of the second, if it differs");
  waves->add_option("--sms", wo.sms);
  waves->add_option("--blocks-per-sm", wo.blocks_per_sm);
  waves->add_option("--wait", wo.wait, "what a wait costs that needs none");
  waves->add_option("--post", wo.post, "what ticket and post cost a tile");
  waves->add_option("--launch", wo.launch, "between two kernels of a stream");
  waves->add_flag("--mlp", wo.mlp, "GPT-3's feed-forward pair over batches, microseconds");
  waves->add_option("--m", wo.m, "its batches")->delimiter(',');
  waves->add_option("--tile", wo.tile, "its tile");
  waves->add_option("--tflops", wo.tflops,
                    "that its tiles reach on the whole GPU (540: as the published implementation)");
  waves->add_option("--csv", wo.csv, "also write the sweep to this file");
  waves->add_flag("--json", wo.json);

  RunOptions eo;
  auto* explain = call("explain", "what bounds a run, in words", [&] { return cmd_explain(eo); });
  add_run_options(*explain, eo);

  TraceOptions to;
  to.run.who = run::Who::student;
  auto* trace = call("trace", "one block, instruction by instruction", [&] { return cmd_trace(to); });
  add_run_options(*trace, to.run);
  trace->add_option("--block", to.block, "its index: 7, or x,y,z");
  trace->add_option("--launch", to.ask.launch, "of the run, from 0");
  trace->add_option("--warp", to.warp, "only this warp's lines are shown")->check(CLI::Range(0, 31));
  trace->add_option("--most", to.ask.most, "warp instructions kept")->check(CLI::Range(1, 200000));
  trace->add_option("--skip", to.ask.skip, "warp instructions left out before those");
  trace->add_flag("--as-written", to.ask.as_written, "compiled without optimisation");
  trace->add_flag("--json", to.run.json);

  CodeOptions co;
  co.run.who = run::Who::student;
  auto* code = call("code", "the PTX and machine code under each line", [&] { return cmd_code(co); });
  add_run_options(*code, co.run);
  code->add_option("--line", co.line, "only this line of the file")->check(CLI::Range(1, 1000000));
  code->add_flag("--sass", co.sass, "with the machine code of each line");
  code->add_flag("--counts", co.counts, "runs it, and says how often warps executed each PTX instruction");
  code->add_flag("--json", co.run.json);

  RecordOptions rec;
  auto* record = call("record", "saves reports for replay", [&] { return cmd_record(rec); });
  record->add_option("STEP", rec.steps, "steps, labs or all");
  add_device(*record, rec.device);
  record->add_option("--size", rec.size);
  record->add_option("--seed", rec.seed);
  record->add_option("--out", rec.out)->required();
  record
      ->add_option("-j", rec.workers,
                   "workers: inputs are made and results checked beside each other, times taken in turn")
      ->check(CLI::Range(1, 64));
  record->add_flag("--all-sizes", rec.all_sizes, "the GPU's size, the machine's, and one between");
  record->add_flag("--resume", rec.resume, "keep what the file has and add what it lacks");
  record->add_flag("--table", rec.table, "record nothing: print what the file has as a table");
  record->add_option("--times", rec.times,
                     "record nothing: add the times that the file has to this table, as a column");
  record->add_flag("--blocks", rec.blocks);

  ProfileOptions prof;
  auto* profile =
      call("profile", "a run as Nsight Compute's details page: modelled, or on a GPU under Nsight Compute",
           [&] { return cmd_profile(prof); });
  profile->add_option("TARGET", prof.targets, "steps, labs, all, or .cu programs")->required();
  profile->add_option("--who", prof.who)->check(CLI::IsMember({"student", "reference"}));
  add_device(*profile, prof.device);
  profile->add_option("--size", prof.size);
  profile->add_option("--out", prof.out, "also keep the counters in this file");
  profile->add_flag("--json", prof.json);

  CountersOptions cnt;
  auto* compare = call("counters", "the machine's counters against those recorded on a real GPU",
                       [&] { return cmd_counters(cnt); });
  compare->add_option("TARGET", cnt.targets, "only these steps, labs or programs");
  compare->add_option("--recording", cnt.recording,
                      "made by `profile --out`; otherwise all in assets/recordings");
  compare->add_flag("--markdown", cnt.markdown, "the page docs/counters.md");

  SanitizeOptions san;
  auto* sanitize =
      call("sanitize", "runs a step or a program under Compute Sanitizer", [&] { return cmd_sanitize(san); });
  sanitize->add_option("TARGET", san.target, "a step or a .cu program")->required();
  sanitize->add_option("--who", san.who)->check(CLI::IsMember({"student", "reference"}));
  add_device(*sanitize, san.device);
  sanitize->add_option("--size", san.size);
  sanitize->add_option("--tool", san.tool, "memcheck, racecheck, initcheck, synccheck or all")
      ->check(CLI::IsMember({"memcheck", "racecheck", "initcheck", "synccheck", "all"}));

  GradeCommand go;
  auto* grade =
      call("grade", "grades submissions: STUDENT/01-reduce/5-sequential.cu", [&] { return cmd_grade(go); });
  grade->add_option("PATH", go.paths, "students' folders or archives, a folder of them, or a file")
      ->required();
  grade->add_option("--roster", go.roster, "CSV: id,name,email,section,extension");
  grade->add_option("--overrides", go.overrides, "TOML: extensions, excuses, points changed by hand");
  grade->add_option("--merge", go.merge, "an earlier --format json: its other rows stay");
  grade->add_option("--tests", go.tests, "mine.cpp: doctest cases of your own, one row per student");
  grade->add_option("--anonymous", go.anonymous, "exports without names; the names go into this CSV");
  grade->add_option("--course", go.course, "course.toml: steps, points, pinned device and model version");
  grade->add_option("--secret", go.secret, "hidden seeds and sizes follow from it")
      ->envname("WARPDOJO_SECRET");
  grade->add_option("--seeds", go.seeds, "inputs each step is run on")->check(CLI::Range(1, 100));
  add_device(*grade, go.device, "instead of the steps' own");
  grade->add_option("--format", go.format,
                    "csv, json, gradescope, prairielearn, classroom50, canvas, moodle, junit or console");
  grade->add_option("--out", go.out, "file; standard output otherwise");
  grade->add_option("--report", go.report, "also an HTML page for the instructor");
  grade->add_option("--compare", go.compare, "an old CSV: says what this grading changes");
  grade->add_option("-j", go.jobs, "worker processes at a time")->check(CLI::Range(1, 256));
  grade->add_flag("--resume", go.resume, "keep the rows of an interrupted grading");
  grade->add_option("--secret-file", go.secret_file, "the secret in a file, its end trimmed");
  grade->add_flag("--slurm", go.slurm, "as an array job of a Slurm cluster");
  grade
      ->add_option("--slurm-tasks", go.slurm_tasks,
                   "tasks of the job (default: one for eight rows, at most 64)")
      ->check(CLI::Range(1, 10000));
  grade->add_option("--slurm-option", go.slurm_options,
                    "more options of sbatch: --slurm-option=--partition=cpu");
  grade->add_option("--slurm-poll", go.slurm_poll_s, "seconds between looks at the queue")
      ->check(CLI::Validator(seconds_of_a_limit, ""));
  grade->add_option(
      "--kubernetes", go.kubernetes,
      "a folder on a shared volume: writes the manifest of an Indexed Job there, grades nothing");
  grade->add_option("--collect", go.collect, "the folder of such a job: its rows become the export");
  grade->add_option("--image", go.image, "--kubernetes: container image with WarpDojo built in");
  grade->add_option("--claim", go.claim, "--kubernetes: the volume's claim");
  grade->add_option("--shard", go.shard, "K/N@JOB: the K-th of the N tasks that an array job is");
  grade->add_flag("--no-sandbox", go.no_sandbox,
                  "for files that are trusted, on a machine without a sandbox");

  HandoutCommand ho;
  auto* handout =
      call("handout", "the students' repository: no reference source", [&] { return cmd_handout(ho); });
  handout->add_option("DIR", ho.folder, "a folder that doesn't exist yet, or is empty")->required();
  handout->add_option("--course", ho.course, "its steps alone; course.toml goes along");
  handout->add_option("--stage", ho.stage, "the course's steps up to this stage")->check(CLI::Range(1, 1000));
  handout->add_flag("--update", ho.update, "adds to an earlier handout; students' files stay as they are");

  SubmitCommand su;
  auto* submit = call("submit", "packs your files into one zip to hand in", [&] { return cmd_submit(su); });
  submit->add_option("--course", su.course, "the steps to pack; course.toml beside labs/ otherwise");
  submit->add_option("--out", su.out, "the zip; submission.zip otherwise");

  BenchCommand bc;
  auto* bench = call("bench", "the figures of docs/figures.md", [&] { return cmd_bench(bc); });
  bench->add_option("NAME", bc.family, "simt, fidelity, front-ends, frozen, edit, app, grade, nvcc or cuda")
      ->required();
  bench->add_option("STEP", bc.steps, "fidelity, front-ends, frozen: these steps or labs alone");
  bench->add_option("--without", bc.without,
                    "fidelity: switches a rule of the time model off (simt/gpu/rules.cpp)");
  bench->add_option("--within", bc.within_us,
                    "fidelity, front-ends, frozen: leave out runs that took the GPU more microseconds");
  bench->add_option("--above", bc.above_us,
                    "fidelity: leave out runs that took the GPU no more microseconds");
  bench
      ->add_option("--time-limit", bc.time_limit_s,
                   "fidelity, front-ends, frozen: seconds of processor time for each run")
      ->check(CLI::Validator(seconds_of_a_limit, ""));
  add_device(*bench, bc.device);
  bench->add_flag("--quick", bc.quick, "fewer repeats");
  bench->add_flag("--json", bc.json);

  AppOptions ao;
  auto* window = call("app", "the desktop app", [&] { return cmd_app(ao); });
  window->add_option("STEP", ao.step,
                     "opened at start: a step, a lab, a .cu program, or a report that --json saved");
  window->add_flag("--instructor", ao.instructor, "references and wrong versions open to view");
  window->add_option("--submissions", ao.submissions, "a folder of submissions to open in instructor mode");
  window->add_option("--course", ao.course, "their course.toml");
  window->add_option("--lecture", ao.lecture, "a deck (TOML) to start in lecture mode");
  window->add_option("--theme", ao.theme, "dark, light or contrast, for this start")
      ->check(CLI::IsMember({"dark", "light", "contrast"}));
  window->add_option("--scale", ao.scale);
  window->add_option("--commands", ao.commands,
                     "commands to run at start: ids with commas between them (help: lists them)");
  window->add_option("--screenshot", ao.screenshot,
                     "PNG of the window when the commands and their runs have ended; the app ends then");
  window->add_option("--notes-screenshot", ao.notes_screenshot, "the same of the lecturer's notes window");
  window->add_option("--frames", ao.frames, "end after that many frames");
  window->add_option("--width", ao.width);
  window->add_option("--height", ao.height);

  std::string deck, deck_out, deck_device;
  auto* lecture = call("deck", "a lecture deck as one HTML or PDF file",
                       [&] { return cmd_deck(deck, deck_out, deck_device); });
  lecture->add_option("LAB", deck, "a lab, or a deck (TOML)")->required();
  lecture->add_option("--out", deck_out, "FILE.html or FILE.pdf")->required();
  add_device(*lecture, deck_device, "for all slides; else each step's own");

  bool compile = false, warm = false, try_sandbox = false;
  std::string test_object, unpack_most;
  auto* worker = call("worker", "the child process: JSON lines on standard input and output", [&] {
    return try_sandbox            ? run::try_sandbox_main()
           : compile              ? run::compile_worker_main(warm)
           : !test_object.empty() ? grade::case_child_main(test_object)
           : !unpack_most.empty() ? grade::unpack_child_main(unpack_most)
                                  : run::worker_main();
  });
  worker->add_flag("--try-sandbox", try_sandbox, "encloses itself and says what still goes through");
  worker->add_flag("--compile", compile);
  worker->add_flag("--warm", warm);
  worker->add_option("--tests", test_object, "runs the test cases of `grade --tests`");
  worker->add_option("--unpack", unpack_most, "reads the archive behind descriptor 3, at most so many bytes");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForVersion& e) {
    return app.exit(e);
  } catch (const CLI::CallForAllHelp& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "warpdojo: {}\n", usage_words(app, e));
    return 2;
  }
  if (!compiler.empty() && compiler != "automatic" && compiler != "nvrtc" && compiler != "clang")
    throw Error("no compiler '" + compiler + "': write nvrtc, clang or automatic");
  if (!compiler.empty()) setenv("WARPDOJO_FRONT_END", compiler.c_str(), 1);  // for the workers too
  return chosen ? chosen() : cmd_default();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    register_cli_benches();
    // `help CALL` is `CALL --help`.
    std::vector<char*> words(argv, argv + argc);
    static char help[] = "--help";
    if (argc > 1 && std::string_view(argv[1]) == "help") {
      words.erase(words.begin() + 1);
      words.push_back(help);
    }
    const int n = int(words.size());
    words.push_back(nullptr);
    return dispatch(n, words.data());
  } catch (const Error& e) {
    std::fflush(stdout);
    fmt::print(stderr, "warpdojo: {}\n", e.what());
    return e.exit;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "warpdojo: out of memory\n");
    return 71;
  } catch (const std::exception& e) {
    fmt::print(stderr, "warpdojo: {}\n", error_words(e));
    return 71;
  }
}

}  // namespace dojo::cli

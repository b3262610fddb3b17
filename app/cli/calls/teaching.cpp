// An instructor's calls, the window, and the child process.
#include <memory>

#include "cli/calls/calls.hpp"
#include "grade/cases/case_child.hpp"
#include "grade/formats.hpp"
#include "grade/intake/unpack_child.hpp"

namespace dojo::cli {
namespace {

void add_grade(Calls& calls) {
  const auto o = std::make_shared<GradeCommand>();
  auto* grade = calls.add("grade", "grades submissions: STUDENT/01-reduce/5-sequential.cu",
                          [o] { return cmd_grade(*o); });
  grade->add_option("PATH", o->paths, "students' folders or archives, a folder of them, or a file")
      ->required();
  grade->add_option("--roster", o->roster, "CSV: id,name,email,section,extension");
  grade->add_option("--overrides", o->overrides, "TOML: extensions, excuses, points changed by hand");
  grade->add_option("--merge", o->merge, "an earlier --format json: its other rows stay");
  grade->add_option("--tests", o->tests, "mine.cpp: doctest cases of your own, one row per student");
  grade->add_option("--anonymous", o->anonymous, "exports without names; the names go into this CSV");
  grade->add_option("--course", o->course, "course.toml: steps, points, pinned device and model version");
  grade->add_option("--secret", o->secret, "hidden seeds and sizes follow from it")
      ->envname("WARPDOJO_SECRET");
  grade->add_option("--seeds", o->seeds, "inputs each step is run on")->check(CLI::Range(1, 100));
  add_device(*grade, o->device, "instead of the steps' own");
  grade->add_option("--format", o->format, grade::format_names() + ", junit or console");
  grade->add_option("--out", o->out, "file; standard output otherwise");
  grade->add_option("--report", o->report, "also an HTML page for the instructor");
  grade->add_option("--compare", o->compare, "an old CSV: says what this grading changes");
  grade->add_option("-j", o->jobs, "worker processes at a time")->check(CLI::Range(1, 256));
  grade->add_flag("--resume", o->resume, "keep the rows of an interrupted grading");
  grade->add_option("--secret-file", o->secret_file, "the secret in a file, its end trimmed");
  grade->add_flag("--slurm", o->slurm, "as an array job of a Slurm cluster");
  grade
      ->add_option("--slurm-tasks", o->slurm_tasks,
                   "tasks of the job (default: one for eight rows, at most 64)")
      ->check(CLI::Range(1, 10000));
  grade->add_option("--slurm-option", o->slurm_options,
                    "more options of sbatch: --slurm-option=--partition=cpu");
  grade->add_option("--slurm-poll", o->slurm_poll_s, "seconds between looks at the queue")
      ->check(CLI::Validator(seconds_of_a_limit, ""));
  grade->add_option(
      "--kubernetes", o->kubernetes,
      "a folder on a shared volume: writes the manifest of an Indexed Job there, grades nothing");
  grade->add_option("--collect", o->collect, "the folder of such a job: its rows become the export");
  grade->add_option("--image", o->image, "--kubernetes: container image with WarpDojo built in");
  grade->add_option("--claim", o->claim, "--kubernetes: the volume's claim");
  grade->add_option("--shard", o->shard, "K/N@JOB: the K-th of the N tasks that an array job is");
  grade->add_flag("--one-student", o->one_student,
                  "PATH is one student's submission, whatever it holds; an empty folder gets rows, too");
  grade->add_flag("--no-sandbox", o->no_sandbox,
                  "for files that are trusted, on a machine without a sandbox");
}

void add_handout(Calls& calls) {
  const auto o = std::make_shared<HandoutCommand>();
  auto* handout =
      calls.add("handout", "the students' repository: no reference source", [o] { return cmd_handout(*o); });
  handout->add_option("DIR", o->folder, "a folder that doesn't exist yet, or is empty")->required();
  handout->add_option("--course", o->course, "its steps alone; course.toml goes along");
  handout->add_option("--stage", o->stage, "the course's steps up to this stage")->check(CLI::Range(1, 1000));
  handout->add_flag("--update", o->update, "adds to an earlier handout; students' files stay as they are");
}

void add_submit(Calls& calls) {
  const auto o = std::make_shared<SubmitCommand>();
  auto* submit =
      calls.add("submit", "packs your files into one zip to hand in", [o] { return cmd_submit(*o); });
  submit->add_option("--course", o->course, "the steps to pack; course.toml beside labs/ otherwise");
  submit->add_option("--out", o->out, "the zip; submission.zip otherwise");
}

void add_app(Calls& calls) {
  const auto o = std::make_shared<AppOptions>();
  auto* window = calls.add("app", "the desktop app", [o] { return cmd_app(*o); });
  window->add_option("STEP", o->step,
                     "opened at start: a step, a lab, a .cu program, or a report that --json saved");
  window->add_flag("--instructor", o->instructor, "references and wrong versions open to view");
  window->add_option("--submissions", o->submissions, "a folder of submissions to open in instructor mode");
  window->add_option("--course", o->course, "their course.toml");
  window->add_option("--lecture", o->lecture, "a deck (TOML) to start in lecture mode");
  window->add_option("--theme", o->theme, "dark, light or contrast, for this start")
      ->check(CLI::IsMember({"dark", "light", "contrast"}));
  window->add_option("--scale", o->scale, "of letters and lines, for this start; 2 on a screen of 4K");
  window->add_option("--commands", o->commands,
                     "commands to run at start: ids with commas between them (help: lists them)");
  window->add_option("--screenshot", o->screenshot,
                     "PNG of the window when the commands and their runs have ended; the app ends then");
  window->add_option("--notes-screenshot", o->notes_screenshot, "PNG of the lecturer's notes window");
  window->add_option("--frames", o->frames, "end after that many frames");
  window->add_option("--width", o->width, "of the window, in pixels");
  window->add_option("--height", o->height, "of the window, in pixels");
}

void add_deck(Calls& calls) {
  struct Options {
    std::string lab, out, device;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* deck = calls.add("deck", "a lecture deck as one HTML or PDF file",
                             [o] { return cmd_deck(o->lab, o->out, o->device); });
  deck->add_option("LAB", o->lab, "a lab, or a deck (TOML)")->required();
  deck->add_option("--out", o->out, "FILE.html or FILE.pdf")->required();
  add_device(*deck, o->device, "for all slides; else each step's own");
}

void add_worker(Calls& calls) {
  struct Options {
    bool compile = false, warm = false, try_sandbox = false;
    std::string test_object, unpack_most;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* worker = calls.add("worker", "the child process: JSON lines on standard input and output", [o] {
    return o->try_sandbox            ? run::try_sandbox_main()
           : o->compile              ? run::compile_worker_main(o->warm)
           : !o->test_object.empty() ? grade::case_child_main(o->test_object)
           : !o->unpack_most.empty() ? grade::unpack_child_main(o->unpack_most)
                                     : run::worker_main();
  });
  worker->add_flag("--try-sandbox", o->try_sandbox, "encloses itself and says what still goes through");
  worker->add_flag("--compile", o->compile, "the child that compiles, and keeps its compiler warm");
  worker->add_flag("--warm", o->warm, "--compile: loads the compiler before the first request");
  worker->add_option("--tests", o->test_object, "runs the test cases of `grade --tests`");
  worker->add_option("--unpack", o->unpack_most,
                     "reads the archive behind descriptor 3, at most so many bytes");
}

}  // namespace

void add_teaching_calls(Calls& calls) {
  add_grade(calls);
  add_handout(calls);
  add_submit(calls);
  add_app(calls);
  add_deck(calls);
  add_worker(calls);
}

}  // namespace dojo::cli

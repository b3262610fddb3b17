// A student's calls: labs, steps, their runs and what explains them.
#include <memory>

#include "cli/calls/calls.hpp"

namespace dojo::cli {
namespace {

void add_list(Calls& calls) {
  struct Options {
    bool json = false, counters = false;
    std::string lab;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* list =
      calls.add("list", "labs, steps, your progress", [o] { return cmd_list(o->json, o->counters, o->lab); });
  list->add_option("LAB", o->lab, "only this lab");
  add_json(*list, o->json);
  list->add_flag("--counters", o->counters, "the counters and their short names");
}

void add_run(Calls& calls) {
  const auto o = std::make_shared<RunOptions>();
  auto* runs =
      calls.add("run", "runs one step, side by side with its reference", [o] { return cmd_run(*o); });
  add_run_options(*runs, *o);
  runs->add_option("--file", o->file, "a file to run in the place of the student's");
  runs->add_flag("--lines", o->lines, "counters by source line");
  runs->add_flag("--blocks", o->blocks, "the block timeline");
  runs->add_flag("--timeline", o->timeline, "copies and kernels by stream, drawn");
  runs->add_option("--chrome", o->chrome, "write them to a file for chrome://tracing or Perfetto");
  add_json(*runs, o->json);
  runs->add_flag("--once", o->once, "each kernel runs once: no times, no gates (for profilers)");
}

void add_watch_hint_reset(Calls& calls) {
  const auto step = std::make_shared<std::string>();
  calls.add("watch", "reruns on save", [step] { return cmd_watch(*step); })
      ->add_option("LAB", *step, "a lab or a step");
  calls.add("hint", "the next hint", [step] { return cmd_hint(*step); })
      ->add_option("STEP", *step, step_words)
      ->required();
  calls.add("reset", "the file as it was; yours is kept", [step] { return cmd_reset(*step); })
      ->add_option("STEP", *step, step_words)
      ->required();
}

void add_new(Calls& calls) {
  const auto name = std::make_shared<std::string>();
  CLI::App* lab = calls.add_below("new", "a new lab: a skeleton whose tests pass", "lab",
                                  "a lab of one step, with its reference, tests and slides",
                                  [name] { return cmd_new_lab(*name); });
  lab->add_option("NAME", *name, "such as warp-votes")->required();
}

void add_glossary(Calls& calls) {
  const auto o = std::make_shared<GlossaryOptions>();
  CLI::App* glossary =
      calls.add("glossary", "what a term means, or all terms", [o] { return cmd_glossary(*o); });
  glossary->add_option("TERM", o->term, "such as wavefront; without one: all terms");
  glossary->add_flag("--markdown", o->markdown, "the page docs/glossary.md");
  add_json(*glossary, o->json);
}

void add_explain(Calls& calls) {
  const auto o = std::make_shared<RunOptions>();
  o->who = run::Who::student;
  auto* explain = calls.add("explain", "what bounds a run, in words", [o] { return cmd_explain(*o); });
  add_run_options(*explain, *o);
  explain->add_flag("--json", o->json, "the report of `run --json`, with the advice of each run");
}

void add_trace(Calls& calls) {
  const auto o = std::make_shared<TraceOptions>();
  o->run.who = run::Who::student;
  auto* trace = calls.add("trace", "one block, instruction by instruction", [o] { return cmd_trace(*o); });
  add_run_options(*trace, o->run);
  trace->add_option("--block", o->block, "its index: 7, or x,y,z");
  trace->add_option("--launch", o->ask.launch, "of the run, from 0");
  trace->add_option("--warp", o->warp, "only this warp's lines are shown")->check(CLI::Range(0, 31));
  trace->add_option("--most", o->ask.most, "warp instructions kept, of all warps")
      ->check(CLI::Range(1, 200000));
  trace->add_option("--skip", o->ask.skip, "warp instructions left out before those");
  trace->add_flag("--as-written", o->ask.as_written, "compiled without optimisation");
  add_json(*trace, o->run.json);
}

void add_code(Calls& calls) {
  const auto o = std::make_shared<CodeOptions>();
  o->run.who = run::Who::student;
  auto* code = calls.add("code", "the PTX and machine code under each line", [o] { return cmd_code(*o); });
  add_run_options(*code, o->run);
  code->add_option("--line", o->line, "only this line of the file")->check(CLI::Range(1, 1000000));
  code->add_flag("--sass", o->sass, "with the machine code of each line");
  code->add_flag("--counts", o->counts, "runs it, and says how often warps executed each PTX instruction");
  add_json(*code, o->run.json);
}

void add_sweep(Calls& calls) {
  const auto o = std::make_shared<SweepOptions>();
  auto* sweep = calls.add("sweep", "a curve over sizes", [o] { return cmd_sweep(*o); });
  sweep->add_option("STEP", o->steps, step_words)->required();
  sweep->add_option("--sizes", o->sizes, "A:B:xK, A:B:+K or A,B,C; cols=A:B:x2 for one extent");
  add_device(*sweep, o->device);
  add_seed(*sweep, o->seed);
  sweep->add_option("--csv", o->csv, "also write the points to this file");
  add_json(*sweep, o->json);
  sweep->add_option("--who", o->who, "student, reference or both")
      ->transform(CLI::CheckedTransformer(whos()).description(""));
}

void add_waves(Calls& calls) {
  const auto o = std::make_shared<WavesOptions>();
  auto* waves = calls.add("waves", "what if: how the tiles of two dependent kernels fill a GPU, modelled",
                          [o] { return cmd_waves(*o); });
  waves->add_option("--grid", o->grid, "tiles of the first kernel: ROWSxCOLUMNS");
  waves->add_option("--then", o->then, "tiles of the second kernel");
  waves->add_option("--time", o->time, "time of a tile");
  waves->add_option("--then-time", o->then_time, "time of a tile of the second kernel, if it differs");
  waves->add_option("--sms", o->sms, "SMs of the GPU (default: 4, with --mlp 132)")
      ->check(CLI::Range(1, 100000));
  waves->add_option("--blocks-per-sm", o->blocks_per_sm, "resident blocks per SM");
  waves->add_option("--wait", o->wait, "time of a wait whose post is there already");
  waves->add_option("--post", o->post, "time of ticket and post, per tile");
  waves->add_option("--launch", o->launch, "time between two kernels of a stream");
  waves->add_flag("--mlp", o->mlp, "GPT-3's feed-forward pair over batches, microseconds");
  waves->add_option("--m", o->m, "its batches")->delimiter(',');
  waves->add_option("--tile", o->tile, "its tile");
  waves->add_option("--tflops", o->tflops,
                    "that its tiles reach on the whole GPU (540: as the published implementation)");
  waves->add_option("--csv", o->csv, "also write the sweep to this file");
  add_json(*waves, o->json);
}

}  // namespace

void add_learning_calls(Calls& calls) {
  add_list(calls);
  add_run(calls);
  add_watch_hint_reset(calls);
  add_new(calls);
  add_glossary(calls);
  add_explain(calls);
  add_trace(calls);
  add_code(calls);
  add_sweep(calls);
  add_waves(calls);
}

}  // namespace dojo::cli

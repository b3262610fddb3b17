// Calls that run a whole CUDA program: from source, or compiled.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>

#include "cli/calls/calls.hpp"

namespace dojo::cli {
namespace {

void set_words(const char* variable, const std::vector<std::string>& words, char separator) {
  std::string all;
  for (const std::string& w : words) all += w + separator;
  setenv(variable, all.c_str(), 1);
}

bool is_command(const char* word) {
  return *word != '-' && std::string_view(word) != "nvrtc" && std::string_view(word) != "clang";
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

void add_play(Calls& calls, const std::vector<std::string>& behind) {
  struct Words {
    PlayOptions options;
    std::vector<std::string> words;
  };
  const auto o = std::make_shared<Words>();
  CLI::App* play = calls.add("play", "runs a whole CUDA program", [o, behind] {
    sort_words_of_play(o->words, behind, o->options.request);
    return cmd_play(o->options);
  });
  play->add_option("FILE", o->words,
                   "the file with main, further source files; arguments of the program behind --")
      ->required();
  add_device(*play, o->options.request.device);
  // The process that runs the program reads them from there: this one, or the worker that it starts.
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
  play->add_option_function<std::string>(
          "--std", [](const std::string& s) { setenv("WARPDOJO_STANDARD", s.c_str(), 1); },
          "c++17 or c++20; also as nvcc takes it, -std=c++20")
      ->check(CLI::IsMember({"c++17", "c++20"}));
  play->add_option("--time-limit", o->options.request.time_limit_s, "seconds")
      ->check(CLI::Validator(seconds_of_a_limit, ""));
  add_json(*play, o->options.json);
  play->add_flag("--lines", o->options.request.lines, "with counters per source line, in the report");
  play->add_flag("--blocks", o->options.request.blocks, "with the timeline of blocks, in the report");
  play->add_flag("--once{false}", o->options.request.timing, "no repeats to time a kernel (for profilers)");
}

void add_exec(Calls& calls) {
  const auto o = std::make_shared<ExecOptions>();
  const auto self = std::make_shared<CLI::App*>();
  CLI::App* exec = *self =
      calls.add("exec", "runs a compiled CUDA program, its host part natively", [o, self] {
        o->request.command = (*self)->remaining();
        return cmd_exec(*o);
      });
  exec->fallthrough(false);
  exec->prefix_command();  // everything from PROGRAM on is the program's
  exec->footer(
      "PROGRAM [ARGS] follow the options. It runs with your rights, or with --sandbox without network and "
      "files "
      "other than the current folder's.");
  exec->add_option("--build", o->request.build,
                   "command that builds it first, with nvcc's flags set for exec");
  exec->add_flag(
      "--sandbox", o->request.sandbox,
      "no network; of files the system's and the program's to read, the current folder's to write");
  add_device(*exec, o->request.options.device, "h100, a100 and others of the SIMT machine");
  exec->add_option("--json", o->json, "file for the report");
  exec->add_option("--only", o->request.options.only, "check and time this kernel only");
  exec->add_option("--skip", o->request.options.skip, "launches to pass over first")
      ->check(CLI::NonNegativeNumber);
  exec->add_option("--count", o->request.options.count, "launches to check and time after those")
      ->check(CLI::NonNegativeNumber);
  exec->add_option("--sample", o->request.options.sample,
                   "launches of each kernel and size to check and time; the others run for their results")
      ->check(CLI::PositiveNumber);
  exec->add_option("--sample-blocks", o->request.options.sample_blocks,
                   "blocks of each launch to check, count and time; the others run for their results")
      ->check(CLI::PositiveNumber);
  exec->add_option(
          "--memory", o->request.options.memory_gib,
          "GiB of device memory that may be in use at once, up to the device's; it is this computer's")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  exec->add_flag("--no-check{false}", o->request.options.checks, "no races and unwritten reads; bounds stay");
  exec->add_flag("--no-time{false}", o->request.options.timing, "no modelled times");
  exec->add_flag("--lines", o->request.options.lines, "counters by source line in the report");
  exec->add_flag("--leaks", o->request.options.leaks, "list memory that is never freed");
  exec->add_option("--error-exitcode", o->error_exitcode, "exit status when there are findings")
      ->check(CLI::Range(0, 255));
}

}  // namespace

void add_program_calls(Calls& calls, const std::vector<std::string>& behind_play) {
  add_play(calls, behind_play);
  add_exec(calls);
}

std::vector<std::string> cut_arguments_of_play(int& argc, char** argv) {
  char** const end = argv + argc;
  char** const play = std::find_if(argv, end, [](const char* a) { return std::string_view(a) == "play"; });
  char** const cut = std::find_if(play, end, [](const char* a) { return std::string_view(a) == "--"; });
  for (char** word = play; word < cut; ++word)
    if (std::string_view(*word) == "-std=c++17" || std::string_view(*word) == "-std=c++20")
      *word = (*word)[10] == '7' ? const_cast<char*>("--std=c++17") : const_cast<char*>("--std=c++20");
  if (cut == end || std::any_of(argv + 1, play, is_command)) return {};
  argc = int(cut - argv);
  return {cut + 1, end};
}

void cut_marker_of_exec(const CLI::App& root, int& argc, char** argv) {
  const CLI::App* exec = root.get_subcommand_ptr("exec").get();
  char** const end = argv + argc;
  char** at = std::find_if(argv + 1, end, is_command);
  if (at == end || std::string_view(*at) != "exec") return;
  for (++at; at < end && **at == '-' && std::string_view(*at) != "--"; ++at) {
    const CLI::Option* option = exec->get_option_no_throw(*at);
    if (option && option->get_items_expected_max() > 0) ++at;  // its value
  }
  if (at >= end || std::string_view(*at) != "--") return;
  std::copy(at + 1, end, at);
  argv[--argc] = nullptr;
}

}  // namespace dojo::cli

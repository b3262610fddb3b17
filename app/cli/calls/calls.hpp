#pragma once
// The calls of the command line as the parser knows them: one function per call, with its options, their help
// and what runs in the end. docs/cli.md lists them in the order of add_calls.
#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/cli.hpp"

namespace dojo::cli {

class Calls {
 public:
  explicit Calls(CLI::App& app) : app_(app) {}

  /// A call. `run` is what it does and gives the exit status; the options that it captures must live as long.
  CLI::App* add(const char* name, const char* help, std::function<int()> run);
  /// The call `name word`, such as `new lab`.
  CLI::App* add_below(const char* name, const char* help, const char* word, const char* word_help,
                      std::function<int()> run);
  /// What the parsed line asks for; empty: no call.
  const std::function<int()>& chosen() const { return chosen_; }

 private:
  CLI::App& app_;
  std::function<int()> chosen_;
};

/// All calls. `behind_play`: what stood behind `--` in a call of play (cut_arguments_of_play).
void add_calls(Calls&, const std::vector<std::string>& behind_play);

/// Takes what stands behind `--` in a call of play off the command line: the program's arguments.
std::vector<std::string> cut_arguments_of_play(int& argc, char** argv);

/// Takes the first `--` off a call of exec where it stands before the program, as in `exec -- PROGRAM ARGS`.
void cut_marker_of_exec(const CLI::App& root, int& argc, char** argv);

// The groups of add_calls.
void add_learning_calls(Calls&);
void add_program_calls(Calls&, const std::vector<std::string>& behind_play);
void add_measuring_calls(Calls&);
void add_teaching_calls(Calls&);

// ---- options that several calls have ----

/// "" or why the text is no limit: seconds, more than none, at most a day.
std::string seconds_of_a_limit(const std::string& text);
/// How STEP and --size are written, for their help.
inline constexpr const char* step_words = "reduce/5, reduce/sequential, or a path";
inline constexpr const char* size_words = "4194304, 2^22, 4M or rows=R,cols=C";
void add_json(CLI::App&, bool& json);
/// --seed, a whole number.
void add_seed(CLI::App&, uint64_t& seed);
/// --device; "a100" is short for "simt:a100", and "cuda" for "cuda:0".
void add_device(CLI::App&, std::string& device, const char* help = "h100, cuda:0 and others");
/// STEP, --who, --device, --size, --seed and --time-limit.
void add_run_options(CLI::App&, RunOptions&);
/// Words of --who.
const std::map<std::string, run::Who>& whos();

}  // namespace dojo::cli

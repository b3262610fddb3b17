// The calls of app/window in the program `warpdojo`: `warpdojo-window` beside it takes its place, with the
// same arguments.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

namespace dojo::cli {
namespace {

/// Returns only by an Error: the program is missing or can't be started.
[[noreturn]] void start_window_program() {
  std::string words = read_or_empty("/proc/self/cmdline");  // each ends in a zero
  std::vector<char*> arguments;
  for (size_t at = 0; at < words.size(); at += std::strlen(&words[at]) + 1) arguments.push_back(&words[at]);
  arguments.push_back(nullptr);
  const std::string program = (program_path().parent_path() / "warpdojo-window").string();
  std::fflush(nullptr);
  execv(program.c_str(), arguments.data());
  throw Error(
      fmt::format("{} does not start: {}. In a checkout ./warpdojo builds it; a package has it beside "
                  "warpdojo",
                  program, std::strerror(errno)),
      71);
}

}  // namespace

int cmd_app(const AppOptions&) { start_window_program(); }
int cmd_deck(const std::string&, const std::string&, const std::string&) { start_window_program(); }
int cmd_watch(const std::string&) { start_window_program(); }
run::Figures bench_window(const run::BenchOptions&) { start_window_program(); }

}  // namespace dojo::cli

#include "cli/cli.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/calls/calls.hpp"
#include "cli/terminal.hpp"
#include "cli/usage.hpp"
#include "core/error.hpp"
#include "core/install/version.hpp"
#include "core/text/error_words.hpp"

namespace dojo::cli {
namespace {

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
  Calls calls(app);
  add_calls(calls, behind);
  cut_marker_of_exec(app, argc, argv);

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
  return calls.chosen() ? calls.chosen()() : cmd_default();
}

/// A closed standard stream lends its number to the next file that is opened, and what is printed would go
/// into that file. Here it gets a file that can't be written (read, for input), so that printing fails.
void hold_standard_streams() {
  for (int fd = 0; fd < 3; ++fd)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)!open("/dev/null", (fd == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

/// The call's status, or 2 where its output did not arrive: on a full disk, or with a closed stream.
int told(int status) {
  if (output_written()) return status;
  fmt::print(stderr, "warpdojo: cannot write standard output: the disk is full, or it is closed\n");
  return status ? status : 2;
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
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
    return told(dispatch(n, words.data()));
  } catch (const Error& e) {
    (void)output_written();
    fmt::print(stderr, "warpdojo: {}\n", e.what());
    return e.exit;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "warpdojo: out of memory\n");
    return 71;
  } catch (const std::exception& e) {
    if (!output_written()) return told(0);  // what fmt throws then
    fmt::print(stderr, "warpdojo: {}\n", error_words(e));
    return 71;
  }
}

}  // namespace dojo::cli

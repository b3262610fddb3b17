#pragma once
#include <stdexcept>
#include <string>

namespace dojo {

/// An error meant for the person at the keyboard: what happened, where, what to do next, in one line.
/// `exit` is the exit status of CLI.md that a command line ends with.
struct Error : std::runtime_error {
  explicit Error(const std::string& what, int exit_status = 2)
      : std::runtime_error(what), exit(exit_status) {}
  int exit;
};

}  // namespace dojo

#pragma once
// Runs a command line and keeps what it printed.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "fixture_labs.hpp"

namespace dojo::test {

struct Shell {
  std::string out, err;
  int status = -1;
};

/// `line` goes to bash; $W is the program, and all it keeps goes below `home`.
inline Shell shell(const TempFolder& home, const std::string& root, const std::string& line) {
  const std::string h = home.path.string();
  const std::string command = "export W='" + program_path().string() + "' WARPDOJO_ROOT='" + root +
                              "' XDG_DATA_HOME='" + h + "/data' XDG_CACHE_HOME='" + h +
                              "/cache' XDG_CONFIG_HOME='" + h +
                              "/config'; unset DISPLAY WAYLAND_DISPLAY; { " + line + "\n} >'" + h +
                              "/out' 2>'" + h + "/err' </dev/null";
  home.write("command.sh", command);
  Shell s;
  const int status = std::system(("bash '" + h + "/command.sh'").c_str());
  s.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  s.out = read_or_empty(home.path / "out");
  s.err = read_or_empty(home.path / "err");
  return s;
}

inline bool one_line(const std::string& s) { return !s.empty() && s.find('\n') == s.size() - 1; }

}  // namespace dojo::test

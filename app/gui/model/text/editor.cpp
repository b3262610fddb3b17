#include "gui/model/text/editor.hpp"

#include "core/install/search_path.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace dojo::gui {

namespace fs = std::filesystem;

namespace {
std::vector<std::string> words(const std::string& s) {
  std::istringstream in(s);
  std::vector<std::string> out;
  for (std::string w; in >> w;) out.push_back(w);
  return out;
}
}  // namespace

std::string find_editor() {
  // Editors of the terminal need a terminal, which a window has none of.
  auto terminal = [](const std::string& c) {
    auto w = words(c);
    if (w.empty()) return true;
    std::string p = fs::path(w[0]).filename().string();
    for (const char* t :
         {"vi", "vim", "nvim", "nano", "emacs-nox", "micro", "hx", "helix", "ed", "joe", "mcedit"})
      if (p == t) return true;
    return false;
  };
  for (const char* name : {"VISUAL", "EDITOR"})
    if (const char* v = std::getenv(name); v && *v && !terminal(v) && !find_program(words(v)[0]).empty())
      return v;
  for (const char* p : {"code", "codium", "cursor", "zed", "subl", "kate", "gedit", "gnome-text-editor",
                        "mousepad", "xed", "geany", "emacs", "gvim", "xdg-open"})
    if (!find_program(p).empty()) return p;
  return "";
}

std::vector<std::string> editor_arguments(const std::string& command, const fs::path& file, int line) {
  auto args = words(command);
  if (args.empty()) return args;
  std::string p = fs::path(args[0]).filename().string(), f = file.string(),
              l = std::to_string(std::max(1, line));
  if (p == "code" || p == "codium" || p == "cursor") {
    args.insert(args.end(), {"-g", f + ":" + l});
  } else if (p == "subl" || p == "zed") {
    args.push_back(f + ":" + l);
  } else if (p == "kate") {
    args.insert(args.end(), {"-l", l, f});
  } else if (p == "gedit" || p == "emacs" || p == "gvim" || p == "geany" || p == "emacsclient") {
    args.insert(args.end(), {"+" + l, f});
  } else {
    args.push_back(f);
  }
  return args;
}

std::string start_detached(const std::vector<std::string>& args) {
  if (args.empty()) return "no program was named";
  if (find_program(args[0]).empty()) return args[0] + " is not installed";
  // Forked twice: init inherits the program, and no zombie stays.
  pid_t pid = ::fork();
  if (pid < 0) return std::strerror(errno);
  if (pid == 0) {
    if (::fork() == 0) {
      ::setsid();
      int null = ::open("/dev/null", O_RDWR);
      for (int fd : {0, 1, 2}) ::dup2(null, fd);
      std::vector<char*> argv;
      for (auto& a : args) argv.push_back(const_cast<char*>(a.c_str()));
      argv.push_back(nullptr);
      ::execvp(argv[0], argv.data());
      ::_exit(127);
    }
    ::_exit(0);
  }
  int status;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return "";
}

}  // namespace dojo::gui

#include "gui/model/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <sstream>

#include "gui/model/store.hpp"

namespace dojo::gui {

namespace {
/// Runs a short command and gives its output; false when it failed.
bool output_of(const std::vector<std::string>& args, const fs::path& folder, std::string& out) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return false;
  pid_t pid = ::fork();
  if (pid == 0) {
    if (::chdir(folder.c_str()) != 0) ::_exit(127);
    ::dup2(fds[1], 1);
    int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, 0);
    ::dup2(null, 2);
    std::vector<char*> argv;
    for (auto& a : args) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(fds[1]);
  out.clear();
  char buffer[4096];
  ssize_t n;
  while (pid > 0 && ((n = ::read(fds[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR)))
    if (n > 0) out.append(buffer, size_t(n));
  ::close(fds[0]);
  int status = 1;
  while (pid > 0 && ::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

fs::path original_copy(const fs::path& file, const fs::path& data) {
  return data / "originals" / file.parent_path().filename() / file.filename();
}

bool on_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream in(path ? path : "");
  for (std::string dir; std::getline(in, dir, ':');)
    if (::access((dir + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

std::vector<std::string> words(const std::string& s) {
  std::istringstream in(s);
  std::vector<std::string> out;
  for (std::string w; in >> w;) out.push_back(w);
  return out;
}
}  // namespace

std::string original_text(const fs::path& root, const fs::path& file, const fs::path& data, std::string& text) {
  std::error_code ec;
  fs::path relative = fs::relative(file, root, ec);
  // The commit that added the file: later ones may hold the student's own work.
  if (!ec && output_of({"git", "log", "--format=%H", "--diff-filter=A", "--", relative.string()}, root, text) && !text.empty()) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::string commit = text.substr(text.rfind('\n') + 1);
    if (output_of({"git", "show", commit + ":./" + relative.string()}, root, text) && !text.empty()) return "";
  }
  if (!data.empty() && read_file(original_copy(file, data), text)) return "";
  text.clear();
  return "There is no original of " + file.filename().string() + " to go back to (neither in git nor kept by the app).";
}

void keep_original(const fs::path& file, const fs::path& data) {
  if (data.empty()) return;
  std::error_code ec;
  fs::path copy = original_copy(file, data);
  std::string text;
  if (fs::exists(copy, ec) || !read_file(file, text)) return;
  write_atomically(copy, text);
}

std::string find_editor() {
  // Editors of the terminal need a terminal, which a window has none of.
  auto terminal = [](const std::string& c) {
    auto w = words(c);
    if (w.empty()) return true;
    std::string p = fs::path(w[0]).filename().string();
    for (const char* t : {"vi", "vim", "nvim", "nano", "emacs-nox", "micro", "hx", "helix", "ed", "joe", "mcedit"})
      if (p == t) return true;
    return false;
  };
  for (const char* name : {"VISUAL", "EDITOR"})
    if (const char* v = std::getenv(name); v && *v && !terminal(v) && on_path(words(v)[0])) return v;
  for (const char* p : {"code", "codium", "cursor", "zed", "subl", "kate", "gedit", "gnome-text-editor", "mousepad", "xed",
                        "geany", "emacs", "gvim", "xdg-open"})
    if (on_path(p)) return p;
  return "";
}

std::vector<std::string> editor_arguments(const std::string& command, const fs::path& file, int line) {
  auto args = words(command);
  if (args.empty()) return args;
  std::string p = fs::path(args[0]).filename().string(), f = file.string(), l = std::to_string(std::max(1, line));
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
  if (!on_path(args[0])) return args[0] + " is not installed";
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

#include "run/student/originals.hpp"

#include <algorithm>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>

#include "core/files/whole_file.hpp"
#include "core/install/user_labs.hpp"

extern char** environ;

namespace dojo::run {
namespace {

/// What stands apart from git: a handout's starters/, or the copy that an installed program brought.
std::optional<std::string> handed_out(const Catalog& c, const Step& s, const std::string& path) {
  if (auto text = read_file(c.root / "starters" / c.lab_of(s).folder.filename() / s.file)) return text;
  const fs::path copy = delivered_copy(c.root, path);
  return copy.empty() ? std::nullopt : read_file(copy);
}

/// The output of git in a folder; nothing when there is no git, no repository, or it fails.
std::optional<std::string> git(const fs::path& root, std::vector<std::string> args) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  args.insert(args.begin(), {"git", "-C", root.string()});
  std::vector<char*> argv;
  for (auto& a : args) argv.push_back(a.data());
  argv.push_back(nullptr);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, "git", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(fds[1]);
  std::string out;
  char buffer[4096];
  ssize_t n;
  while (!error && ((n = read(fds[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR)))
    if (n > 0) out.append(buffer, size_t(n));
  close(fds[0]);
  if (error) return std::nullopt;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return out;
}

fs::path kept_copy(const Catalog& c, const Step& s, const fs::path& data) {
  if (data.empty()) return {};
  return data / "originals" / c.lab_of(s).folder.filename() / s.file;
}

}  // namespace

void keep_original(const Catalog& c, const Step& s, const fs::path& data) {
  const fs::path copy = kept_copy(c, s, data);
  std::error_code ec;
  if (copy.empty() || fs::exists(copy, ec)) return;
  const auto text = read_file(c.student_file(s));
  // A file without its TODO has been worked on before it was first seen here.
  if (!text || text->find("TODO") == std::string::npos) return;
  fs::create_directories(copy.parent_path(), ec);
  write_atomically(copy, *text);
}

bool as_delivered(const Catalog& c, const Step& s, const fs::path& data, const std::string& text) {
  const fs::path copy = kept_copy(c, s, data);
  if (!copy.empty() && read_file(copy) == text) return true;
  return original_text(c, s, data) == text;
}

std::optional<std::string> original_text(const Catalog& c, const Step& s, const fs::path& data) {
  const std::string path = c.student_file(s).lexically_relative(c.root).string();
  if (auto text = handed_out(c, s, path)) return text;
  // A student's own commits touch files of the labs. So the newest commit that touches anything else has the
  // starter of the program that runs here, also after later versions were pulled.
  for (const std::vector<std::string>& which :
       {std::vector<std::string>{"-1", "--", "app", "assets", "reference", "tests"},
        {"--diff-filter=A", "--", path}}) {
    std::vector<std::string> args = {"log", "--format=%H"};
    args.insert(args.end(), which.begin(), which.end());
    const auto log = git(c.root, args);
    if (!log || log->empty()) continue;
    const size_t end = log->find_last_not_of('\n');
    const size_t begin = log->rfind('\n', end);
    const std::string commit = log->substr(begin == std::string::npos ? 0 : begin + 1,
                                           end - (begin == std::string::npos ? size_t(-1) : begin));
    if (auto text = git(c.root, {"show", commit + ":./" + path}); text && !text->empty()) return text;
  }
  const fs::path copy = kept_copy(c, s, data);
  return copy.empty() ? std::nullopt : read_file(copy);
}

bool excused_if_untouched(Status s) {
  return s == Status::wrong || s == Status::gate_failed || s == Status::finding || s == Status::timeout;
}

std::optional<std::string> starter_text(const Catalog& c, const Step& s) {
  const std::string path = c.student_file(s).lexically_relative(c.root).string();
  if (auto text = handed_out(c, s, path)) return text;
  // Once a process: a grading asks for each submission.
  static std::mutex guard;
  static std::map<std::pair<fs::path, std::string>, std::optional<std::string>> committed;
  const std::lock_guard lock(guard);
  const auto [it, first] = committed.try_emplace({c.root, path});
  if (first) it->second = git(c.root, {"show", "HEAD:./" + path});
  return it->second && !it->second->empty() ? it->second : read_file(c.student_file(s));
}

std::string starters_problem(const Catalog& c) {
  std::error_code ec;
  if (!fs::exists(c.root / ".git", ec) || fs::exists(c.root / "starters", ec) ||
      git(c.root, {"rev-parse", "HEAD"}))
    return {};
  return "git does not read " + c.root.string() +
         ", so starters are the files of labs/ as they are now. Install git, or if the folder is another "
         "user's: git config --global --add safe.directory " +
         fs::absolute(c.root, ec).string();
}

int untouched_todo(const Catalog& c, const Step& s, const fs::path& data, const std::string& text) {
  const size_t at = text.find("TODO");
  if (at == std::string::npos || !as_delivered(c, s, data, text)) return 0;
  return 1 + int(std::count(text.begin(), text.begin() + long(at), '\n'));
}

}  // namespace dojo::run

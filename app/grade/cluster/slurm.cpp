#include "grade/cluster/slurm.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <thread>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/text/escape.hpp"

namespace dojo::grade {
namespace {

std::string run_words(const std::vector<std::string>& words) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) throw Error("cannot start " + words[0], 71);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);  // Ctrl+C is the grader's to handle: a scheduler that is asked must answer
    dup2(fds[1], 1);
    dup2(fds[1], 2);
    std::vector<char*> argv;
    for (const auto& w : words) argv.push_back(const_cast<char*>(w.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  close(fds[1]);
  std::string out;
  char buffer[4096];
  for (ssize_t n; (n = read(fds[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) out.append(buffer, size_t(n));
  close(fds[0]);
  int status = 0;
  pid_t ended = child;
  while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
      throw Error(words[0] + " was not found: --slurm needs Slurm's client programs", 71);
    throw Error(words[0] + " failed: " + out.substr(0, 300), 71);
  }
  return out;
}

fs::path cache_mark(const SlurmPlan& p) {
  // Of this folder of this grading: a file of another would tell nothing.
  return p.cache / "warpdojo" / fmt::format("cluster-{:016x}", std::hash<std::string>{}(p.folder.string()));
}

}  // namespace

Scheduler slurm_commands() { return run_words; }

namespace {

/// A folder within the quotes of an option of sbatch. A % begins a pattern of its file names.
std::string sbatch_path(const fs::path& folder) {
  std::string out;
  for (char c : folder.string()) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '%') out += '%';
    out += c;
  }
  return out;
}

}  // namespace

std::string batch_script(const SlurmPlan& p, int tasks) {
  std::string s = "#!/bin/bash\n#SBATCH --job-name=warpdojo-grade\n";
  s += fmt::format("#SBATCH --array=0-{}\n", tasks - 1);
  s += fmt::format("#SBATCH --ntasks=1\n#SBATCH --cpus-per-task={}\n", p.workers);
  // A task that a lost node interrupts starts again by itself where the cluster allows it; it goes on from
  // its journal.
  s += "#SBATCH --requeue\n#SBATCH --open-mode=append\n";
  s += "#SBATCH --output=\"" + sbatch_path(p.folder) + "/task-%a.log\"\n";
  for (const auto& o : p.options) s += "#SBATCH " + o + "\n";
  s += "set -eu\ncd " + shell_word(p.folder.string()) + "\n";
  // Reference reports are made once for all: in the grader's own store, or, where homes aren't shared, here.
  const std::string own = shell_word((p.folder / "cache").string());
  if (p.cache.empty())
    s += "export XDG_CACHE_HOME=" + own + "\n";
  else
    s += fmt::format("if [ -e {} ]; then export XDG_CACHE_HOME={}; else export XDG_CACHE_HOME={}; fi\n",
                     shell_word(cache_mark(p).string()), shell_word(p.cache.string()), own);
  s += "exec";
  for (const auto& w : p.command) s += " " + shell_word(w);
  s += fmt::format(
      " --shard \"$SLURM_ARRAY_TASK_ID/{}@$SLURM_ARRAY_JOB_ID\" --out task-\"$SLURM_ARRAY_TASK_ID\" -j {}\n",
      tasks, p.workers);
  return s;
}

namespace {

constexpr int looks_an_asking = 10;

/// Is a job still in the queue, in whatever state?
bool in_queue(const Scheduler& scheduler, const std::string& job) {
  try {
    const std::string queue = scheduler({"squeue", "--noheader", "--jobs=" + job, "--format=%T"});
    return queue.find_first_not_of(" \n\t") != std::string::npos;
  } catch (const Error&) {
    return false;  // squeue fails for a job that the controller has forgotten
  }
}

/// The job that an interrupted grading left behind and that still runs: empty when there is none. Two jobs
/// must not write the same journals.
std::string job_left(const SlurmPlan& p, const Scheduler& scheduler) {
  const std::string job = read_or_empty(p.folder / "job");
  if (job.empty() || job.find_first_not_of("0123456789") != std::string::npos) return {};
  return in_queue(scheduler, job) ? job : std::string();
}

std::string submit(const SlurmPlan& p, const Scheduler& scheduler, int tasks) {
  const fs::path script = p.folder / "job.sh";
  if (!write_atomically(script, batch_script(p, tasks))) throw Error("cannot write " + script.string());
  const std::string answer = scheduler({"sbatch", "--parsable", script.string()});
  const std::string job = answer.substr(0, answer.find_first_not_of("0123456789"));
  if (job.empty()) throw Error("sbatch did not name a job: " + answer.substr(0, 200), 71);
  write_atomically(p.folder / "job", job);
  return job;
}

void cancel(const Scheduler& scheduler, const std::string& job) {
  try {
    scheduler({"scancel", job});
  } catch (const Error&) {  // it has ended meanwhile
  }
}

/// Tells nodes that see the grader's own store from those that don't.
struct CacheMark {
  fs::path file;
  explicit CacheMark(const SlurmPlan& p) {
    if (p.cache.empty()) return;
    file = cache_mark(p);
    write_atomically(file, "");
  }
  ~CacheMark() {
    std::error_code ec;
    if (!file.empty()) fs::remove(file, ec);
  }
  CacheMark(const CacheMark&) = delete;
};

}  // namespace

size_t run_slurm(const SlurmPlan& p, const Scheduler& scheduler, const std::function<size_t()>& missing,
                 const std::function<bool()>& stopped, const std::function<void(const std::string&)>& say) {
  std::error_code ec;
  fs::create_directories(p.folder, ec);
  const CacheMark mark(p);
  size_t left = missing();
  for (int round = 0; round < p.tries && left > 0; ++round) {
    std::string job = round == 0 ? job_left(p, scheduler) : std::string();
    if (!job.empty()) {
      say(fmt::format("job {} still runs: waiting for it", job));
    } else {
      const int tasks = int(std::min<size_t>(size_t(p.tasks), left));
      job = submit(p, scheduler, tasks);
      say(fmt::format("job {}: {} rows, {} tasks{}", job, left, tasks, round ? ", submitted again" : ""));
    }
    bool there = true;
    for (int look = 0;; ++look) {
      if (stopped && stopped()) {
        cancel(scheduler, job);
        return missing();
      }
      if ((left = missing()) == 0) break;
      // Journals are looked at often; the scheduler, which serves all users, is asked at times.
      if (look % looks_an_asking == 0 && !(there = in_queue(scheduler, job))) break;
      std::this_thread::sleep_for(std::chrono::duration<double>(p.poll_s));
    }
    // Tasks that have not begun would find nothing to do.
    if (left == 0 && there) cancel(scheduler, job);
    // A shared file system may show the last rows a moment later.
    for (int k = 0; k < 5 && (left = missing()) > 0; ++k)
      std::this_thread::sleep_for(std::chrono::duration<double>(p.poll_s / 4));
  }
  return left;
}

}  // namespace dojo::grade

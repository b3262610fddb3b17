#include "grade/slurm.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/error.hpp"
#include "run/reference_cache.hpp"

namespace dojo::grade {
namespace {

std::string run_words(const std::vector<std::string>& words) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) throw Error("cannot start " + words[0], 71);
  const pid_t child = fork();
  if (child == 0) {
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
  for (ssize_t n; (n = read(fds[0], buffer, sizeof buffer)) > 0;) out.append(buffer, size_t(n));
  close(fds[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
      throw Error(words[0] + " was not found: --slurm needs Slurm's client programs", 71);
    throw Error(words[0] + " failed: " + out.substr(0, 300), 71);
  }
  return out;
}

std::vector<int> open_tasks(const SlurmPlan& p) {
  std::vector<int> open;
  std::error_code ec;
  for (int t = 0; t < p.tasks; ++t)
    if (!fs::exists(whole_shard_file(p, t), ec)) open.push_back(t);
  return open;
}

}  // namespace

Scheduler slurm_commands() { return run_words; }

std::string shell_word(const std::string& s) {
  std::string out = "'";
  for (char c : s) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string task_list(const std::vector<int>& tasks) {
  std::string out;
  for (size_t i = 0; i < tasks.size();) {
    size_t j = i;
    while (j + 1 < tasks.size() && tasks[j + 1] == tasks[j] + 1) ++j;
    out += (out.empty() ? "" : ",") + std::to_string(tasks[i]);
    if (j > i) out += "-" + std::to_string(tasks[j]);
    i = j + 1;
  }
  return out;
}

fs::path shard_file(const SlurmPlan& p, int task) {
  return p.folder / fmt::format("task-{}.rows.jsonl", task);
}
fs::path whole_shard_file(const SlurmPlan& p, int task) {
  return p.folder / fmt::format("task-{}.whole.jsonl", task);
}

std::string batch_script(const SlurmPlan& p, const std::string& tasks) {
  std::string s = "#!/bin/bash\n#SBATCH --job-name=warpdojo-grade\n";
  s += "#SBATCH --array=" + tasks + "\n";
  s += fmt::format("#SBATCH --ntasks=1\n#SBATCH --cpus-per-task={}\n", p.workers);
  // A task that a lost node interrupts starts again by itself where the cluster allows it; it goes on from
  // its journal.
  s += "#SBATCH --requeue\n#SBATCH --open-mode=append\n";
  s += "#SBATCH --output=" + (p.folder / "task-%a.log").string() + "\n";
  for (const auto& o : p.options) s += "#SBATCH " + o + "\n";
  s += "set -eu\ncd " + shell_word(p.folder.string()) + "\n";
  const std::string rows = "task-\"$SLURM_ARRAY_TASK_ID\"";
  s += "exec";
  for (const auto& w : p.command) s += " " + shell_word(w);
  s +=
      fmt::format(" --shard \"$SLURM_ARRAY_TASK_ID\"/{} --out {} --resume -j {}\n", p.tasks, rows, p.workers);
  return s;
}

namespace {

/// Is a job still in the queue, in whatever state?
bool in_queue(const Scheduler& scheduler, const std::string& job) {
  try {
    const std::string queue = scheduler({"squeue", "--noheader", "--jobs=" + job, "--format=%T"});
    return queue.find_first_not_of(" \n\t") != std::string::npos;
  } catch (const Error&) {
    return false;  // squeue fails for a job that the controller has forgotten
  }
}

/// The job that an interrupted grading left behind and that still runs: empty when there is none. Two jobs must not
/// write the same journals.
std::string job_left(const SlurmPlan& p, const Scheduler& scheduler) {
  const std::string job = run::read_file(p.folder / "job").value_or("");
  if (job.empty() || job.find_first_not_of("0123456789") != std::string::npos) return {};
  return in_queue(scheduler, job) ? job : std::string();
}

std::string submit(const SlurmPlan& p, const Scheduler& scheduler, const std::vector<int>& open) {
  const fs::path script = p.folder / "job.sh";
  if (!run::write_atomically(script, batch_script(p, task_list(open))))
    throw Error("cannot write " + script.string());
  const std::string answer = scheduler({"sbatch", "--parsable", script.string()});
  const std::string job = answer.substr(0, answer.find_first_not_of("0123456789"));
  if (job.empty()) throw Error("sbatch did not name a job: " + answer.substr(0, 200), 71);
  run::write_atomically(p.folder / "job", job);
  return job;
}

}  // namespace

std::vector<int> run_slurm(const SlurmPlan& p, const Scheduler& scheduler,
                           const std::function<bool()>& stopped,
                           const std::function<void(const std::string&)>& say) {
  std::error_code ec;
  fs::create_directories(p.folder, ec);
  for (int round = 0; round < p.tries; ++round) {
    const std::vector<int> open = open_tasks(p);
    if (open.empty()) return {};
    std::string job = round == 0 ? job_left(p, scheduler) : std::string();
    if (!job.empty()) {
      say(fmt::format("job {} still runs: waiting for it", job));
    } else {
      job = submit(p, scheduler, open);
      say(fmt::format("job {}: {} of {} tasks{}", job, open.size(), p.tasks, round ? ", submitted again" : ""));
    }
    for (;;) {
      if (stopped && stopped()) {
        scheduler({"scancel", job});
        return open_tasks(p);
      }
      if (open_tasks(p).empty()) return {};
      if (!in_queue(scheduler, job)) break;
      std::this_thread::sleep_for(std::chrono::duration<double>(p.poll_s));
    }
    // A shared file system may show the last rename a moment later.
    for (int k = 0; k < 5 && !open_tasks(p).empty(); ++k)
      std::this_thread::sleep_for(std::chrono::duration<double>(p.poll_s / 4));
  }
  return open_tasks(p);
}

}  // namespace dojo::grade

#pragma once
// Grading as an array job of a Slurm cluster: each task grades a share of the submissions into a journal of
// its own in a folder that all nodes see; tasks whose node was lost are submitted again.
#include <functional>
#include <string>
#include <vector>

#include "core/lab.hpp"

namespace dojo::grade {

struct SlurmPlan {
  fs::path folder;                   ///< shared by all nodes: script, journals, logs
  int tasks = 1;                     ///< shares of the submissions
  int workers = 1;                   ///< processes (and processors) a task uses
  std::vector<std::string> command;  ///< what a task runs; "--shard K/N --out FILE --resume" is added
  std::vector<std::string> options;  ///< more options of sbatch ("--partition=cpu")
  int tries = 3;                     ///< of a task, before grading gives up on it
  double poll_s = 2;
};

/// The batch script, for the tasks given: "0-15" or "3,7".
std::string batch_script(const SlurmPlan&, const std::string& tasks);
/// "0,1,2,5" as "0-2,5".
std::string task_list(const std::vector<int>&);
/// A word for a shell.
std::string shell_word(const std::string&);
/// The journal of a task while it is written, and when it is whole.
fs::path shard_file(const SlurmPlan&, int task);
fs::path whole_shard_file(const SlurmPlan&, int task);

/// How the scheduler is reached: runs words, returns its output; throws Error when the program fails.
using Scheduler = std::function<std::string(const std::vector<std::string>& words)>;
/// sbatch, squeue and scancel of this machine.
Scheduler slurm_commands();

/// Submits what is not there yet, waits, submits lost tasks again. Returns the tasks that have no whole
/// journal in the end. `stopped`: cancels the job and returns.
std::vector<int> run_slurm(const SlurmPlan&, const Scheduler&, const std::function<bool()>& stopped,
                           const std::function<void(const std::string&)>& say);

}  // namespace dojo::grade

#pragma once
// Grading as an array job of a Slurm cluster: the tasks take rows from one list (shared_work.hpp) into
// journals of their own, in a folder that all nodes see; what lost tasks leave is submitted again.
#include <functional>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"

namespace dojo::grade {

struct SlurmPlan {
  fs::path folder;                   ///< shared by all nodes: script, claims, journals, logs
  int tasks = 1;                     ///< of the array, at most one a row
  int workers = 1;                   ///< processes (and processors) a task uses
  std::vector<std::string> command;  ///< what a task runs; "--shard K/N@JOB --out FILE" is added
  std::vector<std::string> options;  ///< more options of sbatch ("--partition=cpu")
  int tries = 3;                     ///< jobs, before grading gives up on what is missing
  fs::path cache;                    ///< the store of reference reports to use where a node sees it, or empty
  double poll_s = 2;
};

/// The batch script, for tasks 0 to `tasks` - 1.
std::string batch_script(const SlurmPlan&, int tasks);
/// A word for a shell.

/// How the scheduler is reached: runs words, returns its output; throws Error when the program fails.
using Scheduler = std::function<std::string(const std::vector<std::string>& words)>;
/// sbatch, squeue and scancel of this machine.
Scheduler slurm_commands();

/// Submits, waits, submits again while rows are missing. Returns how many are missing in the end. `missing`:
/// how many are not there yet, asked at every look. `stopped`: cancels the job and returns.
size_t run_slurm(const SlurmPlan&, const Scheduler&, const std::function<size_t()>& missing,
                 const std::function<bool()>& stopped, const std::function<void(const std::string&)>& say);

}  // namespace dojo::grade

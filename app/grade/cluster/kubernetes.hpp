#pragma once
// Grading as an Indexed Job of a Kubernetes cluster: the same tasks as Slurm's (shared_work.hpp), one per
// completion index, in a folder on a volume that all pods mount. What a pod must be given is in the manifest
// alone, so that a process with JOB_COMPLETION_INDEX set is a worker as well.
#include <string>
#include <vector>

#include "core/labs/lab.hpp"

namespace dojo::grade {

struct KubernetesPlan {
  fs::path folder;                   ///< of the job, on the volume: journals, logs
  int tasks = 1;                     ///< completions
  int workers = 1;                   ///< processes (and processors) per pod
  int memory_mb = 6144;              ///< per process
  std::string image;                 ///< holds WarpDojo, built
  std::string claim;                 ///< of the volume that holds submissions, course.toml and the folder
  std::string mount;                 ///< where the volume is mounted: the same path as here
  bool secret = false;               ///< the secret "warpdojo" has the key "secret"
  std::vector<std::string> command;  ///< what a task runs; --shard, --out and -j are added
};

/// The shell line of a pod, which reads JOB_COMPLETION_INDEX.
std::string pod_line(const KubernetesPlan&);
/// The manifest (batch/v1 Job, completionMode Indexed), as YAML.
std::string job_manifest(const KubernetesPlan&);

}  // namespace dojo::grade

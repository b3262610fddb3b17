#include "grade/cluster/kubernetes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text/escape.hpp"
#include "grade/cluster/slurm.hpp"

namespace dojo::grade {
namespace {

/// A text as YAML takes it: JSON's form is one of YAML's.
std::string yaml_text(const std::string& s) { return nlohmann::json(s).dump(); }

}  // namespace

std::string pod_line(const KubernetesPlan& p) {
  std::string s = "set -eu; cd " + shell_word(p.folder.string()) +
                  "; export XDG_CACHE_HOME=" + shell_word((p.folder / "cache").string()) + "; exec";
  for (const auto& w : p.command) s += " " + shell_word(w);
  // Round 1: a pod that is started again owns what its index had taken, and goes on from its journal.
  return s + fmt::format(" --shard \"$JOB_COMPLETION_INDEX/{}@1\" --out task-\"$JOB_COMPLETION_INDEX\" -j {}",
                         p.tasks, p.workers);
}

std::string job_manifest(const KubernetesPlan& p) {
  std::string y = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: warpdojo-grade\nspec:\n";
  y += fmt::format("  completionMode: Indexed\n  completions: {0}\n  parallelism: {0}\n", p.tasks);
  y += fmt::format("  backoffLimit: {}\n", 3 * p.tasks);
  y += "  template:\n    spec:\n      restartPolicy: OnFailure\n      automountServiceAccountToken: false\n";
  y += "      containers:\n      - name: grade\n        image: " + yaml_text(p.image) + "\n";
  y += "        command: [\"/bin/sh\", \"-c\", " + yaml_text(pod_line(p)) + "]\n";
  if (p.secret)
    y += "        env:\n        - name: WARPDOJO_SECRET\n          valueFrom:\n            secretKeyRef:\n"
         "              name: warpdojo\n              key: secret\n";
  y += fmt::format(
      "        resources:\n          requests:\n            cpu: \"{0}\"\n            memory: {1}Mi\n        "
      "  limits:\n"
      "            memory: {1}Mi\n",
      p.workers, p.workers * (p.memory_mb + 1024));
  y += "        volumeMounts:\n        - name: shared\n          mountPath: " + yaml_text(p.mount) + "\n";
  y += "      volumes:\n      - name: shared\n        persistentVolumeClaim:\n          claimName: " +
       yaml_text(p.claim) + "\n";
  return y;
}

}  // namespace dojo::grade

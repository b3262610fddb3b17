// Grading by the tasks of a cluster: Slurm's array jobs and Kubernetes' Indexed Jobs.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/grading/grading.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "grade/cluster/kubernetes.hpp"
#include "grade/cluster/shared_work.hpp"
#include "grade/cluster/slurm.hpp"
#include "grade/journal.hpp"
#include "grade/references.hpp"
#include "run/reference_cache.hpp"

namespace dojo::cli {
namespace {

/// What tasks make for each other holds for one grading only.
fs::path shared_folder(const fs::path& plan_folder, const std::string& fingerprint) {
  return plan_folder / ("shared-" + fingerprint);
}

/// What every task of a cluster runs, but for its share, its journal and the secret.
std::vector<std::string> task_command(const Grading& s, const GradeCommand& o) {
  std::vector<std::string> words = {"env", "WARPDOJO_ROOT=" + s.catalog.root.string(),
                                    program_path().string(), "grade"};
  for (const auto& p : o.paths) words.push_back(fs::absolute(p).string());
  for (const auto& [option, file] : {std::pair<std::string, std::string>{"--course", o.course},
                                     {"--roster", o.roster},
                                     {"--overrides", o.overrides},
                                     {"--tests", o.tests}})
    if (!file.empty()) words.insert(words.end(), {option, fs::absolute(file).string()});
  if (!o.device.empty()) words.insert(words.end(), {"--device", o.device});
  if (o.seeds > 0) words.insert(words.end(), {"--seeds", std::to_string(o.seeds)});
  if (o.no_sandbox) words.push_back("--no-sandbox");
  if (o.one_student) words.push_back("--one-student");
  return words;
}

/// Some rows a task, so that starting tasks costs little.
int tasks_for(const GradeCommand& o, size_t rows) {
  return o.slurm_tasks > 0 ? o.slurm_tasks : std::clamp(int(rows) / 8, 1, 64);
}

/// What pods read must lie on the volume.
void refuse_outside(const fs::path& mount, const GradeCommand& o) {
  std::vector<std::string> read = o.paths;
  for (const std::string& file : {o.course, o.roster, o.overrides, o.tests})
    if (!file.empty()) read.push_back(file);
  for (const std::string& path : read) {
    const fs::path inside = fs::absolute(path).lexically_normal().lexically_relative(mount);
    if (inside.empty() || *inside.begin() == "..")
      throw Error(path + " is not below " + mount.string() +
                  ", the volume that the pods mount: copy it there");
  }
}

}  // namespace

int grade_shard(Grading& s, const GradeCommand& o) {
  int k = -1, n = 0, job = 0;
  if (std::sscanf(o.shard.c_str(), "%d/%d@%d", &k, &n, &job) < 2 || k < 0 || n < 1 || k >= n)
    throw Error("--shard is K/N@JOB, K from 0 to N - 1");
  const fs::path out = fs::absolute(o.out);
  const std::string print = s.fingerprint();
  const grade::SharedWork shared(shared_folder(out.parent_path(), print), std::to_string(job), k, n);
  s.options.shared = &shared;
  s.options.threads = 1;  // a processor a worker is what the scheduler gave
  grade::Journals all(out.parent_path(), print);
  all.read_new();
  const std::string journal = out.string() + ".rows.jsonl";
  grade_here(s, journal, fs::exists(journal), "", all.rows());
  return 0;
}

int plan_kubernetes(Grading& s, const GradeCommand& o) {
  grade::KubernetesPlan plan;
  plan.folder = fs::absolute(o.kubernetes).lexically_normal();
  std::error_code ec;
  refuse_outside(plan.folder.parent_path(), o);
  if (fs::exists(plan.folder, ec) && !fs::is_empty(plan.folder, ec))
    throw Error(o.kubernetes + " is not empty: rows of an earlier job would mix with these");
  fs::create_directories(plan.folder, ec);
  plan.tasks = tasks_for(o, s.row_keys().size());
  plan.workers = o.jobs;
  plan.memory_mb = s.options.course.memory_mb;
  plan.image = o.image;
  plan.claim = o.claim;
  plan.mount = plan.folder.parent_path();
  plan.secret = !s.options.secret.empty();
  plan.command = task_command(s, o);
  const fs::path file = plan.folder / "job.yaml";
  if (!write_atomically(file, grade::job_manifest(plan))) throw Error("cannot write " + file.string());
  fmt::print("{}: {} task{}. The pods mount the volume '{}' at {}, and start {}.\n", file.string(),
             plan.tasks, plan.tasks == 1 ? "" : "s", plan.claim, plan.mount, program_path().string());
  if (plan.secret) fmt::print("  kubectl create secret generic warpdojo --from-file=secret=SECRET_FILE\n");
  fmt::print(
      "  kubectl apply -f {}\n  kubectl wait --for=condition=complete --timeout=-1s job/warpdojo-grade\nthen "
      "the "
      "same call with --collect {} in the place of --kubernetes {}\n",
      file.string(), o.kubernetes, o.kubernetes);
  return 0;
}

std::vector<grade::Row> collect(Grading& s, const GradeCommand& o) {
  grade::Journals journals(fs::absolute(o.collect), s.fingerprint());
  journals.read_new();
  std::vector<grade::Row> rows;
  const auto keys = s.row_keys();
  for (const auto& k : keys)
    if (const auto it = journals.rows().find(k); it != journals.rows().end()) rows.push_back(it->second);
  if (rows.size() < keys.size())
    throw Error(fmt::format("{} of {} rows are not in {} yet: wait for the job, or start it again",
                            keys.size() - rows.size(), keys.size(), o.collect),
                71);
  s.options.course.sandbox = "on each node";
  return rows;
}

std::vector<grade::Row> grade_on_cluster(Grading& s, const GradeCommand& o) {
  grade::SlurmPlan plan;
  std::error_code ec;
  plan.folder = fs::absolute((o.out.empty() ? "warpdojo-grades" : o.out) + ".slurm");
  if (!o.resume) {
    // A job of an earlier grading would go on writing here.
    if (const std::string job = read_or_empty(plan.folder / "job"); !job.empty()) try {
        grade::slurm_commands()({"scancel", job});
      } catch (const Error&) {
      }
    fs::remove_all(plan.folder, ec);
  }
  fs::create_directories(plan.folder, ec);
  fs::permissions(plan.folder, fs::perms::owner_all, ec);
  const std::string print = s.fingerprint();
  const std::vector<std::string> keys = s.row_keys();
  plan.tasks = tasks_for(o, keys.size());
  plan.workers = o.jobs;
  plan.options = o.slurm_options;
  plan.poll_s = o.slurm_poll_s;
  plan.cache = cache_folder().parent_path();
  const fs::path secret = plan.folder / "secret";
  write_atomically(secret, s.options.secret);
  fs::permissions(secret, fs::perms::owner_read | fs::perms::owner_write, ec);
  plan.command = task_command(s, o);
  if (!s.options.secret.empty()) plan.command.insert(plan.command.end(), {"--secret-file", secret.string()});
  grade::Journals journals(plan.folder, print);
  const bool tty = isatty(2);
  const auto missing = [&] {
    journals.read_new();
    const auto there = size_t(
        std::count_if(keys.begin(), keys.end(), [&](const auto& k) { return journals.rows().count(k) > 0; }));
    if (tty) fmt::print(stderr, "\r\x1b[K{} of {}\r", there, keys.size());
    return keys.size() - there;
  };
  const size_t lost = grade::run_slurm(plan, grade::slurm_commands(), missing, s.options.stopped, say);
  if (interrupted()) throw Error("stopped; go on with --slurm --resume", 130);
  for (const auto& note : grade::notes_of_plans(shared_folder(plan.folder, print))) say(note);
  if (lost > 0)
    throw Error(
        fmt::format(
            "{} rows are missing after {} tries; the tasks' logs are in {}. Go on with --slurm --resume",
            lost, plan.tries, plan.folder.string()),
        71);
  std::vector<grade::Row> rows;
  for (const auto& k : keys) rows.push_back(journals.rows().at(k));
  s.options.course.sandbox = "on each node";
  fs::remove(secret, ec);
  return rows;
}

}  // namespace dojo::cli

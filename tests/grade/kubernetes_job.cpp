// The Indexed Job: its manifest, and its worker's contract without a cluster: a process with
// JOB_COMPLETION_INDEX.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "grade/cluster/kubernetes.hpp"
#include "grade/formats.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

namespace {

/// The value of a key in a manifest, its first.
std::string value_of(const std::string& yaml, const std::string& key) {
  const size_t at = yaml.find(key + ": ");
  if (at == std::string::npos) return {};
  const size_t from = at + key.size() + 2;
  return yaml.substr(from, yaml.find('\n', from) - from);
}

/// What the Job controller of a cluster does: runs the manifest's command line once per completion index.
struct Pods {
  fs::path folder;
  Pods(const fs::path& in, const std::string& yaml) : folder(in) {
    std::ofstream(folder / "pod.sh") << nlohmann::json::parse(value_of(yaml, "command"))[2].get<std::string>()
                                     << "\n";
  }
  pid_t start(const std::string& index) const {
    const pid_t child = fork();
    if (child == 0) {
      setenv("JOB_COMPLETION_INDEX", index.c_str(), 1);
      setenv("WARPDOJO_SECRET", "words", 1);
      (void)!freopen((folder / ("pod-" + index)).c_str(), "a", stderr);
      execl("/bin/sh", "sh", (folder / "pod.sh").c_str(), nullptr);
      _exit(127);
    }
    return child;
  }
  static int ended(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

}  // namespace

TEST_CASE("the manifest is an Indexed Job whose pods see the volume and the secret") {
  grade::KubernetesPlan p;
  p.folder = "/shared/it's here";
  p.tasks = 8;
  p.workers = 2;
  p.image = "registry/warpdojo:1";
  p.claim = "course";
  p.mount = "/shared";
  p.secret = true;
  p.command = {"/opt/warpdojo", "grade", "/class/o'neil \"x\""};
  const std::string y = grade::job_manifest(p);
  CHECK(value_of(y, "apiVersion") == "batch/v1");
  CHECK(value_of(y, "kind") == "Job");
  CHECK(value_of(y, "completionMode") == "Indexed");
  CHECK(value_of(y, "completions") == "8");
  CHECK(value_of(y, "restartPolicy") == "OnFailure");
  CHECK(value_of(y, "automountServiceAccountToken") == "false");
  CHECK(value_of(y, "mountPath") == "\"/shared\"");
  CHECK(value_of(y, "claimName") == "\"course\"");
  CHECK(value_of(y, "memory") == "14336Mi");
  CHECK(y.find("key: secret\n") != std::string::npos);
  CHECK(y.find("\t") == std::string::npos);
  // The command is a JSON list, which YAML reads as it is.
  const auto command = nlohmann::json::parse(value_of(y, "command"));
  REQUIRE(command.size() == 3);
  CHECK(command[2] == grade::pod_line(p));
}

TEST_CASE("workers with a completion index each grade a class together; one that is killed goes on") {
  const SmallClass c;
  for (const char* who : {"ada", "bob", "carl", "dora"}) c.hand_in(who, c.solution());
  c.hand_in("eve", "not CUDA\n");
  std::ofstream(c.path / "course.toml") << "seeds = 1\n[[step]]\nstep = 'reduce/5-sequential'\n";
  const fs::path job = c.path / "job", log = c.path / "log";
  const std::string program = program_path().string(), call = program + " grade " + c.people.string() +
                                                              " --secret words --course " +
                                                              (c.path / "course.toml").string();
  REQUIRE_MESSAGE(exit_status(call + " --kubernetes " + job.string() + " --slurm-tasks 2", log) == 0,
                  read_or_empty(log));
  CHECK(read_or_empty(log).find("kubectl apply -f ") != std::string::npos);
  // Files that no pod would see.
  const Folder elsewhere;
  std::ofstream(elsewhere.path / "roster.csv") << "id,name\nada,Ada\n";
  CHECK(exit_status(call + " --roster " + (elsewhere.path / "roster.csv").string() + " --kubernetes " +
                        (c.path / "job2").string(),
                    log) == 2);
  CHECK(read_or_empty(log).find("roster.csv is not below") != std::string::npos);
  // A second job into the same folder would mix rows.
  CHECK(exit_status(call + " --kubernetes " + job.string(), log) == 2);
  const std::string yaml = read_or_empty(job / "job.yaml");
  CHECK(yaml.find("words") == std::string::npos);  // the secret is not in it
  const Pods pods(c.path, yaml);
  CHECK(exit_status(call + " --collect " + job.string(), log) == 71);
  CHECK(read_or_empty(log).find("5 of 5 rows are not in") != std::string::npos);

  const pid_t lost = pods.start("0");
  for (int k = 0;
       k < 600 && read_or_empty(job / "task-0.rows.jsonl").find("\"student\"") == std::string::npos; ++k)
    usleep(50000);
  kill(lost, SIGKILL);
  Pods::ended(lost);
  const pid_t again = pods.start("0"), other = pods.start("1");  // as the Job controller would
  CHECK(Pods::ended(again) == 0);
  CHECK(Pods::ended(other) == 0);
  REQUIRE_MESSAGE(
      exit_status(call + " --collect " + job.string() + " --out " + (c.path / "k8s.csv").string(), log) == 0,
      read_or_empty(log));
  REQUIRE_MESSAGE(exit_status(call + " --out " + (c.path / "here.csv").string(), log) == 0,
                  read_or_empty(log));
  CHECK(read_or_empty(c.path / "k8s.csv") == read_or_empty(c.path / "here.csv"));
  CHECK(grade::read_csv(read_or_empty(c.path / "k8s.csv")).size() == 5);
}

TEST_CASE("workers with a completion index each grade a class together by an instructor's test cases") {
  const SmallClass c;
  for (const char* who : {"ada", "bob", "carl"}) c.hand_in(who, c.solution());
  c.hand_in("dora", read_or_empty(c.root / "labs/01-reduce/5-sequential.cu"));
  std::ofstream(c.path / "mine.cpp") << example_of_the_docs();
  std::ofstream(c.path / "course.toml") << "[[step]]\nstep = 'reduce/5-sequential'\n";
  const fs::path job = c.path / "job", log = c.path / "log";
  const std::string call = program_path().string() + " grade " + c.people.string() +
                           " --secret words --course " + (c.path / "course.toml").string() + " --tests " +
                           (c.path / "mine.cpp").string();
  REQUIRE_MESSAGE(exit_status(call + " --kubernetes " + job.string() + " --slurm-tasks 2", log) == 0,
                  read_or_empty(log));
  const Pods pods(c.path, read_or_empty(job / "job.yaml"));
  const pid_t one = pods.start("0"), other = pods.start("1");
  CHECK(Pods::ended(one) == 0);
  CHECK(Pods::ended(other) == 0);
  const std::string collect = " --collect " + job.string() + " --out " + (c.path / "k8s.csv").string();
  REQUIRE_MESSAGE(exit_status(call + collect, log) == 0, read_or_empty(log));
  REQUIRE_MESSAGE(exit_status(call + " --out " + (c.path / "here.csv").string(), log) == 0,
                  read_or_empty(log));
  CHECK(read_or_empty(c.path / "k8s.csv") == read_or_empty(c.path / "here.csv"));
  const auto rows = grade::read_csv(read_or_empty(c.path / "k8s.csv"));
  REQUIRE(rows.size() == 4);
  for (const auto& r : rows) CHECK(r.points == (r.student == "dora" ? 4 : 10));
  // Each row was made once, by one of the two.
  size_t made = 0;
  for (const char* k : {"0", "1"}) {
    const std::string journal = read_or_empty(job / (std::string("task-") + k + ".rows.jsonl"));
    for (size_t at = 0; (at = journal.find("\"student\"", at)) != std::string::npos; ++at) ++made;
  }
  CHECK(made == 4);
  // Other cases of the same name are another grading.
  std::ofstream(c.path / "mine.cpp", std::ios::app) << "// changed\n";
  CHECK(exit_status(call + collect, log) != 0);
}

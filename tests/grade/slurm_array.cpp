// Grading as an array job: the script, lost nodes, and a real cluster of two nodes where Slurm is installed.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "grade/cluster/slurm.hpp"
#include "grade/formats.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

TEST_CASE("the batch script is a whole array job, whatever the paths hold") {
  grade::SlurmPlan p;
  p.folder = "/shared/it's here";
  p.tasks = 8;
  p.workers = 2;
  p.command = {"/opt/warpdojo", "grade", "/class/o'neil & co"};
  p.options = {"--partition=teaching"};
  p.cache = "/home/o'neil/.cache";
  const std::string s = grade::batch_script(p, 8);
  for (const char* line :
       {"#!/bin/bash\n", "#SBATCH --array=0-7\n", "#SBATCH --cpus-per-task=2\n", "#SBATCH --requeue\n",
        "#SBATCH --partition=teaching\n", "cd '/shared/it'\\''s here'\n", "'/class/o'\\''neil & co'",
        "--shard \"$SLURM_ARRAY_TASK_ID/8@$SLURM_ARRAY_JOB_ID\"", "-j 2\n",
        "then export XDG_CACHE_HOME='/home/o'\\''neil/.cache'; else export XDG_CACHE_HOME='/shared/it'\\''s "
        "here/cache'"})
    CHECK_MESSAGE(s.find(line) != std::string::npos, line);
  CHECK(s.find("#SBATCH --output=\"/shared/it's here/task-%a.log\"\n") != std::string::npos);
  p.folder = "/shared/100% of \"it\"";
  CHECK(grade::batch_script(p, 1).find("=\"/shared/100%% of \\\"it\\\"/task-%a.log\"\n") !=
        std::string::npos);
  // bash reads it as it is meant.
  const Folder f;
  std::ofstream(f.path / "job.sh") << s;
  CHECK(exit_status("bash -n " + (f.path / "job.sh").string()) == 0);
}

TEST_CASE(
    "a task uses the grader's store of reference reports where it sees it, else one in the shared folder") {
  const Folder f;
  grade::SlurmPlan p;
  p.folder = f.path / "job";
  p.cache = f.path / "home";
  p.poll_s = 0.001;
  p.command = {"sh", "-c", "echo $XDG_CACHE_HOME >" + (f.path / "seen").string()};
  std::string elsewhere;  // what happens to the node's home
  const grade::Scheduler fake = [&](const std::vector<std::string>& words) -> std::string {
    if (words[0] != "sbatch") return "";
    CHECK(exit_status(elsewhere + "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_JOB_ID=1 sh " + words.back()) == 0);
    return "1\n";
  };
  p.tries = 1;
  grade::run_slurm(
      p, fake, [] { return size_t(1); }, {}, [](const std::string&) {});
  CHECK(read_or_empty(f.path / "seen") == p.cache.string() + "\n");
  CHECK(fs::is_empty(p.cache / "warpdojo"));  // the mark is gone
  elsewhere = "mv " + (p.cache / "warpdojo").string() + " " + (f.path / "away").string() + "; ";
  grade::run_slurm(
      p, fake, [] { return size_t(1); }, {}, [](const std::string&) {});
  CHECK(read_or_empty(f.path / "seen") == (p.folder / "cache").string() + "\n");
}

TEST_CASE("what lost tasks leave is submitted again, and given up after some tries") {
  const Folder f;
  grade::SlurmPlan p;
  p.folder = f.path;
  p.tasks = 5;
  p.command = {"true"};
  p.poll_s = 0.001;
  size_t left = 12;
  std::vector<size_t> after{2, 0};  // rows that are missing when a job has ended
  std::vector<std::string> submitted, cancelled;
  const grade::Scheduler fake = [&](const std::vector<std::string>& words) -> std::string {
    if (words[0] == "scancel") cancelled.push_back(words[1]);
    if (words[0] != "sbatch") return "";
    const std::string script = read_or_empty(words.back());
    const size_t at = script.find("--array=") + 8;
    submitted.push_back(script.substr(at, script.find('\n', at) - at));
    if (!after.empty()) left = after.front(), after.erase(after.begin());
    return fmt::format("{};cluster\n", 40 + submitted.size());
  };
  const auto missing = [&] { return left; };
  const auto quiet = [](const std::string&) {};
  CHECK(grade::run_slurm(p, fake, missing, {}, quiet) == 0);
  CHECK(submitted == std::vector<std::string>{"0-4", "0-1"});
  // All rows were there while the second job was in the queue: tasks that have not begun are not waited for.
  CHECK(cancelled == std::vector<std::string>{"42"});
  // All there: nothing is submitted.
  CHECK(grade::run_slurm(p, fake, missing, {}, quiet) == 0);
  CHECK(submitted.size() == 2);
  left = 1;
  CHECK(grade::run_slurm(p, fake, missing, {}, quiet) == 1);
  CHECK(submitted.size() == 5);
  // A job that an interrupted grading left in the queue is waited for: a second one would do its work again.
  bool queued = true;
  int asked = 0;
  const grade::Scheduler busy = [&](const std::vector<std::string>& words) -> std::string {
    if (words[0] != "squeue") return fake(words);
    ++asked;
    if (std::find(words.begin(), words.end(), "--jobs=77") == words.end()) return "";
    left = 0;
    return std::exchange(queued, false) ? "RUNNING\n" : "";
  };
  std::ofstream(f.path / "job") << "77";
  CHECK(grade::run_slurm(p, busy, missing, {}, quiet) == 0);
  CHECK(submitted.size() == 5);
  CHECK(asked == 1);
  left = 1;
  // A scheduler that isn't there is named.
  CHECK_THROWS_AS(
      grade::run_slurm(
          p, [](const auto&) -> std::string { throw Error("sbatch was not found", 71); }, missing, {}, quiet),
      Error);
}

TEST_CASE(
    "a real Slurm cluster of two nodes grades a class; a node is lost in the middle of a task, the grader "
    "killed") {
  if (geteuid() != 0 ||
      exit_status("command -v slurmctld && command -v slurmd && command -v munged && command -v sbatch")) {
    MESSAGE("not run: needs root and the packages slurmctld, slurmd, slurm-client, munge");
    return;
  }
  const SmallClass c;
  for (int k = 0; k < 6; ++k)
    c.hand_in("student-" + std::to_string(k), c.solution() + "// " + std::to_string(k) + "\n");
  for (int k = 0; k < 6; ++k)  // each keeps a node busy for some seconds, all of them beyond what follows
    c.hand_in("late-" + std::to_string(k),
              read_or_empty(fs::path(DOJO_TEST_ROOT) / "tests/hostile/host-loop.cu"));
  const std::string script = (fs::path(DOJO_TEST_ROOT) / "tests/grade/slurm-loopback.sh").string();
  const std::string cluster = (c.path / "slurm").string();
  REQUIRE_MESSAGE(exit_status(script + " start " + cluster) == 0, "the cluster starts");
  struct Stop {
    std::string words;
    ~Stop() { exit_status(words); }
  } stop{script + " stop " + cluster};
  const Environment conf("SLURM_CONF", cluster + "/slurm.conf");
  std::ofstream(c.path / "course.toml")
      << "title = 'Small'\nseeds = 1\ntime_limit_s = 60\nmemory_mb = 1024\n"
         "compile_limit_s = 4\n[[step]]\nstep = 'reduce/5-sequential'\npoints = 10\n";
  const std::string out = (c.path / "grades.csv").string();
  const std::string words = "exec " + program_path().string() + " grade " + c.people.string() +
                            " --secret 'a secret of tests' --course " + (c.path / "course.toml").string() +
                            " --slurm --slurm-tasks 4 --slurm-poll 0.2 --out " + out;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", (words + " >" + out + ".log 2>&1").c_str(), nullptr);
    _exit(127);
  }
  // Once the second node runs a task, the node goes with what it runs, then the grader. One command looks and
  // ends the node: in between the task could come to its end.
  const std::string lose_node =
      "t=$(squeue --noheader --nodelist=n2 --states=R --format=%K | head -n 1) && [ -n \"$t\" ] && "
      // Running, and far enough to have said so in its log.
      "grep -q 'sandbox: ' '" +
      out + ".slurm/task-'$t.log && " + script + " kill " + cluster + " 2";
  bool lost = false;
  for (int k = 0; k < 600 && !lost; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    lost = exit_status(lose_node) == 0;
  }
  CHECK(lost);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(!fs::exists(out));
  CHECK(exit_status(words + " --resume >" + out + ".log2 2>&1") == 0);
  CAPTURE(read_or_empty(out + ".log2"));
  CHECK(read_or_empty(out + ".log2").find("still runs: waiting for it") != std::string::npos);
  CHECK(!fs::exists(out + ".slurm/secret"));
  // What the lost node had begun was begun again.
  size_t begun = 0;
  for (int t = 0; t < 4; ++t) {
    const std::string log = read_or_empty(out + ".slurm/task-" + std::to_string(t) + ".log");
    size_t times = 0;
    for (size_t at = 0; (at = log.find("sandbox: ", at)) != std::string::npos; ++at) ++times;
    begun = std::max(begun, times);
  }
  CHECK(begun > 1);
  // The same file as without a cluster.
  const Catalog catalog = c.catalog();
  auto options = c.options(catalog);
  options.course.time_limit_s = 60;
  CHECK(read_or_empty(out) == grade::find_format("csv").text({}, c.grade(options, catalog)));
}

TEST_CASE("a job that ends while its grading is stopped is no failure") {
  const Folder f;
  grade::SlurmPlan p;
  p.folder = f.path / "job";
  p.poll_s = 0.001;
  const grade::Scheduler ended = [](const std::vector<std::string>& words) -> std::string {
    if (words[0] == "scancel") throw Error("scancel failed: Invalid job id specified", 71);
    return words[0] == "sbatch" ? "7\n" : "";
  };
  CHECK(grade::run_slurm(
            p, ended, [] { return size_t(3); }, [] { return true; }, [](const std::string&) {}) == 3);
}

TEST_CASE("a scheduler's answer is read whole, whatever signals arrive meanwhile") {
  struct sigaction quiet {
  }, before{};
  quiet.sa_handler = [](int) {};  // without SA_RESTART, as the grader's own of Ctrl+C
  sigaction(SIGALRM, &quiet, &before);
  const itimerval often{{0, 20000}, {0, 20000}}, never{};
  setitimer(ITIMER_REAL, &often, nullptr);
  std::string answer;
  CHECK_NOTHROW(answer = grade::slurm_commands()({"sh", "-c", "sleep 0.5; echo 4711"}));
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  CHECK(answer == "4711\n");
}

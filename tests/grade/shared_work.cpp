// Several tasks at one class: who takes which row, what is made once for all, what becomes of a lost task's
// work.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "../no_threads.hpp"
#include "core/error.hpp"
#include "grade/cluster/shared_work.hpp"
#include "grade/journal.hpp"
#include "grade/pool/row_queue.hpp"
#include "grade/pool/threads.hpp"
#include "grade/references.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

namespace {

using Items = std::vector<grade::RowQueue::Item>;
Items class_of(int students, int steps) {
  Items all;
  for (int s = 0; s < students; ++s)
    for (int k = 0; k < steps; ++k)
      all.push_back(
          {"s" + std::to_string(s), size_t(k), "s" + std::to_string(s) + "/lab/" + std::to_string(k)});
  return all;
}

std::vector<size_t> all_of(grade::RowQueue& q) {
  std::vector<size_t> rows;
  std::optional<size_t> last;
  while ((last = q.next(last))) rows.push_back(*last);
  return rows;
}

}  // namespace

TEST_CASE(
    "a unit of work is taken once, whichever task asks; a task that begins again still owns what it had") {
  const Folder f;
  const grade::SharedWork a(f.path, "7", 0, 2), b(f.path, "7", 1, 2);
  CHECK(a.claim("row-1"));
  CHECK(a.claim("row-1"));
  CHECK(!b.claim("row-1"));
  CHECK(b.others("row-1"));
  CHECK(!a.others("row-1"));
  CHECK(!b.others("row-2"));
  const grade::SharedWork again(f.path, "7", 0, 2), next_round(f.path, "8", 1, 2);
  CHECK(again.claim("row-1"));
  CHECK(b.all_others().count("row-1") == 1);
  CHECK(again.all_others().count("row-1") == 0);
  CHECK(next_round.claim("row-1"));
  // Names may hold anything.
  const std::string odd = grade::SharedWork::unit("row", "o'neil / ../x");
  CHECK(a.claim(odd));
  CHECK(odd != grade::SharedWork::unit("row", "o'neil / ../y"));
  CHECK_THROWS_AS(grade::SharedWork("/proc/none", "1", 0, 1), Error);

  // From many threads at once.
  std::vector<std::vector<int>> got(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      const grade::SharedWork w(f.path, "9", t, 8);
      for (int u = 0; u < 200; ++u)
        if (w.claim("u" + std::to_string(u))) got[size_t(t)].push_back(u);
    });
  for (auto& t : threads) t.join();
  std::vector<int> every;
  for (const auto& g : got) every.insert(every.end(), g.begin(), g.end());
  std::sort(every.begin(), every.end());
  CHECK(every.size() == 200);
  CHECK(std::adjacent_find(every.begin(), every.end()) == every.end());
}

TEST_CASE("rows are taken by student, from the front; what others left, from the far end") {
  grade::RowQueue alone(class_of(2, 3), nullptr, {});
  CHECK(all_of(alone) == std::vector<size_t>{0, 1, 2, 3, 4, 5});

  // Two workers: each stays at its student, the first to end helps the other.
  grade::RowQueue two(class_of(2, 3), nullptr, {});
  const auto a = two.next(std::nullopt), b = two.next(std::nullopt);
  CHECK(a == size_t(0));
  CHECK(b == size_t(3));
  CHECK(two.next(a) == size_t(1));
  CHECK(two.next(a) == size_t(2));
  CHECK(two.next(size_t(2)) == size_t(5));
  CHECK(two.next(b) == size_t(4));
  CHECK(!two.next(b));

  // What a row needs is being made elsewhere: others first, it in the end all the same.
  grade::RowQueue waiting(class_of(1, 3), nullptr, [](size_t step) { return step == 0; });
  CHECK(all_of(waiting) == std::vector<size_t>{1, 2, 0});
}

TEST_CASE("tasks begin far apart and take each row once between them, a lost task's rows stay its own") {
  const Folder f;
  const auto queue = [&](const grade::SharedWork& w) { return grade::RowQueue(class_of(4, 3), &w, {}); };
  const grade::SharedWork w0(f.path, "1", 0, 2), w1(f.path, "1", 1, 2);
  auto q0 = queue(w0), q1 = queue(w1);
  CHECK(q0.next(std::nullopt) == size_t(0));
  CHECK(q1.next(std::nullopt) == size_t(6));
  std::vector<size_t> rest0;
  // The first goes on alone: its students, then those that no task has begun, then the second's from the end.
  for (std::optional<size_t> last = 0; (last = q0.next(last));) rest0.push_back(*last);
  CHECK(rest0 == std::vector<size_t>{1, 2, 3, 4, 5, 9, 10, 11, 8, 7});
  CHECK(!q1.next(size_t(6)));
  // The second was lost before it had done row 6; it starts again. A late third finds nothing.
  const grade::SharedWork again(f.path, "1", 1, 2), late(f.path, "1", 2, 3);
  auto q2 = queue(again), q3 = queue(late);
  CHECK(all_of(q2) == std::vector<size_t>{6});
  CHECK(all_of(q3).empty());
}

TEST_CASE("journals that others write are read as they grow, half lines later") {
  const Folder f;
  const auto row = [](const char* student) {
    grade::Row r;
    r.student = student;
    r.lab = "reduce";
    r.step = "5-sequential";
    return r;
  };
  grade::Journals all(f.path, "print");
  all.read_new();
  CHECK(all.rows().empty());
  grade::Journal one((f.path / "task-0.rows.jsonl").string(), "print", {row("a")});
  all.read_new();
  CHECK(all.rows().size() == 1);
  one.add(row("b"));
  const std::string line = grade::to_json(row("c")) + "\n";
  std::ofstream(f.path / "task-1.rows.jsonl") << "{\"grading\":\"print\"}\n" << line.substr(0, 20);
  all.read_new();
  CHECK(all.rows().size() == 2);
  std::ofstream(f.path / "task-1.rows.jsonl", std::ios::app) << line.substr(20);
  all.read_new();
  CHECK(all.rows().count("c/reduce/5-sequential") == 1);
  // A task that begins again writes its file anew.
  grade::Journal again((f.path / "task-1.rows.jsonl").string(), "print", {row("c")});
  again.add(row("d"));
  all.read_new();
  CHECK(all.rows().size() == 4);
  std::ofstream(f.path / "task-2.rows.jsonl") << "{\"grading\":\"other\"}\n";
  CHECK_THROWS_AS(all.read_new(), Error);
}

TEST_CASE(
    "two tasks grade a class between them as one would; the reference runs once, and so do wrong versions") {
  const SmallClass c;
  const std::string wrong = [&] {
    for (const auto& e : fs::directory_iterator(c.root / "tests/wrong/01-reduce"))
      if (read_or_empty(e.path()).find("expect: wrong") != std::string::npos) return read_or_empty(e.path());
    return std::string("int x;\n");
  }();
  for (int k = 0; k < 3; ++k) {
    c.hand_in("right-" + std::to_string(k), c.solution() + "// " + std::to_string(k) + "\n");
    c.hand_in("wrong-" + std::to_string(k), wrong + "// " + std::to_string(k) + "\n");
  }
  const Catalog catalog = c.catalog();
  auto options = c.options(catalog);
  options.jobs = 1;
  std::map<std::string, std::string> expected;
  for (const auto& r : c.grade(options, catalog)) expected[r.key()] = grade::to_json(r);
  CHECK(expected.size() == 6);
  CHECK(grade::row_keys(catalog, grade::find_submissions({c.people.string()}, catalog), options.course)
            .size() == 6);

  const Folder f;
  std::vector<std::vector<grade::Row>> rows(2);
  std::vector<std::thread> tasks;
  for (int t = 0; t < 2; ++t)
    tasks.emplace_back([&, t] {
      const grade::SharedWork shared(f.path, "1", t, 2);
      auto mine = options;
      mine.shared = &shared;
      rows[size_t(t)] = c.grade(mine, catalog);
    });
  for (auto& t : tasks) t.join();
  std::map<std::string, std::string> got;
  for (const auto& part : rows)
    for (const auto& r : part) {
      CHECK(got.count(r.key()) == 0);
      got[r.key()] = grade::to_json(r);
    }
  CHECK(got == expected);

  // A third in another round (all claims free) takes what was made from the folder: changed there, it shows.
  fs::path plan_file;
  for (const auto& e : fs::directory_iterator(f.path))
    if (e.path().filename().string().starts_with("plan-")) plan_file = e.path();
  REQUIRE(!plan_file.empty());
  auto plan = grade::plan_from_json(read_or_empty(plan_file));
  CHECK(plan.inputs.size() == 1);
  CHECK(grade::to_json(grade::plan_from_json(grade::to_json(plan))) == grade::to_json(plan));
  plan.inputs[0].gates = false;
  plan.notes = {"a note of the maker's"};
  std::ofstream(plan_file) << grade::to_json(plan);
  CHECK(grade::notes_of_plans(f.path) == plan.notes);
  const grade::SharedWork third(f.path, "2", 0, 1);
  auto last = options;
  last.shared = &third;
  const auto ungated = c.grade(last, catalog);
  REQUIRE(ungated.size() == 6);
  for (const auto& r : ungated) CHECK_MESSAGE(r.checks.size() == 1, r.key());
  // A damaged one is made again.
  std::ofstream(plan_file) << "{";
  const grade::SharedWork fourth(f.path, "3", 0, 1);
  last.shared = &fourth;
  std::map<std::string, std::string> repaired;
  for (const auto& r : c.grade(last, catalog)) repaired[r.key()] = grade::to_json(r);
  CHECK(repaired == expected);
}

TEST_CASE("threads of a grading: what one throws arrives when all have ended, fewer do where no more start") {
  std::atomic<int> ended{0};
  CHECK_THROWS_WITH_AS(grade::run_on_threads(3,
                                             [&] {
                                               ++ended;
                                               throw Error("cannot write rows.jsonl");
                                             }),
                       "cannot write rows.jsonl", Error);
  CHECK(ended == 3);
  const NoThreads none;
  grade::run_on_threads(4, [&] { ++ended; });
  CHECK(ended == 4);
}

TEST_CASE("a row that can't be kept ends a grading with its words, on every thread") {
  const SmallClass c;
  for (const char* name : {"ada", "bob", "eve", "kim"}) c.hand_in(name, "int x");
  const Catalog catalog = c.catalog();
  auto options = c.options(catalog);
  options.jobs = 2;
  options.row = [](const grade::Row&, int, int) { throw Error("cannot write rows.jsonl: the disk is full"); };
  CHECK_THROWS_WITH_AS(c.grade(options, catalog), "cannot write rows.jsonl: the disk is full", Error);
}

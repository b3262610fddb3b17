#pragma once
// A folder of submissions in the window: who handed in what, stepping through them, grading them off the
// drawing thread, the table of rows.
#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/labs/lab.hpp"
#include "grade/grader.hpp"
#include "gui/model/teaching/instructor.hpp"
#include "run/sandbox/sandbox.hpp"

namespace dojo::gui {

class Submissions {
 public:
  using Grade = std::function<std::vector<grade::Row>(const Catalog&, const std::vector<grade::Submission>&,
                                                      const grade::GradeOptions&)>;
  using Probe = std::function<run::Sandbox()>;
  enum Column { student, step, status, points, time, message };

  /// `wake` ends the window's wait, from any thread. `grade`, `probe`: stand-ins for tests.
  explicit Submissions(std::function<void()> wake = {}, Grade grade = grade::grade_all, Probe probe = {});
  ~Submissions();

  /// Opens what `warpdojo grade PATH` takes, with the steps of a course.toml (empty: all of the catalog).
  /// False, and error() says why, when there is nothing. Ends a grading that is going on.
  bool open(const Catalog&, const std::string& path, const std::string& course_file = {});
  void close();
  bool empty() const { return people_.empty(); }
  const std::string& error() const { return error_; }
  const std::string& path() const { return path_; }
  const std::vector<grade::Submission>& people() const { return people_; }
  const grade::Course& course() const { return course_; }

  /// The row that is open; -1: none.
  int at() const { return at_; }
  const grade::Row* row() const { return at_ >= 0 ? &rows_[size_t(at_)] : nullptr; }
  /// Opens a row of the table by its place in rows(). The file that goes with it, text read, never null;
  /// `missing` is set when nothing readable was handed in.
  std::shared_ptr<const StandIn> open_row(int index);
  /// The same step of the next (+1) or previous (-1) student; null at the ends.
  std::shared_ptr<const StandIn> go(int direction);
  std::string step_of(int index) const;  ///< id of the row's step
  std::string position() const;          ///< "ada, 3 of 25"

  /// Every student and step, graded or not yet (status empty). order() has those that the table shows:
  /// without a course, steps without a file are left out.
  const std::vector<grade::Row>& rows() const { return rows_; }
  const std::vector<int>& order() const { return order_; }
  void sort(Column, bool ascending);
  /// All rows there are, as `grade --format csv` writes them.
  std::string csv() const;

  /// Starts grading. False, and error() says why.
  bool grade(const std::string& secret, int jobs, bool trust);
  void cancel();
  bool grading() const { return grading_; }
  bool cancelling() const { return stop_; }
  int done() const { return done_; }
  int all() const { return all_; }
  std::string last() const { return last_; }  ///< "ada/reduce/5-sequential pass"
  std::string summary() const;  ///< "18 of 25 graded, 73.5 of 100 points per student on average"
  /// Takes what came from the thread. True when something changed.
  bool poll();

  /// The sandbox for submissions, once it was tried out; never waits. `trust`: none is wanted.
  std::optional<run::Sandbox> sandbox();

 private:
  void join();
  void resort();
  std::shared_ptr<const StandIn> file_of(int index) const;

  std::function<void()> wake_;
  Grade grade_;
  Probe probe_;
  std::shared_ptr<const Catalog> catalog_;  // its own: the app may load the labs again meanwhile
  std::string path_, error_, last_;
  std::vector<grade::Submission> people_;
  grade::Course course_;
  std::vector<grade::Row> rows_;
  std::map<std::string, int> index_;  // by key
  std::set<std::string> handed_in_;   // steps with a file of some student
  bool whole_catalog_ = false;        // there is no course: every step there is
  std::vector<int> order_;
  Column by_ = student;
  bool ascending_ = true;
  int at_ = -1, done_ = 0, all_ = 0;
  std::shared_future<run::Sandbox> sandbox_;
  // The thread and what it hands over.
  std::thread thread_;
  std::mutex mutex_;
  std::vector<grade::Row> fresh_;
  std::string problem_;
  bool ended_ = false, grading_ = false;
  std::atomic<bool> stop_{false};
};

}  // namespace dojo::gui

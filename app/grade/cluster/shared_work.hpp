#pragma once
// How the tasks of one grading divide the work among themselves, through a folder that all nodes see: a unit
// of work is taken by making a file of its name, which file systems let succeed once only. What one task has
// made for all (how the reference does on a step) lies there too.
#include <optional>
#include <set>
#include <string>

#include "core/labs/lab.hpp"

namespace dojo::grade {

class SharedWork {
 public:
  /// `round`: claims of another round don't count (a job that was submitted again: what a lost task had taken
  /// is free). `task`: of `tasks`; in the same round a task that was interrupted still owns what it had
  /// taken.
  SharedWork(fs::path folder, const std::string& round, int task, int tasks);
  int task() const { return task_; }
  int tasks() const { return tasks_; }

  /// Takes a unit: true when it is this task's, now or from before it was interrupted. Throws Error when the
  /// folder can't be written.
  bool claim(const std::string& unit) const;
  bool others(const std::string& unit) const;  ///< another task has it
  /// The units that had been taken by others when it was asked; never one that this task owned when it began.
  std::set<std::string> all_others() const;
  /// A name for a unit, whatever `of` holds.
  static std::string unit(const std::string& kind, const std::string& of);

  /// What a task made for all, by name; readers see all of it or nothing. Writing is at best effort.
  std::optional<std::string> load(const std::string& name) const;
  void store(const std::string& name, const std::string& text) const;

 private:
  fs::path folder_, claims_;
  int task_, tasks_;
  std::string me_;
  std::set<std::string> from_before_;
};

}  // namespace dojo::grade

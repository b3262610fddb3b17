#pragma once
// Which row is graded next, by several threads and, on a cluster, by several tasks: first the student's at
// whose files a worker is, then a student whom no worker has begun, then what others have left.
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace dojo::grade {

class SharedWork;

class RowQueue {
 public:
  struct Item {
    std::string student;  ///< rows of one student follow each other
    size_t step = 0;
    std::string key;  ///< of the row, the same in all tasks
  };
  /// `waits`: what a row of this step needs is being made by another task, so that another row is better.
  RowQueue(std::vector<Item>, const SharedWork* shared, std::function<bool(size_t step)> waits);
  /// A row that is now the caller's; nothing when none is left. `last`: the row that the caller had before.
  std::optional<size_t> next(std::optional<size_t> last);

 private:
  struct Student {
    size_t first = 0, end = 0;  ///< its rows
    bool begun = false;
    std::string key;
  };
  bool take(size_t row);
  std::optional<size_t> next(std::optional<size_t> last, const std::function<bool(size_t row)>& fit);

  std::vector<Item> items_;
  std::vector<Student> students_;
  const SharedWork* shared_;
  std::function<bool(size_t)> waits_;
  std::mutex mutex_;
  std::vector<char> taken_;
};

}  // namespace dojo::grade

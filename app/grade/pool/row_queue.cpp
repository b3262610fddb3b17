#include "grade/pool/row_queue.hpp"

#include <map>
#include <set>

#include "grade/cluster/shared_work.hpp"

namespace dojo::grade {

RowQueue::RowQueue(std::vector<Item> items, const SharedWork* shared, std::function<bool(size_t)> waits)
    : items_(std::move(items)), shared_(shared), waits_(std::move(waits)), taken_(items_.size(), 0) {
  for (size_t i = 0; i < items_.size(); ++i) {
    if (i == 0 || items_[i].student != items_[i - 1].student)
      students_.push_back({i, i, false, SharedWork::unit("student", items_[i].student)});
    students_.back().end = i + 1;
  }
}

bool RowQueue::take(size_t row) {
  if (taken_[row]) return false;
  taken_[row] = 1;
  if (!shared_ || shared_->claim(SharedWork::unit("row", items_[row].key))) return true;
  // Others are at work here: one look at all that they have saves asking for each.
  const std::set<std::string> gone = shared_->all_others();
  for (size_t i = 0; i < items_.size(); ++i)
    if (!taken_[i] && gone.count(SharedWork::unit("row", items_[i].key))) taken_[i] = 1;
  return false;
}

std::optional<size_t> RowQueue::next(std::optional<size_t> last) {
  const std::lock_guard lock(mutex_);
  std::map<size_t, bool> waits;  // asked once a step
  const auto ready = [&](size_t row) {
    const size_t step = items_[row].step;
    auto it = waits.find(step);
    if (it == waits.end()) it = waits.emplace(step, waits_ && waits_(step)).first;
    return !it->second;
  };
  if (const auto row = next(last, ready)) return row;
  return next(last, [](size_t) { return true; });
}

std::optional<size_t> RowQueue::next(std::optional<size_t> last, const std::function<bool(size_t)>& fit) {
  const auto possible = [&](size_t row) { return !taken_[row] && fit(row); };
  if (last)
    for (const Student& s : students_)
      if (*last >= s.first && *last < s.end)
        for (size_t row = s.first; row < s.end; ++row)
          if (possible(row) && take(row)) return row;
  // Tasks begin far from each other.
  const size_t begin = shared_ ? size_t(shared_->task()) * students_.size() / size_t(shared_->tasks()) : 0;
  for (size_t k = 0; k < students_.size(); ++k) {
    Student& s = students_[(begin + k) % students_.size()];
    if (s.begun) continue;
    for (size_t row = s.first; row < s.end; ++row) {
      if (!possible(row)) continue;
      if (!s.begun) {
        s.begun = true;
        if (shared_ && !shared_->claim(s.key)) break;
      }
      if (take(row)) return row;
    }
  }
  // From the far end, where the task that owns these rows comes last.
  for (size_t row = items_.size(); row-- > 0;)
    if (possible(row) && take(row)) return row;
  return std::nullopt;
}

}  // namespace dojo::grade

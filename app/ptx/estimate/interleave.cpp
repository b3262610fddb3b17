#include "ptx/estimate/interleave.hpp"

#include <algorithm>
#include <queue>
#include <set>
#include <utility>

#include "ptx/estimate/block_sources.hpp"
#include "ptx/estimate/memory_order.hpp"

namespace dojo::ptx {
namespace {

constexpr int most_registers = 96;
/// Operations that are tried where registers are short, for one that takes none.
constexpr int most_tried = 64;

/// Cycles after which a result can be used; loads of global memory come long before their users.
int latency(const ShapeOp& op) {
  if (op.load || op.atomic) return op.space == Space::shared ? 30 : 300;
  switch (op.pipe) {
    case Pipe::lsu:
    case Pipe::tex:
      return 24;  // shuffles
    case Pipe::xu:
      return 18;
    case Pipe::tensor:
      return 33;
    case Pipe::fp64:
      return 8;
    default:
      return 4;
  }
}

class Interleaving {
 public:
  Interleaving(std::vector<ShapeOp> ops, const Function& f, int more_registers)
      : f_(f),
        ops_(std::move(ops)),
        before_(ops_.size()),
        left_(ops_.size(), 0),
        users_(ops_.size(), 0),
        ready_at_(ops_.size(), 0),
        place_(ops_.size(), -1) {
    for (const ShapeOp& op : ops_)
      for (int32_t s : block_sources(op)) ++users_[size_t(s)];
    find_order();
    const int in_order = highest_in_order();
    allowed_ = std::max(in_order, std::min(in_order + more_registers, most_registers));
    to_end_.assign(ops_.size(), 0);
    for (size_t i = ops_.size(); i-- > 0;)
      for (int32_t n : before_[i])
        to_end_[i] = std::max(to_end_[i], to_end_[size_t(n)] + cycles_between(int32_t(i), size_t(n)));
  }

  std::vector<ShapeOp> run() {
    for (int32_t i = 0; i < int32_t(ops_.size()); ++i)
      if (left_[size_t(i)] == 0) ready_.insert({-to_end_[size_t(i)], i});
    out_.reserve(ops_.size());
    while (out_.size() < ops_.size()) {
      while (!later_.empty() && later_.top().first <= now_) {
        ready_.insert({-to_end_[size_t(later_.top().second)], later_.top().second});
        later_.pop();
      }
      if (const int32_t i = next(); i >= 0) issue(i);
      ++now_;
    }
    return std::move(out_);
  }

 private:
  void after(int32_t later, int32_t earlier) {
    before_[size_t(earlier)].push_back(later);
    ++left_[size_t(later)];
  }

  /// What must be issued before what, beyond results.
  void find_order() {
    int32_t last_fence = -1, last_write = -1;
    std::vector<int32_t> since_fence, reads;
    for (int32_t i = 0; i < int32_t(ops_.size()); ++i) {
      const ShapeOp& op = ops_[size_t(i)];
      for (int32_t s : block_sources(op)) after(i, s);
      if (last_fence >= 0) after(i, last_fence);
      if (holds_accesses(op, f_) || op.routine) {
        for (int32_t s : since_fence) after(i, s);
        since_fence.clear(), reads.clear();
        last_fence = i, last_write = -1;
        continue;
      }
      since_fence.push_back(i);
      if (op.store || op.atomic) {
        if (last_write >= 0) after(i, last_write);
        for (int32_t r : reads) after(i, r);
        reads.clear();
        last_write = i;
      } else if (op.load && !read_only(f_.code[size_t(op.ptx)])) {
        if (last_write >= 0) after(i, last_write);
        reads.push_back(i);
      }
    }
  }

  /// From one operation to one that may not come before it: until its result is there, where that one reads
  /// it.
  int cycles_between(int32_t earlier, size_t later) const {
    const auto& sources = ops_[later].sources;
    const bool reads = std::find(sources.begin(), sources.end(), earlier) != sources.end();
    return reads ? latency(ops_[size_t(earlier)]) : 1;
  }

  static int words(const ShapeOp& op) { return op.load ? std::max(1, int(op.width) / 4) : 1; }

  int highest_in_order() const {
    std::vector<int32_t> users = users_;
    int live = 0, highest = 0;
    for (size_t i = 0; i < ops_.size(); ++i) {
      for (int32_t s : block_sources(ops_[i]))
        if (--users[size_t(s)] == 0) live -= words(ops_[size_t(s)]);
      if (users[i]) live += words(ops_[i]);
      highest = std::max(highest, live);
    }
    return highest;
  }

  /// Words of results that are waited for, more or fewer once the operation is issued.
  int change(int32_t i) const {
    const ShapeOp& op = ops_[size_t(i)];
    int words_more = users_[size_t(i)] ? words(op) : 0;
    for (int32_t s : block_sources(op))
      if (users_[size_t(s)] == 1) words_more -= words(ops_[size_t(s)]);
    return words_more;
  }

  /// Of those that are ready the one from which most cycles lead to the end; where registers are short, one
  /// that takes none. -1: none in this cycle.
  int32_t next() {
    int tried = 0;
    for (auto it = ready_.begin(); it != ready_.end() && tried < most_tried; ++it, ++tried) {
      if (live_ >= allowed_ && change(it->second) > 0) continue;
      return it->second;
    }
    if (ready_.empty() || !later_.empty()) {
      now_ = std::max(now_, later_.top().first - 1);
      return -1;
    }
    // Nothing that is under way frees a register: the first in the old order must come.
    while (place_[size_t(first_left_)] >= 0) ++first_left_;
    return left_[size_t(first_left_)] == 0 ? first_left_ : ready_.begin()->second;
  }

  void issue(int32_t i) {
    ShapeOp op = ops_[size_t(i)];
    for (int32_t& s : block_sources(op)) {
      if (--users_[size_t(s)] == 0) live_ -= words(ops_[size_t(s)]);
      s = place_[size_t(s)];
    }
    if (users_[size_t(i)]) live_ += words(op);
    place_[size_t(i)] = int32_t(out_.size());
    ready_.erase({-to_end_[size_t(i)], i});
    for (int32_t next : before_[size_t(i)]) {
      const auto n = size_t(next);
      ready_at_[n] = std::max(ready_at_[n], now_ + cycles_between(i, n));
      if (--left_[n] == 0) later_.push({ready_at_[n], next});
    }
    out_.push_back(std::move(op));
  }

  using Later = std::pair<int64_t, int32_t>;  ///< cycle, operation

  const Function& f_;
  std::vector<ShapeOp> ops_, out_;
  std::vector<std::vector<int32_t>> before_;  ///< per operation: those that may not come before it
  std::vector<int32_t> left_;                 ///< per operation: how many it still has to wait for
  std::vector<int32_t> users_;                ///< per operation: what still has to read its result
  std::vector<int64_t> ready_at_;             ///< per operation: cycle
  std::vector<int32_t> place_;                ///< per operation: where it is in `out_`, or -1
  std::vector<int64_t> to_end_;               ///< per operation: cycles of the longest way to the end
  std::set<Later> ready_;                     ///< by cycles to the end, most first
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
  int64_t now_ = 0;
  int32_t first_left_ = 0;
  int live_ = 0, allowed_ = 0;  ///< words of results that wait for a user
};

}  // namespace

std::vector<ShapeOp> interleave(std::vector<ShapeOp> ops, const Function& f, int more_registers) {
  return Interleaving(std::move(ops), f, more_registers).run();
}

}  // namespace dojo::ptx

#include "ptx/estimate/hoist_loads.hpp"

#include <algorithm>
#include <utility>

#include "ptx/estimate/block_sources.hpp"
#include "ptx/estimate/memory_order.hpp"

namespace dojo::ptx {
namespace {

/// Two spaces that can hold the same address. Space::none is a generic address.
bool can_overlap(Space a, Space b) { return a == b || a == Space::none || b == Space::none; }

class Hoisting {
 public:
  Hoisting(std::vector<ShapeOp> ops, const Function& f, int most_in_flight)
      : f_(f),
        most_in_flight_(most_in_flight),
        ops_(std::move(ops)),
        issued_(ops_.size(), not_issued),
        level_(ops_.size(), 0),
        waiting_users_(ops_.size(), 0) {
    for (const ShapeOp& op : ops_)
      for (int32_t s : block_sources(op)) ++waiting_users_[size_t(s)];
    find_loads();
  }

  std::vector<ShapeOp> run() {
    out_.reserve(ops_.size());
    for (int32_t i = 0; i < int32_t(ops_.size()); ++i) {
      // A run of instructions that come from one PTX instruction stays together.
      if (i == 0 || ops_[size_t(i)].ptx != ops_[size_t(i - 1)].ptx) hoist();
      issue(i);
    }
    return std::move(out_);
  }

 private:
  struct Load {
    int32_t behind;  ///< the last operation that it may not pass, or -1
    int32_t level;   ///< loads that its address depends on, one after the other
    int32_t op;
  };

  const Meaning* meaning(const ShapeOp& op) const {
    return op.ptx >= 0 ? &f_.code[size_t(op.ptx)].meaning : nullptr;
  }
  bool plain_load(const ShapeOp& op) const {
    const Meaning* m = meaning(op);
    return m && op.memory >= 0 && m->effect == Effect::load && m->order == Order::weak;
  }
  void find_loads() {
    int32_t last_fence = -1;
    std::vector<std::pair<Space, int32_t>> stores;  // the last one in each space
    for (int32_t i = 0; i < int32_t(ops_.size()); ++i) {
      const ShapeOp& op = ops_[size_t(i)];
      for (int32_t s : block_sources(op))
        level_[size_t(i)] =
            std::max(level_[size_t(i)], level_[size_t(s)] + (plain_load(ops_[size_t(s)]) ? 1 : 0));
      if (op.ptx >= 0 && holds_accesses(op, f_)) last_fence = i;
      if (plain_load(op)) {
        int32_t behind = last_fence;
        for (const auto& [space, at] : stores)
          if (can_overlap(space, op.space) && !read_only(f_.code[size_t(op.ptx)]))
            behind = std::max(behind, at);
        loads_.push_back({behind, level_[size_t(i)], i});
      } else if (op.store || op.atomic) {
        const auto known =
            std::find_if(stores.begin(), stores.end(), [&](const auto& s) { return s.first == op.space; });
        if (known != stores.end())
          known->second = i;
        else
          stores.push_back({op.space, i});
      }
    }
    std::stable_sort(loads_.begin(), loads_.end(), [](const Load& a, const Load& b) {
      return a.behind != b.behind ? a.behind < b.behind : a.level < b.level;
    });
  }

  /// Issues the loads that may come now, while there are registers for them.
  void hoist() {
    while (next_ < loads_.size()) {
      const Load& load = loads_[next_];
      if (load.behind >= 0 && issued_[size_t(load.behind)] < 0) return;
      if (issued_[size_t(load.op)] < 0) {
        if (in_flight_ + registers(ops_[size_t(load.op)]) > most_in_flight_) return;
        issue(load.op);
      }
      ++next_;
    }
  }

  static int registers(const ShapeOp& op) { return std::max(1, int(op.width) / 4); }

  /// Issues an operation after all that it needs. `sources` come before their users.
  void issue(int32_t wanted) {
    needed_.assign(1, wanted);
    for (size_t k = 0; k < needed_.size(); ++k)
      for (int32_t s : block_sources(ops_[size_t(needed_[k])]))
        if (issued_[size_t(s)] == not_issued) issued_[size_t(s)] = listed, needed_.push_back(s);
    std::sort(needed_.begin(), needed_.end());
    for (int32_t i : needed_) issue_one(i);
  }

  void issue_one(int32_t i) {
    if (issued_[size_t(i)] >= 0) return;
    ShapeOp op = ops_[size_t(i)];
    for (int32_t& s : block_sources(op)) {
      const auto source = size_t(s);
      if (--waiting_users_[source] == 0 && plain_load(ops_[source])) in_flight_ -= registers(ops_[source]);
      s = issued_[source];
    }
    issued_[size_t(i)] = int32_t(out_.size());
    if (plain_load(op) && waiting_users_[size_t(i)] > 0) in_flight_ += registers(op);
    out_.push_back(std::move(op));
  }

  static constexpr int32_t not_issued = -1, listed = -2;

  const Function& f_;
  const int most_in_flight_;  ///< registers
  std::vector<ShapeOp> ops_, out_;
  std::vector<int32_t> issued_;         ///< per operation: where it is in `out_`, or negative
  std::vector<int32_t> needed_;         ///< of issue()
  std::vector<int32_t> level_;          ///< per operation: loads that it depends on, one after the other
  std::vector<int32_t> waiting_users_;  ///< per operation: what reads its result and is not issued
  std::vector<Load> loads_;             ///< in the order in which they are tried
  size_t next_ = 0;
  int in_flight_ = 0;  ///< registers of issued loads that some operation still has to read
};

}  // namespace

std::vector<ShapeOp> hoist_loads(std::vector<ShapeOp> ops, const Function& f, int most_in_flight) {
  return Hoisting(std::move(ops), f, most_in_flight).run();
}

}  // namespace dojo::ptx

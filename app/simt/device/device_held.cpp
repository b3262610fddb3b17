// Launches of several modules between two synchronisations. A batch is of one module (and in detail or for
// its results), so what is queued of another one runs first. Where a queued kernel may wait for the host (it
// polls memory), it must not run before the host waits for it, so its queue is held instead, and later runs
// in order with those behind it:
//
//   wait_for_flag<<<...>>>  (a.cu)   step<<<...>>>  (b.cu)   *flag = 1;   cudaStreamSynchronize()
#include <algorithm>
#include <utility>

#include "simt/device/device_simt.hpp"
#include "simt/time/progress.hpp"

namespace dojo::simt {

SimtDevice::Held SimtDevice::take_held() {
  Held h{module_.get(), for_results_, std::exchange(queue_, {}), {}, {}};
  for (auto& [id, s] : streams_)
    if (!s.tail.empty()) h.tails[id] = std::exchange(s.tail, {});
  for (auto& [id, e] : events_)
    if (!e.after.empty()) h.events[id] = std::exchange(e.after, {});
  return h;
}

void SimtDevice::hold_queue() {
  held_.push_back(take_held());
  for (const auto& [id, after] : held_.back().events) events_[id].waits = true;
}

bool SimtDevice::may_wait(const ptx::Function& kernel) {
  const auto [known, fresh] = spinning_.try_emplace(&kernel, false);
  if (fresh) known->second = may_spin(*module_, kernel);
  return known->second;
}

void SimtDevice::end_queue() {
  const auto waits = [&](const Queued& q) { return may_wait(module_->functions[q.node.function]); };
  if (!held_.empty() || (to_the_end_ && std::any_of(queue_.begin(), queue_.end(), waits)))
    hold_queue();
  else
    flush();
}

void SimtDevice::run_held() {
  hold_queue();
  const std::vector<Held> all = std::exchange(held_, {});
  const ptx::Module* current = module_.get();
  const bool for_results = for_results_;
  std::vector<Held> added;  // while these ran
  for (const Held& h : all) {
    if (h.queue.empty()) continue;
    if (!queue_.empty()) added.push_back(take_held());
    make_current(*h.module);
    for_results_ = h.for_results;
    queue_ = h.queue;
    for (const auto& [id, tail] : h.tails)
      if (const auto s = streams_.find(id); s != streams_.end()) s->second.tail = tail;
    for (const auto& [id, after] : h.events)
      if (const auto e = events_.find(id); e != events_.end()) e->second.after = after;
    // Work of the queues before has its numbers only now.
    for (Queued& q : queue_)
      if (find_stream(q.node.spec.stream)) {
        const std::vector<uint32_t> earlier = before(q.node.spec.stream, &Stream::works);
        q.works.insert(q.works.end(), earlier.begin(), earlier.end());
      }
    other_file_waits_ = std::any_of(&h + 1, all.data() + all.size(), [&](const Held& later) {
      return !later.queue.empty() && later.module != h.module;
    });
    const struct Unset {
      bool& flag;
      ~Unset() { flag = false; }  // also where a run is stopped
    } unset{other_file_waits_};
    run_queue();
  }
  for (auto& [id, e] : events_) e.waits = false;
  if (added.empty()) {
    make_current(*current);
    for_results_ = for_results;
    return;
  }
  if (!queue_.empty()) added.push_back(take_held());
  held_ = std::move(added);
  for (const Held& h : held_)
    for (const auto& [id, after] : h.events) events_[id].waits = true;
  make_current(*current);
  for_results_ = for_results;
}

}  // namespace dojo::simt

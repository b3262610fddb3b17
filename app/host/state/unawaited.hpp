#pragma once
// Races with queued work: accesses by host code, copies and launches of other streams that did not wait for
// it. Each region lists the queued work that uses it (simt::InFlight) until the program waits.
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/device.hpp"
#include "ptx/module.hpp"
#include "simt/checks/host_view.hpp"

namespace dojo::host {

struct Call;
class Runtime;

class Unawaited {
 public:
  explicit Unawaited(Runtime& rt) : rt_(rt) {}

  /// Is work queued that the program has not waited for?
  bool any() const { return !regions_.empty(); }
  /// The program has waited for all streams.
  void clear();
  /// A cudaStreamWaitEvent: the stream's later work comes after all that is queued now.
  void note_wait(uint64_t stream) { last_wait_[stream] = ++order_; }
  /// The program has waited for one stream: what is not ordered before its end may still run.
  void note_end(uint64_t stream) { take_work_before(stream); }
  /// The entry has returned, and its caller reads a result: by a copy in the default stream, or at once where
  /// host code can. What may still write it is a finding at its own line.
  void note_result(uint64_t address);
  /// The device runs nothing any more: what was queued has ended, and later calls do nothing to be ordered.
  void device_failed();
  void note_launch(const Call&, const ptx::Function& kernel, const LaunchSpec&);
  void note_copy(const Call&, const CopyBox&, uint64_t stream, bool blocking);

  /// By the base of its region.
  using Work = std::vector<std::pair<uint64_t, simt::InFlight>>;
  /// Removes the work that the stream's next work comes after, and returns it: a host function need not wait
  /// for it.
  Work take_work_before(uint64_t stream);
  /// Adds such work again, where its region still lives.
  void put_back(Work);

 private:
  bool unordered(const simt::InFlight&, uint64_t stream) const;
  void note(Region&, simt::InFlight);

  Runtime& rt_;
  uint64_t order_ = 0;                      ///< number of the last queued launch, copy or wait
  std::map<uint64_t, uint64_t> last_wait_;  ///< by stream: the order_ of its last cudaStreamWaitEvent
  bool failed_ = false;
  std::vector<uint64_t> regions_;  ///< bases of the regions that queued work uses
};

}  // namespace dojo::host

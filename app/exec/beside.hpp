#pragma once
// Kernels and host code of a program that run at the same time. Launches run when a call waits for them; a
// thread of our own runs those that no call waits for:
//
//   server<<<1, 1>>>(command, answer);       queued
//   *command = 1; while (*answer != 10) {}   after 20 ms of this without a call the kernel runs beside it
//
// It runs launches that were given pinned or managed memory after 20 ms of computing, or 300 ms, without a
// call; others after 50 times as much computing. So host code that calls on as usual batches as without it.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "simt/host_beside.hpp"

namespace dojo::exec {

class Process;

/// The lock that each call of the program holds. One thread may take it several times. A thread that waits
/// for kernels, or runs them while they wait for host code, lets other calls go between.
class CallLock {
 public:
  void lock() {
    std::unique_lock own(state_);
    const std::thread::id me = std::this_thread::get_id();
    if (depth_ && owner_ == me) {
      ++depth_;
      return;
    }
    take(own, 1);
  }
  void unlock() {
    std::unique_lock own(state_);
    if (--depth_) return;
    ++turns_;
    changed_.notify_all();
  }

  /// Lets other threads have the lock, however often the caller has taken it, until one of them has given it
  /// back or `most` is over.
  void give_way(std::chrono::microseconds most) {
    std::unique_lock own(state_);
    const int depth = std::exchange(depth_, 0);
    const uint64_t before = ++turns_;
    changed_.notify_all();
    changed_.wait_for(own, most, [&] { return turns_ != before && !depth_; });
    take(own, depth);
  }

  /// Does another thread wait for it?
  bool wanted() const { return waiting_ > 0; }
  /// How often a thread has given it back.
  uint64_t turns() const { return turns_; }

  /// In a child process: the caller, who has it, is the only thread there is.
  void forget_others() {
    std::construct_at(&state_);
    std::construct_at(&changed_);
    waiting_ = 0;
  }

 private:
  void take(std::unique_lock<std::mutex>& own, int depth) {
    ++waiting_;
    changed_.wait(own, [&] { return !depth_; });
    --waiting_;
    owner_ = std::this_thread::get_id();
    depth_ = depth;
  }

  std::mutex state_;
  std::condition_variable changed_;
  std::thread::id owner_;
  int depth_ = 0;
  std::atomic<int> waiting_{0};
  std::atomic<uint64_t> turns_{0};
};

class Beside final : public simt::HostBeside {
 public:
  explicit Beside(Process&);

  // Under the process's lock:
  /// A launch was queued.
  void launched();
  /// For a query: lets what is queued run as far as it can without the host. True: of that, or of what ran
  /// before, `busy` says that it still runs, since it waits for the host.
  bool still_runs(const std::function<bool()>& busy);
  /// What kernels print. Of those that no call waits for it comes with the next call, as on a GPU.
  void print(std::string_view);
  void flush_printed();
  /// The kernel that waits for host code now, and for what, where it has for a while. May be called by a
  /// signal handler: null where the thread that was interrupted may be changing it.
  std::optional<Diagnostic> waiting();

  bool kernel_waits(bool again, const std::function<Diagnostic()>& which) override;
  void kernel_polls() override;
  bool wait_for_kernels(const std::function<bool()>& ended) override;

 private:
  using Clock = std::chrono::steady_clock;
  void start_thread();
  void hold_over_fork();
  void after_fork(bool child);
  void serve();
  bool idle_long();  ///< has the host made no call for so long that its launches run without?
  void run();

  Process& process_;
  std::mutex wake_lock_;
  std::condition_variable wake_;
  int started_by_ = 0;  ///< the process whose thread runs
  bool launched_ = false, asked_ = false;
  uint64_t rounds_ = 0;                 ///< of run()
  std::atomic<bool> gives_way_{false};  ///< kernels run and wait for host code, or poll
  bool lost_ = false;                   ///< this is a child, and kernels ran in its parent when it was made
  int blocked_ = 0;                     ///< threads of the program that wait for kernels
  Clock::time_point waits_since_, gave_way_;
  bool told_ = false;
  std::optional<Diagnostic> waiting_;
  std::atomic_flag waiting_in_use_;
  std::string printed_;
  // For idle_long():
  uint64_t turns_ = 0;
  Clock::time_point since_;
  double computed_since_ = 0;
};

}  // namespace dojo::exec

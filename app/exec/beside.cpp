#include "exec/beside.hpp"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <thread>
#include <utility>

#include "core/text/error_words.hpp"
#include "exec/process.hpp"
#include "simt/device/executed.hpp"

namespace dojo::exec {
namespace {

using namespace std::chrono_literals;

/// A kernel that waits for host code is told of after so long, and taken for a deadlock where a call waits
/// for that kernel: another thread of the program could still help.
constexpr auto patience = 10s;

thread_local bool own_thread = false;

double computed_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Threads of the program: all but our own. Where that can't be known, as in the sandbox, more than there
/// are.
int program_threads() {
  std::error_code ec;
  int n = 0;
  for (auto it = std::filesystem::directory_iterator("/proc/self/task", ec);
       !ec && it != std::filesystem::directory_iterator(); it.increment(ec))
    ++n;
  return ec || !n ? 1 << 20 : n - 1;
}

}  // namespace

Beside::Beside(Process& p) : process_(p) {
  // The only one there is: a Process is never destroyed.
  static Beside* self = nullptr;
  self = this;
  pthread_atfork([] { self->hold_over_fork(); }, [] { self->after_fork(false); },
                 [] { self->after_fork(true); });
}

/// Other threads of the parent don't exist in the child. So none of them may be within a call, and none may
/// hold a lock.
void Beside::hold_over_fork() {
  process_.mutex.lock();
  wake_lock_.lock();
}

void Beside::after_fork(bool child) {
  if (child) {
    std::construct_at(&wake_lock_);
    std::construct_at(&wake_);
    process_.mutex.forget_others();
    waiting_in_use_.clear();
    if (gives_way_.exchange(false)) lost_ = true;  // also of a child's own children
    launched_ = asked_ = false;
    blocked_ = 0;
    printed_.clear();  // the parent prints it
  } else {
    wake_lock_.unlock();
  }
  process_.mutex.unlock();
}

void Beside::launched() {
  {
    std::scoped_lock own(wake_lock_);
    launched_ = true;
  }
  if (started_by_ != getpid()) start_thread();
  wake_.notify_one();
}

/// No signal of the program's comes to the thread.
void Beside::start_thread() {
  started_by_ = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([this] { serve(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Beside::serve() {
  own_thread = true;
  for (;;) {
    bool asked = false;
    {
      std::unique_lock own(wake_lock_);
      wake_.wait(own, [&] { return launched_ || asked_; });
      wake_.wait_for(own, 5ms, [&] { return asked_; });
      asked = asked_;
    }
    if (!asked && !idle_long()) continue;
    std::scoped_lock lock(process_.mutex);
    if (!asked && process_.mutex.turns() != turns_) continue;  // a call has come
    run();
    std::scoped_lock own(wake_lock_);
    asked_ = false;
  }
}

bool Beside::idle_long() {
  const uint64_t turns = process_.mutex.turns();
  if (turns != std::exchange(turns_, turns)) {
    since_ = Clock::now(), computed_since_ = computed_seconds();
    return false;
  }
  return computed_seconds() - computed_since_ > 0.02 || Clock::now() - since_ > 300ms;
}

void Beside::run() {
  const bool asked = asked_;
  if (gives_way_) return;  // a call runs them: it waits for them itself
  const simt::PendingWork pending = simt::pending_work(process_.device());
  const bool later = computed_seconds() - computed_since_ < 1 && Clock::now() - since_ < 15s;
  if (pending == simt::PendingWork::some && !asked && later) return;
  try {
    simt::run_queued(process_.device());
  } catch (const RunStopped& stop) {
    process_.stopped(stop);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "warpdojo: %s\n", error_words(e).c_str());
  }
  process_.collect();
  ++rounds_;
  std::scoped_lock own(wake_lock_);
  launched_ = asked_ = false;
}

bool Beside::still_runs(const std::function<bool()>& busy) {
  if (busy()) return true;
  if (gives_way_ || simt::pending_work(process_.device()) == simt::PendingWork::none) return false;
  if (started_by_ != getpid()) return false;
  {
    std::scoped_lock own(wake_lock_);
    asked_ = true;
  }
  wake_.notify_one();
  const uint64_t before = rounds_;
  while (rounds_ == before && !gives_way_ && asked_) process_.mutex.give_way(10ms);
  return busy();
}

void Beside::print(std::string_view text) {
  if (own_thread)
    printed_ += text;
  else
    flush_printed(), std::fwrite(text.data(), 1, text.size(), stdout);
}

void Beside::flush_printed() {
  if (!own_thread && !printed_.empty()) std::fwrite(printed_.data(), 1, printed_.size(), stdout);
  if (!own_thread) printed_.clear();
}

bool Beside::kernel_waits(bool again, const std::function<Diagnostic()>& which) {
  const auto now = Clock::now();
  const auto set_waiting = [&](std::optional<Diagnostic> d) {
    while (waiting_in_use_.test_and_set()) std::this_thread::yield();
    waiting_ = std::move(d);
    waiting_in_use_.clear();
  };
  if (!again) {
    waits_since_ = now, told_ = false;
    set_waiting({});
  }
  const int blocked = blocked_ + !own_thread;
  if (blocked && (blocked >= program_threads() || now - waits_since_ > patience)) return false;
  if (!waiting_ && now - waits_since_ > 50ms) {
    Diagnostic d = which();
    d.message += ". Host code goes on without changing it.";
    d.kind = FindingKind::not_run, d.severity = Severity::warning;
    set_waiting(std::move(d));
  }
  if (!told_ && now - waits_since_ > patience) {
    told_ = true;
    const Diagnostic& d = *waiting_;
    std::fprintf(stderr, "warpdojo: %s:%d: kernel %s has waited here for %d s: %s\n", d.where.file.c_str(),
                 d.where.line, d.kernel.c_str(), int(patience.count()), d.message.c_str());
  }
  gives_way_ = true;
  process_.mutex.give_way(now - waits_since_ < 50ms ? 100us : 1000us);
  gives_way_ = false;
  return true;
}

std::optional<Diagnostic> Beside::waiting() {
  if (!gives_way_ || waiting_in_use_.test_and_set()) return {};
  std::optional<Diagnostic> d = waiting_;
  waiting_in_use_.clear();
  return d;
}

void Beside::kernel_polls() {
  if (!process_.mutex.wanted() || Clock::now() - gave_way_ < 1ms) return;
  gives_way_ = true;
  process_.mutex.give_way(100us);
  gives_way_ = false;
  gave_way_ = Clock::now();
}

bool Beside::wait_for_kernels(const std::function<bool()>& ended) {
  if (lost_) return false;
  ++blocked_;
  while (!ended()) process_.mutex.give_way(1ms);
  --blocked_;
  return true;
}

}  // namespace dojo::exec

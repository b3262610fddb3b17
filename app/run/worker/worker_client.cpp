// The parent's side: keeps the two children, turns their lines into events, and ends what overstays.
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <optional>
#include <thread>

#include "core/error.hpp"
#include "core/files/scratch_folder.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"
#include "run/problem_plugin.hpp"
#include "run/worker/channel.hpp"
#include "run/worker/process_group.hpp"
#include "run/worker/worker.hpp"
#include "run/worker/worker_protocol.hpp"

namespace dojo::run {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int own_end = 71;  ///< of an event: the runner's own failure, not the program's (worker.cpp)

std::string ended_how(const Child& c) {
  if (c.exit_signal) return std::string("the worker was ended by ") + strsignal(c.exit_signal);
  return "the worker ended with status " + std::to_string(c.exit_status);
}

/// After a fault on a real GPU the process's context is of no use any more: the next run gets a new child.
bool spoils_context(const Report& r) {
  if (r.device.kind != DeviceKind::cuda) return false;
  return std::any_of(r.runs.begin(), r.runs.end(), [](const RunReport& x) {
    return x.status == Status::finding || x.status == Status::crash || x.status == Status::timeout;
  });
}

}  // namespace

struct WorkerClient::Impl {
  WorkerOptions options;
  std::optional<ScratchFolder> scratch;  ///< for what enclosed children write
  Child compiler, runner;
  Descriptor compiler_end;  ///< the runner's end of the compiler's channel, kept for the runner's successors
  Descriptor runner_end;
  std::unique_ptr<Channel> channel;
  std::thread reader;
  int signal_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<WorkerEvent> events;
  // Guarded by the mutex:
  bool busy = false, cancelling = false, overdue = false, stopping = false, worn = false;
  uint64_t id = 0;
  Clock::time_point deadline{}, cancel_deadline{}, next_look{};
  std::string overgrown;  ///< why the children were ended: what they used
  Progress at;
  Report shell;  ///< what is known of the report before it comes: step, size, device name

  ~Impl() {
    stop_runner();
    compiler.kill();
    if (signal_fd >= 0) close(signal_fd);
  }

  void stop_runner() {
    {
      std::lock_guard lock(mutex);
      stopping = true;
      // With the mutex: the reader reaps the child, and its number may be another group's then.
      if (runner.pid > 0) ::kill(-runner.pid, SIGKILL);
    }
    if (reader.joinable()) reader.join();
    runner.kill();
    channel.reset();
    runner_end.reset();
  }

  void push(WorkerEvent e) {  // with the mutex held
    if (e.kind != WorkerEvent::progress && e.kind != WorkerEvent::printed)
      busy = cancelling = overdue = false;
    // A window that sleeps must not collect progress for ever.
    if (e.kind == WorkerEvent::progress && !events.empty() && events.back().kind == WorkerEvent::progress)
      events.back() = std::move(e);
    else
      events.push_back(std::move(e));
    const uint64_t one = 1;
    (void)!write(signal_fd, &one, sizeof one);
    arrived.notify_all();
  }

  static bool hung_up(int descriptor) {
    pollfd p{descriptor, 0, 0};
    return ::poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR));
  }

  void start_compiler() {
    compiler.kill();
    compiler_end.reset();
    auto [here, there] = socket_pair();
    compiler_end = std::move(here);
    std::vector<std::string> words = {"worker", "--compile"};
    if (options.warm) words.push_back("--warm");
    compiler = spawn_child(Enclosed::compiler, words, there.get(), -1, environment());
  }

  std::vector<std::string> environment() const {
    std::vector<std::string> all = {
        "WARPDOJO_ROOT=" + find_root().string(), "WARPDOJO_WORKER_CHILD=1",
        "WARPDOJO_COMPILE_LIMIT=" + std::to_string(int(std::ceil(options.compile_limit_s)))};
    if (options.memory_bytes) all.push_back("WARPDOJO_MEMORY_LIMIT=" + std::to_string(options.memory_bytes));
    if (!options.sandbox.any()) return all;
    all.push_back("WARPDOJO_SANDBOX=" + to_text(options.sandbox));
    all.push_back("WARPDOJO_PROBLEMS=" + problem_folder().string());
    all.push_back("TMPDIR=" + scratch->path);
    if (options.keep_references) all.push_back("WARPDOJO_KEEP_REFERENCES=1");
    return all;
  }

  Child spawn_child(Enclosed part, std::vector<std::string> args, int socket, int extra,
                    const std::vector<std::string>& env) const {
    const bool alone = options.sandbox.any();
    if (!options.sandbox.bubblewrap) return spawn(options.program, args, socket, extra, env, alone);
    auto words =
        bubblewrap_words(sandbox_paths(part, scratch->path, options.keep_references), options.program);
    args.insert(args.begin(), words.begin() + 1, words.end());
    return spawn(words[0], args, socket, extra, env, alone);
  }

  void renew() {
    stop_runner();
    compiler.kill();
    compiler_end.reset();
    if (scratch) scratch->clear();
  }

  void start_runner() {
    stop_runner();
    if (scratch && !compiler.alive()) scratch->clear();
    auto [here, there] = socket_pair();
    auto env = environment();
    env.push_back("WARPDOJO_COMPILER=" + std::to_string(compiler.pid));
    runner = spawn_child(Enclosed::runner, {"worker"}, there.get(), compiler_end.get(), env);
    there.reset();
    channel = std::make_unique<Channel>(here.get(), here.get());
    runner_end = std::move(here);
    stopping = worn = false;
    reader = std::thread([this] { read_all(); });
  }

  void ready() {
    if (options.sandbox.any()) {
      if (!scratch) scratch.emplace("run");
      if (scratch->path.empty()) throw Error("cannot make a temporary folder for the worker", 71);
      if (const fs::path cache = cache_folder(); !cache.empty()) {
        std::error_code ec;
        fs::create_directories(cache / "reports", ec);  // an enclosed child can't
      }
    }
    // A compiler that was killed may be dying still: its end of the channel is closed first.
    const bool compiler_lives = compiler.alive() && !hung_up(compiler_end.get());
    if (!compiler_lives) start_compiler();
    bool lost;
    {
      std::lock_guard lock(mutex);
      lost = !channel || stopping || worn;
    }
    if (!compiler_lives || lost) start_runner();
  }

  void begin(const std::string& line, Report known, double limit_s) {
    ready();
    {
      std::lock_guard lock(mutex);
      busy = true;
      cancelling = overdue = false;
      overgrown.clear();
      deadline = Clock::now() + std::chrono::milliseconds(int64_t(limit_s * 1000));
      at = {};
      shell = std::move(known);
    }
    try {
      if (channel->write(line)) return;
      start_runner();
      if (channel->write(line)) return;
      std::lock_guard lock(mutex);
      throw Error("the worker does not start: " + ended_how(runner), 71);
    } catch (...) {
      std::lock_guard lock(mutex);
      busy = false;  // no event ends this request
      throw;
    }
  }

  /// Ends a run that ignores its own limits or a cancellation.
  void keep_time() {  // with the mutex held
    const auto now = Clock::now();
    if (!busy || runner.pid <= 0) return;
    if (cancelling && now > cancel_deadline) {
      ::kill(-runner.pid, SIGKILL);
      // Enclosed, the runner can't end the compiler itself.
      if (options.sandbox.any() && compiler.pid > 0) ::kill(-compiler.pid, SIGKILL);
    }
    if (options.sandbox.any() && now >= next_look && overgrown.empty()) {
      next_look = now + std::chrono::milliseconds(200);
      for (const Child* c : {&runner, &compiler}) {
        if (c->pid <= 0) continue;
        const GroupUse use = use_of_group(c->pid);
        if (use.tasks > most_tasks())
          overgrown = "more than " + std::to_string(most_tasks()) + " processes and threads were started";
        else if (c == &runner && options.memory_bytes && use.resident > 2 * options.memory_bytes)
          overgrown = "the program's processes took more than " + std::to_string(options.memory_bytes >> 19) +
                      " MiB of memory, twice the limit";
      }
      if (!overgrown.empty()) {
        ::kill(-runner.pid, SIGKILL);
        if (compiler.pid > 0) ::kill(-compiler.pid, SIGKILL);
      }
    }
    if (!overdue && now > deadline) {
      overdue = true;
      ::kill(-runner.pid, SIGKILL);
      if (options.sandbox.any() && compiler.pid > 0) ::kill(-compiler.pid, SIGKILL);
    }
  }

  void read_all() {
    for (;;) {
      auto line = channel->read(100);
      std::unique_lock lock(mutex);
      if (stopping) return;
      keep_time();
      if (!line) {
        if (channel->ended()) break;
        continue;
      }
      lock.unlock();
      uint64_t of = 0;
      auto event = decode_event(*line, &of);
      lock.lock();
      if (!event || !busy || of != id) continue;
      if (event->kind == WorkerEvent::progress) at = event->at;
      if (event->kind == WorkerEvent::report) worn = spoils_context(event->report_);
      // A runner that says so ends: at its memory limit, for one. It must not get the next request.
      if (event->kind == WorkerEvent::failed && event->exit_status == own_end) worn = true;
      push(std::move(*event));
    }
    // The child has ended. Wait for how, then say so if something was under way.
    std::unique_lock lock(mutex);
    runner.kill();
    stopping = true;
    if (!busy) return;
    WorkerEvent e;
    if (cancelling) {
      e.kind = WorkerEvent::failed;
      e.exit_status = 130;
      e.text = "the run was cancelled";
    } else {
      e.kind = WorkerEvent::died;
      e.exit_status = overdue ? 124 : 71;
      const std::string doing =
          at.phase.empty()
              ? ""
              : " during '" + at.phase + "'" + (at.who.empty() ? "" : " of the " + at.who + "'s file");
      e.text = (overdue              ? "the worker did not end within its time limit and was stopped"
                : !overgrown.empty() ? overgrown + ", and the worker was stopped"
                                     : ended_how(runner)) +
               doing;
      e.report_ = shell;
      RunReport& r = e.report_.runs.emplace_back();
      r.who = at.who.empty() ? "student" : at.who;
      r.status = overdue ? Status::timeout : Status::crash;
      Diagnostic& d = r.diagnostics.emplace_back();
      const bool killed = overgrown.empty() && runner.exit_signal != 0;
      d.kind = overdue ? FindingKind::time_limit : killed ? FindingKind::signal : FindingKind::crash;
      d.message = e.text;
    }
    push(std::move(e));
  }
};

WorkerClient::WorkerClient(std::string program) : WorkerClient(WorkerOptions{std::move(program)}) {}

WorkerClient::WorkerClient(WorkerOptions options) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
  if (impl_->options.program.empty()) impl_->options.program = program_path().string();
}

void WorkerClient::renew() {
  if (busy()) throw Error("a run is under way");
  impl_->renew();
}

WorkerClient::~WorkerClient() = default;

void WorkerClient::start(const RunRequest& r) {
  if (busy()) throw Error("a run is under way already");
  Report known;
  known.step = r.step;
  known.seed = r.seed;
  known.size = r.size;
  known.device.name = r.device;
  const uint64_t id = ++impl_->id;
  // A run may need several executions (both files, the gates' size, the previous reference).
  // Limits count computing. On a busy machine that takes many times as long: this one only ends what hangs.
  constexpr double least_s = 300;
  impl_->begin(encode(r, id), std::move(known), std::max(least_s, 6 * r.time_limit_s + 90));
}

void WorkerClient::start(const PlayRequest& r) {
  if (busy()) throw Error("a run is under way already");
  Report known;
  known.step = r.file;
  known.device.name = r.device;
  const uint64_t id = ++impl_->id;
  impl_->begin(encode(r, id), std::move(known), r.time_limit_s + 60);
}

void WorkerClient::start(const CallRequest& r) {
  if (busy()) throw Error("a run is under way already");
  Report known;
  known.step = r.file;
  known.device.name = r.device;
  const uint64_t id = ++impl_->id;
  impl_->begin(encode(r, id), std::move(known), 4 * r.time_limit_s + 90);
}

bool WorkerClient::busy() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->busy;
}

std::optional<WorkerEvent> WorkerClient::poll() { return wait(std::chrono::milliseconds(0)); }

std::optional<WorkerEvent> WorkerClient::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(impl_->mutex);
  impl_->arrived.wait_for(lock, time, [&] { return !impl_->events.empty(); });
  if (impl_->events.empty()) return std::nullopt;
  WorkerEvent e = std::move(impl_->events.front());
  impl_->events.pop_front();
  if (impl_->events.empty()) {
    uint64_t count = 0;
    (void)!read(impl_->signal_fd, &count, sizeof count);
  }
  return e;
}

void WorkerClient::cancel() {
  std::lock_guard lock(impl_->mutex);
  if (!impl_->busy || impl_->cancelling) return;
  impl_->cancelling = true;
  impl_->cancel_deadline = Clock::now() + std::chrono::seconds(1);
  impl_->channel->write(encode_cancel());
}

int WorkerClient::descriptor() const { return impl_->signal_fd; }

}  // namespace dojo::run

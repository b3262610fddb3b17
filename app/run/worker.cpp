// The child: runs requests one at a time, on its main thread, while another thread listens for "cancel" and
// for the end of its parent.
#include "run/worker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <thread>

#include "core/error.hpp"
#include "core/paths.hpp"
#include "run/channel.hpp"
#include "run/compile_apart.hpp"
#include "run/engine.hpp"
#include "run/execute.hpp"
#include "run/worker_protocol.hpp"

namespace dojo::run {
namespace {

constexpr int compile_descriptor = 3;
constexpr double compile_limit_s = 30;
constexpr uint64_t compile_memory = uint64_t(6) << 30;

/// Lines from the parent, in order; "cancel" is not queued but sets the flag.
class Inbox {
 public:
  explicit Inbox(Channel& channel) : channel_(channel) {
    std::thread([this] { listen(); }).detach();
  }
  /// The next line; nothing when `idle_ms` (>= 0) passed without one.
  std::optional<std::string> next(int idle_ms) {
    std::unique_lock lock(mutex_);
    auto there = [&] { return !lines_.empty(); };
    if (idle_ms < 0)
      changed_.wait(lock, there);
    else if (!changed_.wait_for(lock, std::chrono::milliseconds(idle_ms), there))
      return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }
  std::atomic<bool> cancelled{false};

 private:
  void listen() {
    for (;;) {
      auto line = channel_.read();
      if (!line) {
        if (!channel_.ended()) continue;
        // Standard input from a file or a pipe: finish what was asked, then end. The parent's death is seen
        // by the work in progress as a cancellation.
        std::unique_lock lock(mutex_);
        ended_ = true;
        lines_.push_back("");
        changed_.notify_one();
        lock.unlock();
        if (socket_) _exit(0);
        return;
      }
      if (line->find("\"cancel\"") != std::string::npos && line->size() < 64) {
        cancelled = true;
        continue;
      }
      std::lock_guard lock(mutex_);
      lines_.push_back(std::move(*line));
      changed_.notify_one();
    }
  }
  Channel& channel_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool ended_ = false;
  const bool socket_ = std::getenv("WARPDOJO_WORKER_CHILD") != nullptr;
};

Channel* out_channel = nullptr;
std::atomic<uint64_t> current_request{0};

void say(const WorkerEvent& e) { out_channel->write(encode(e, current_request)); }

void memory_exceeded(uint64_t limit) {
  WorkerEvent e;
  e.kind = WorkerEvent::failed;
  e.exit_status = 71;
  e.text = "the run needs more than " + std::to_string(limit >> 20) + " MiB of memory; choose a smaller size";
  say(e);
  _exit(71);
}

Compiled compile_failed(const std::string& file, const char* kind, std::string message) {
  Compiled c;
  Diagnostic d;
  d.kind = kind;
  d.where.file = file;
  d.message = std::move(message);
  c.diagnostics.push_back(std::move(d));
  return c;
}

/// Hands compiling to the warm child behind descriptor 3, and ends that child when it runs away.
class RemoteCompiler {
 public:
  RemoteCompiler(pid_t pid, const std::atomic<bool>& cancelled)
      : channel_(compile_descriptor, compile_descriptor), pid_(pid), cancelled_(cancelled) {}

  Compiled operator()(const CompileRequest& r) {
    const uint64_t id = uint64_t(getpid()) << 20 | ++serial_;
    if (!gone_ && !channel_.write(encode(r, id))) gone_ = true;
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(compile_limit_s);
    while (!gone_) {
      if (cancelled_) {
        ::kill(pid_, SIGKILL);
        throw_cancelled();
      }
      if (std::chrono::steady_clock::now() > until) {
        ::kill(pid_, SIGKILL);
        gone_ = true;
        return compile_failed(r.file, "timeout",
                              "The compiler was still busy with this file after 30 seconds and was ended.");
      }
      auto line = channel_.read(20);
      if (!line) {
        if (channel_.ended()) gone_ = true;
        continue;
      }
      uint64_t answered = 0;
      if (auto c = decode_compiled(*line, &answered); c && answered == id) return std::move(*c);
    }
    if (serial_ == 1) return compile_apart(r);  // it never answered at all: better cold than not
    return compile_failed(r.file, "compile",
                          "The compiler ended without an answer: out of memory, or an error of its own. "
                          "Shorten the file to find the line.");
  }

 private:
  Channel channel_;
  pid_t pid_;
  const std::atomic<bool>& cancelled_;
  uint64_t serial_ = 0;
  bool gone_ = false;
};

RunHooks hooks(Inbox& inbox) {
  RunHooks h;
  h.cancelled = [&inbox] { return inbox.cancelled.load(); };
  auto last = std::make_shared<std::chrono::steady_clock::time_point>();
  auto phase = std::make_shared<std::string>();
  auto mutex = std::make_shared<std::mutex>();
  h.progress = [last, phase, mutex](const Progress& p) {
    std::lock_guard lock(*mutex);
    const auto now = std::chrono::steady_clock::now();
    // About thirty a second are enough for a bar; a change of phase always goes through.
    if (*phase == p.who + p.phase && now - *last < std::chrono::milliseconds(33)) return;
    *last = now;
    *phase = p.who + p.phase;
    WorkerEvent e;
    e.at = p;
    say(e);
  };
  return h;
}

void answer(const WireRequest& request, Inbox& inbox) {
  WorkerEvent e;
  e.kind = WorkerEvent::report;
  try {
    if (request.kind == WireRequest::run) {
      const Catalog catalog = load_catalog(find_root());
      if (request.run_.trace.on) {
        auto steps = std::make_shared<StepTrace>();
        e.report_ = run_trace(catalog, request.run_, hooks(inbox), *steps);
        e.steps = std::move(steps);
      } else {
        e.report_ = run_step(catalog, request.run_, hooks(inbox));
      }
      const auto& runs = e.report_.runs;
      e.exit_status = runs.empty() ? 0 : exit_status(runs.front().status);
    } else {
      auto print = [](std::string_view text) {
        WorkerEvent p;
        p.kind = WorkerEvent::printed;
        p.text = text;
        say(p);
      };
      e.report_ = play(request.play_, print, &e.exit_status, hooks(inbox));
    }
  } catch (const Error& error) {
    e.kind = WorkerEvent::failed;
    e.exit_status = error.exit;
    e.text = error.what();
  } catch (const std::bad_alloc&) {
    e.kind = WorkerEvent::failed;
    e.exit_status = 71;
    e.text = "out of memory; choose a smaller size";
  } catch (const std::exception& error) {
    e.kind = WorkerEvent::failed;
    e.exit_status = 71;
    e.text = error.what();
  }
  say(e);
}

}  // namespace

int worker_main() {
  const auto [in, out] = harden_child();
  if (std::getenv("WARPDOJO_WORKER_CHILD")) fcntl(compile_descriptor, F_SETFD, FD_CLOEXEC);
  Channel channel(in, out);
  out_channel = &channel;
  Inbox inbox(channel);
  watch_memory(memory_limit(), memory_exceeded);
  register_devices();
  if (const char* pid = std::getenv("WARPDOJO_COMPILER"))
    engine().compile = [remote = std::make_shared<RemoteCompiler>(std::atoi(pid), inbox.cancelled)](
                           const CompileRequest& r) { return (*remote)(r); };
  for (;;) {
    const auto line = inbox.next(-1);
    if (!line || line->empty()) return 0;
    inbox.cancelled = false;
    try {
      const WireRequest request = decode_request(*line);
      current_request = request.id;
      answer(request, inbox);
    } catch (const Error& error) {
      WorkerEvent e;
      e.kind = WorkerEvent::failed;
      e.exit_status = error.exit;
      e.text = error.what();
      say(e);
    }
  }
}

int compile_worker_main() {
  const auto [in, out] = harden_child();
  Channel channel(in, out);
  // A template that builds tables for ever must not take the machine with it.
  rlimit memory{compile_memory, compile_memory};
  setrlimit(RLIMIT_AS, &memory);
  Inbox inbox(channel);
  keep_headers_warm(true);
  bool warm = false;
  for (;;) {
    const auto line = inbox.next(warm ? -1 : 150);
    if (!line) {
      // Nobody is waiting: load the library and the headers that are slow the first time.
      CompileRequest r;
      r.file = "warm.cu";
      r.source = "#include <cooperative_groups.h>\n__global__ void warm() {}\n";
      r.arch = "compute_75";  // what labs ask for
      try {
        compile(r);
      } catch (const std::exception&) {
      }
      warm = true;
      continue;
    }
    if (line->empty()) return 0;
    uint64_t id = 0;
    const auto request = decode_compile_request(*line, &id);
    if (!request) continue;
    Compiled c;
    try {
      c = compile_apart(*request);
    } catch (const std::exception& e) {
      c = compile_failed(request->file, "compile", e.what());
    }
    channel.write(encode(c, id));
  }
}

}  // namespace dojo::run

// The child: runs requests one at a time, on its main thread, while another thread listens for "cancel" and
// for the end of its parent.
#include "run/worker/worker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <stdexcept>
#include <thread>

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "core/text/error_words.hpp"
#include "run/compile_memory.hpp"
#include "run/engine.hpp"
#include "run/execute.hpp"
#include "run/problem_plugin.hpp"
#include "run/worker/channel.hpp"
#include "run/worker/compile_apart.hpp"
#include "run/worker/enclosed_child.hpp"
#include "run/worker/worker_protocol.hpp"

namespace dojo::run {
namespace {

constexpr int compile_descriptor = 3;
constexpr uint64_t compile_memory = uint64_t(6) << 30;

int compile_limit_s() {
  const char* v = std::getenv("WARPDOJO_COMPILE_LIMIT");
  return v && std::atoi(v) > 0 ? std::atoi(v) : 30;
}

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
        // Standard input from a file or a pipe: finish what was asked, then end.
        std::unique_lock lock(mutex_);
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
      cancelled = false;  // here: a "cancel" behind this request is of it, even before its work begins
      lines_.push_back(std::move(*line));
      changed_.notify_one();
    }
  }
  Channel& channel_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  const bool socket_ = std::getenv("WARPDOJO_WORKER_CHILD") != nullptr;
};

Channel* out_channel = nullptr;
std::atomic<uint64_t> current_request{0};

void say(const WorkerEvent& e) { out_channel->write(encode(e, current_request)); }

void memory_exceeded(uint64_t limit) {
  WorkerEvent e;
  e.kind = WorkerEvent::failed;
  e.exit_status = 71;
  e.text = "The program took more than " + std::to_string(limit >> 20) +
           " MiB of memory, which is the limit here. Free what is no longer used, or allocate less.";
  say(e);
  _exit(71);
}

Compiled compile_failed(const std::string& file, FindingKind kind, std::string message) {
  Compiled c;
  Diagnostic d;
  d.kind = kind;
  d.where.file = file;
  d.message = std::move(message);
  c.diagnostics.push_back(std::move(d));
  return c;
}

/// Ends this process when a compile has used its processor time (not the clock's: a busy machine compiles as
/// much as an idle one), with an answer that was made before.
class CompileLimit {
 public:
  CompileLimit(int descriptor, std::string answer, int seconds) {
    text_ = std::move(answer);
    descriptor_ = descriptor;
    struct sigaction action {};
    action.sa_handler = [](int) {
      for (size_t at = 0; at < text_.size();) {
        const ssize_t n = ::write(descriptor_, text_.data() + at, text_.size() - at);
        if (n <= 0) break;
        at += size_t(n);
      }
      _exit(124);
    };
    sigaction(SIGPROF, &action, nullptr);
    set(seconds);
    alarm(unsigned(seconds * 20 + 20));  // one that sleeps
  }
  ~CompileLimit() {
    set(0);
    alarm(0);
  }

 private:
  static void set(int seconds) {
    itimerval t{};
    t.it_value.tv_sec = seconds;
    setitimer(ITIMER_PROF, &t, nullptr);
  }
  static inline std::string text_;
  static inline int descriptor_ = -1;
};

std::string compile_timeout_words(int seconds) {
  return "The compiler was still busy with this file after " + std::to_string(seconds) +
         " seconds of processor time and was ended.";
}

/// Hands compiling to the warm child behind descriptor 3, and ends that child when it runs away.
class RemoteCompiler {
 public:
  /// Enclosed, this process can't end the compiler, which then keeps its time limit itself.
  RemoteCompiler(pid_t pid, bool enclosed, const std::atomic<bool>& cancelled)
      : channel_(compile_descriptor, compile_descriptor),
        pid_(pid),
        enclosed_(enclosed),
        cancelled_(cancelled) {}

  Compiled operator()(const CompileRequest& r) {
    const uint64_t id = uint64_t(getpid()) << 20 | ++serial_;
    if (!gone_ && !channel_.write(encode(r, id))) gone_ = true;
    const int limit = compile_limit_s();
    // The compiler keeps its limit itself; this one is for a compiler that no longer does.
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(limit * 20 + 30);
    while (!gone_) {
      if (cancelled_) {
        end_compiler();
        throw_cancelled();
      }
      if (std::chrono::steady_clock::now() > until) {
        end_compiler();
        gone_ = true;
        return compile_failed(r.file, FindingKind::timeout, compile_timeout_words(limit));
      }
      auto line = channel_.read(20);
      if (!line) {
        if (channel_.ended()) gone_ = true;
        continue;
      }
      uint64_t answered = 0;
      if (auto c = decode_compiled(*line, &answered); c && answered == id) return std::move(*c);
    }
    if (serial_ == 1 && !enclosed_)
      return compile_apart(r);  // it never answered at all: better cold than not
    return compile_failed(r.file, FindingKind::compile,
                          "The compiler ended without an answer: out of memory, or an error of its own. "
                          "Shorten the file to find the line.");
  }

 private:
  /// Returns when its end of the channel is closed, by which the client knows that a new one is needed: the
  /// next request may come at once.
  void end_compiler() {
    if (enclosed_) return;
    ::kill(pid_, SIGKILL);
    for (int k = 0; k < 200 && !channel_.ended(); ++k) channel_.read(10);
  }

  Channel channel_;
  pid_t pid_;
  bool enclosed_;
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
      if (request.run_.code) {
        auto code = std::make_shared<CodeListing>(list_code(catalog, request.run_, hooks(inbox)));
        e.exit_status = code->functions.empty() && has_errors(code->diagnostics) ? 3 : 0;
        e.code = std::move(code);
      } else if (request.run_.trace.on) {
        auto steps = std::make_shared<StepTrace>();
        e.report_ = run_trace(catalog, request.run_, hooks(inbox), *steps);
        e.steps = std::move(steps);
      } else {
        e.report_ = run_step(catalog, request.run_, hooks(inbox));
      }
      const auto& runs = e.report_.runs;
      if (!e.code) e.exit_status = runs.empty() ? 0 : exit_status(runs.front().status);
    } else if (request.kind == WireRequest::call) {
      auto outputs = std::make_shared<CallOutputs>();
      e.report_ = run_call(request.call_, hooks(inbox), *outputs);
      e.exit_status = exit_status(e.report_.runs.front().status);
      e.outputs = std::move(outputs);
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
    e.text = "out of memory: free what is no longer used, or allocate less";
  } catch (const std::length_error&) {
    e.kind = WorkerEvent::failed;
    e.exit_status = 71;
    e.text = "out of memory: something the program asked for is too large to keep track of";
  } catch (const std::exception& error) {
    e.kind = WorkerEvent::failed;
    e.exit_status = 71;
    e.text = error_words(error);
  }
  say(e);
}

}  // namespace

int worker_main() {
  const auto [in, out] = harden_child();
  if (std::getenv("WARPDOJO_WORKER_CHILD")) fcntl(compile_descriptor, F_SETFD, FD_CLOEXEC);
  Channel channel(in, out);
  out_channel = &channel;
  // Before there is a second thread: the layers hold for this one and those it starts.
  bool enclosed = false;
  std::string refused;
  try {
    if (std::getenv("WARPDOJO_SANDBOX"))
      load_problems(load_catalog(find_root()));  // no file of theirs is seen later
    enclosed = enclose_as_asked(Enclosed::runner);
  } catch (const Error& error) {
    refused = std::string("the sandbox can't be put on: ") + error.what();
  }
  Inbox inbox(channel);
  const char* most = std::getenv("WARPDOJO_MEMORY_LIMIT");
  watch_memory(most ? std::strtoull(most, nullptr, 10) : memory_limit(), memory_exceeded);
  register_devices();
  if (const char* pid = std::getenv("WARPDOJO_COMPILER"))
    engine().compile =
        remembering([remote = std::make_shared<RemoteCompiler>(std::atoi(pid), enclosed, inbox.cancelled)](
                        const CompileRequest& r) { return (*remote)(r); });
  for (;;) {
    const auto line = inbox.next(-1);
    if (!line || line->empty()) return 0;
    try {
      const WireRequest request = decode_request(*line);
      current_request = request.id;
      if (!refused.empty()) throw Error(refused, 71);
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

int compile_worker_main(bool warm_early) {
  const auto [in, out] = harden_child();
  Channel channel(in, out);
  // A template that builds tables for ever must not take the machine with it.
  rlimit memory{compile_memory, compile_memory};
  if (!address_sanitizer) setrlimit(RLIMIT_AS, &memory);
  bool enclosed = false;
  try {
    enclosed = enclose_as_asked(Enclosed::compiler);
  } catch (const Error&) {
    return 71;  // the runner says that the compiler is gone
  }
  Inbox inbox(channel);
  // An enclosed compiler lives for one student's files: warming up would cost more than it saves.
  keep_headers_warm(!enclosed);
  bool warm = enclosed || !warm_early;
  for (;;) {
    const auto line = inbox.next(warm ? -1 : 150);
    if (!line) {
      // No request is waiting: load the library and the headers that are slow the first time.
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
      const int limit = compile_limit_s();
      const CompileLimit keep(
          out,
          "\n" +
              encode(compile_failed(request->file, FindingKind::timeout, compile_timeout_words(limit)), id) +
              "\n",
          limit);
      c = compile_apart(*request, limit);
    } catch (const std::exception& e) {
      c = compile_failed(request->file, FindingKind::compile, error_words(e));
    }
    channel.write(encode(c, id));
  }
}

}  // namespace dojo::run

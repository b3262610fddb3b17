#include "run/worker/enclosed_child.hpp"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "core/error.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"

namespace dojo::run {

EnclosedChild::EnclosedChild(const Sandbox& sandbox, Enclosed part, std::vector<std::string> args, int extra,
                             const std::vector<fs::path>& read) {
  if (scratch_.path.empty()) throw Error("cannot make a folder for a child process", 71);
  const std::string program = program_path().string();
  std::vector<std::string> environment = {"WARPDOJO_ROOT=" + find_root().string(), "TMPDIR=" + scratch_.path};
  if (sandbox.any()) environment.push_back("WARPDOJO_SANDBOX=" + to_text(sandbox));
  args.insert(args.begin(), "worker");
  auto [here, there] = socket_pair();
  channel_ = std::make_unique<Channel>(here.get(), here.get());
  socket_ = std::move(here);
  if (sandbox.bubblewrap) {
    SandboxPaths paths = sandbox_paths(part, scratch_.path, false);
    paths.read.insert(paths.read.end(), read.begin(), read.end());
    const auto words = bubblewrap_words(paths, program);
    args.insert(args.begin(), words.begin() + 1, words.end());
    child_ = spawn(words[0], args, there.get(), extra, environment, true);
  } else {
    child_ = spawn(program, args, there.get(), extra, environment, sandbox.any());
  }
}

EnclosedChild::~EnclosedChild() { child_.kill(); }

std::string EnclosedChild::end() {
  // A child that has closed its end is about to be gone by itself.
  for (int k = 0; k < 50 && channel_->ended() && child_.alive(); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  child_.kill();
  if (child_.exit_signal) return std::string("the process was ended by ") + strsignal(child_.exit_signal);
  return "the process ended with status " + std::to_string(child_.exit_status);
}

bool enclose_as_asked(Enclosed part) {
  const char* wanted = std::getenv("WARPDOJO_SANDBOX");
  if (!wanted || !*wanted) return false;
  std::error_code ec;
  enclose(
      sandbox_from_text(wanted), part,
      sandbox_paths(part, fs::temp_directory_path(ec), std::getenv("WARPDOJO_KEEP_REFERENCES") != nullptr));
  return true;
}

}  // namespace dojo::run

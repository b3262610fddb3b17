#pragma once
// Children with one task each beside the runner and the compiler of a worker: they read archives
// (grade/intake/unpack_child.hpp) or run an instructor's tests (grade/cases/). They are `warpdojo worker
// --TASK`, and talk in lines over their standard input and output.
#include <memory>
#include <string>
#include <vector>

#include "core/compile/child.hpp"
#include "run/sandbox/sandbox.hpp"
#include "run/worker/channel.hpp"

namespace dojo::run {

/// The parent's end. Ends the child when it goes.
class EnclosedChild {
 public:
  /// `args` follow the word "worker"; the child finds the descriptor `extra`, if any, as number 3. `read`:
  /// what the child needs before it is in its sandbox, for bubblewrap. Throws Error.
  EnclosedChild(const Sandbox&, Enclosed, std::vector<std::string> args, int extra = -1,
                const std::vector<fs::path>& read = {});
  ~EnclosedChild();
  EnclosedChild(const EnclosedChild&) = delete;
  Channel& channel() { return *channel_; }
  /// Ends it, and says how it ended: "the process was ended by Segmentation fault".
  std::string end();

 private:
  ScratchFolder scratch_;
  Child child_;
  Descriptor socket_;
  std::unique_ptr<Channel> channel_;
};

/// In a child: puts on what the environment asks for. True when there was something. Throws Error.
bool enclose_as_asked(Enclosed);

}  // namespace dojo::run

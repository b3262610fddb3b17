#pragma once
// The two things a run needs besides a device: a compiler and a way to run host code. Kept replaceable, so
// that the worker can hand compiling to its warm child, and tests can do without either.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compile.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/host_work.hpp"

namespace dojo::run {

/// A loaded program on a device: what host::Session is to a run.
class Program {
 public:
  virtual ~Program() = default;
  /// Calls a host function; returns its return value's bytes.
  virtual std::vector<std::byte> call(const std::string& entry,
                                      std::span<const std::vector<std::byte>> args) = 0;
  /// Queues a launch of the kernel with the base name `kernel`. Throws Error when there is no such kernel or
  /// the arguments don't fit, RunStopped when the configuration is refused.
  virtual void launch(const LaunchSpec&, std::span<const std::vector<std::byte>> args) {
    (void)args;
    throw Error("this program has no kernels to launch");
  }
  /// The caller of the last call() reads what lies at the address: a finding where queued work may still
  /// write it.
  virtual void note_result(uint64_t address) { (void)address; }
  /// Runs main; returns its exit status.
  virtual int main(std::span<const std::string> args) = 0;
  virtual void set_printer(std::function<void(std::string_view)>) = 0;
  /// A folder whose files the program may read and write.
  virtual void set_files(const std::string&) {}
  virtual std::vector<Diagnostic> take_findings() = 0;
  /// What it called, copied and waited for so far.
  virtual HostWork host_work() const { return {}; }
};

struct Engine {
  std::function<Compiled(const CompileRequest&)> compile;
  std::function<std::unique_ptr<Program>(const Compiled&, const std::string& file, Device&,
                                         const RunControl&)>
      load;
};

/// The engine in use. Empty until use_native_engine() (register_devices() calls it) or a test sets it.
Engine& engine();
/// NVRTC in process and host::Session.
void use_native_engine();

}  // namespace dojo::run

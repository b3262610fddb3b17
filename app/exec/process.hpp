#pragma once
// State of the program that loaded this library: registered kernels and variables, the device, findings.
// There is one per process. It is never destroyed, because the program's destructors still call CUDA. Calls
// of several threads run one after the other.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/native/launch_samples.hpp"
#include "core/native/native_run.hpp"
#include "exec/beside.hpp"
#include "exec/line_table.hpp"
#include "host/runtime.hpp"
#include "ptx/module.hpp"

namespace dojo::exec {

class Process final : public host::NativeProgram {
 public:
  static Process& get();
  /// Held during each call; a callback of the program may call again.
  CallLock mutex;

  // Registration, by the program's constructors. Kernels are parsed when one of them is first needed.
  void** register_binary(const void* wrapper);
  void register_function(void** binary, const void* host_function, const char* name);
  void register_variable(void** binary, const void* host_variable, const char* name);
  void register_managed(void** binary, void** pointer, const char* name);
  /// Loads a module of the driver API. Its kernels and variables are registered when the program asks for
  /// them. Null: `why` says why it can't be loaded.
  void** load_image(const void* image, std::string* why);
  /// Gives managed variables of a binary their memory.
  void place_managed(void** binary);

  const ptx::Function* kernel(uint64_t host_function) override;
  uint64_t variable(uint64_t host_variable) override;
  std::string allocated_at(const SourceLoc&) override;

  /// The device and the runtime; opens them at the first call. Ends the process with a message where it
  /// can't.
  host::Runtime& runtime();
  Device& device() { return *device_; }
  Beside& beside() { return beside_; }
  /// The program's line whose call returns to `address`.
  SourceLoc caller(const void* address);
  /// Says on standard error, once per name, that a call is not supported.
  void tell_missing(const char* name, const void* return_address);

  /// Adds a finding where `address` is in a program or library that was linked with the static CUDA runtime.
  void tell_static_runtime(const void* address);
  /// Adds a note on launches that no call has waited for.
  void tell_unrun();

  /// Adds a note, once per name, that a library's call was computed on the host and not simulated.
  void tell_not_simulated(const char* name, const void* return_address);

  /// Before a launch: switches checks and timing on or off by --only, --skip and --count.
  void choose_launch(const ptx::Function&);
  /// Records the finding that ended a call or a kernel. Returns the CUDA error that the program gets; after a
  /// kernel's error, every later call returns it too.
  int stopped(const RunStopped&);
  int sticky_error() const { return sticky_; }
  /// Takes the reports of launches that have run.
  void collect();
  /// At the program's end: runs what is queued, reports leaks, writes the result.
  void finish();
  /// Writes what is known so far; a later call replaces it.
  void write_result();
  /// Adds a finding for host code that touched device memory. False: the address is not the device's.
  bool explain_fault(uint64_t address, uint64_t code_address, bool write);

 private:
  Process();
  struct Binary {
    const void* wrapper = nullptr;
    std::vector<std::shared_ptr<const ptx::Module>> modules;
    bool loaded = false;
    struct Managed {
      void** pointer;
      std::string name;
    };
    std::vector<Managed> managed;
  };
  struct Entity {
    Binary* binary = nullptr;
    std::string name;  ///< mangled, as PTX has it
  };
  void load(Binary&);
  std::shared_ptr<const ptx::Module> load_module(std::string text);
  void use(const std::shared_ptr<const ptx::Module>&);
  void fail(const std::string& why);
  void add_finding(Diagnostic);
  void apply_control();
  /// Bytes of device memory that the program may have at once.
  uint64_t memory_limit() const;
  /// Says on standard error which allocation was over that limit, once per size.
  void tell_refused();
  /// Leaves a file that says that this process makes CUDA calls, whatever its end.
  void tell_begun();
  /// Adds a note for each of NVIDIA's libraries that was loaded and can't work here.
  void tell_real_libraries();

  NativeRunOptions options_;
  NativeCode code_;
  std::vector<std::unique_ptr<Binary>> binaries_;
  std::map<uint64_t, Entity> functions_, variables_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<host::Runtime> runtime_;
  std::map<std::string, std::map<int, std::string>> allocations_;  ///< by file and line: the variable's name
  std::set<std::string> missing_;
  Beside beside_{*this};
  int sticky_ = 0;
  bool looking_ = true;  ///< the queued launches are checked and timed
  int64_t asked_ = 0;    ///< launches so far
  int64_t matched_ = 0;  ///< launches of --only's kernel so far
  NativeRunResult result_;
  KernelTable kernels_;
  LaunchSamples samples_;
  uint64_t refused_bytes_ = 0;  // of the last allocation that tell_refused() told
  double base_us_ = 0;          ///< start of the launches that are collected next
};

/// The PTX with the names in the sources that its .file directives refer to, as far as those can be read.
std::string with_names_of_sources(std::string ptx);

}  // namespace dojo::exec

#pragma once
// What the tables of calls (call.hpp) share: the device, memory as host code sees it, findings, and launches.
// What only some tables need is a part of its own (state/), which those tables include.
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/device.hpp"
#include "core/host_work.hpp"
#include "host/call.hpp"
#include "ptx/module.hpp"
#include "simt/machine/machine.hpp"

namespace dojo::host {

struct ArrayTable;
struct CLibrary;
class Files;
class Graphs;
struct Launches;
struct MemoryPool;
struct PinnedMemory;
struct Streams;
class Unawaited;

/// A place in an allocation, for messages: "d_in", or "d_in + 24".
std::string named(const Region&, uint64_t address);
/// " at line 25", where an allocation was freed; empty: not known.
std::string freed_at(const Region&);
/// The name of memory that the compiler made, such as a literal's.
inline constexpr const char* constant_name = "a constant of the program";

/// exit(), _Exit() or abort(): unwinds the interpreter.
struct ProgramExit {
  int status;
  std::string call;  ///< as written: "exit(3)"
  SourceLoc where;   ///< of the call
};

/// A program whose host part runs natively in this process (app/exec): its memory, its functions and the
/// names of its device variables are the process's own.
class NativeProgram {
 public:
  virtual ~NativeProgram() = default;
  /// The kernel that a host function launches, or null. Its module is the runtime's from then on.
  virtual const ptx::Function* kernel(uint64_t host_function) = 0;
  /// Device address of the variable that a host variable stands for, or 0. Its module is the runtime's as
  /// above.
  virtual uint64_t variable(uint64_t host_variable) = 0;
  /// What the source line allocates, where it can be told.
  virtual std::string allocated_at(const SourceLoc&) = 0;
};

class Runtime final : public simt::HostCalls {
 public:
  void poll() override;
  Runtime(Device&, std::shared_ptr<const ptx::Module>, std::map<int, std::string> allocation_names);
  /// Of a native program; `device` shares its memory with the process.
  Runtime(Device&, NativeProgram&);
  ~Runtime();
  NativeProgram* native() const { return native_; }
  /// Sets the module of the kernels and variables that the next calls name; native programs have several.
  void use_module(std::shared_ptr<const ptx::Module> m) { module_ = std::move(m); }
  /// Is this the address of a native program's own memory, which CUDA did not allocate?
  bool of_process(uint64_t address);

  void call(const ptx::Function& callee, std::span<const std::byte> args, std::span<std::byte> result,
            const SourceLoc& where) override;

  /// Set once the program is decoded.
  void attach(const simt::Program& program, simt::HostThread& thread) {
    program_ = &program;
    thread_ = &thread;
  }
  /// Null in a native program.
  const simt::Program* program() const { return program_; }
  simt::HostThread& thread() { return *thread_; }
  const ptx::Module& module() const { return *module_; }
  Device& device() { return device_; }
  AddressSpace& memory() { return device_.memory(); }

  // Text.
  std::function<void(std::string_view)> printer;
  void print(std::string_view s) {
    if (printer) printer(s);
  }

  // Errors and findings.
  int last_error = 0;
  std::vector<Diagnostic> findings;
  /// Ends the program with a finding at the call's line.
  [[noreturn]] void stop(const Call&, FindingKind, std::string message);
  void report(const Call&, Severity, FindingKind, std::string message);
  /// Failed launches, until the program asks for the last error.
  std::vector<Diagnostic> unseen_launch_errors;
  /// At the program's end: reports unseen launch errors, captures without an end, and leaks.
  void close();

  /// Calls, copies and waits so far (its instructions: Session::host_instructions).
  const HostWork& work() const { return work_; }

  // Memory.
  /// Allocates and names the region after the variable that the source line assigns.
  CudaStatus allocate(const Call&, uint64_t* address, uint64_t bytes, Owner);
  uint64_t host_allocate(const Call&, uint64_t bytes, bool zero);
  void host_free(const Call&, uint64_t address);
  CudaStatus copy(Call&, const CopyBox&, int kind, uint64_t stream, bool blocking);
  CudaStatus copy(Call& c, uint64_t dst, uint64_t src, uint64_t bytes, int kind, uint64_t stream,
                  bool blocking) {
    return copy(c, CopyBox::line(dst, src, bytes), kind, stream, blocking);
  }
  CudaStatus fill(Call&, const FillBox&, int value, uint64_t stream, bool blocking);
  /// Checks a copy or fill without doing it: reports what is wrong and returns the status.
  CudaStatus check_copy(const Call&, const CopyBox&, int kind);
  /// Checks one side of a copy. `rows`: the box whose span the bytes are, for the message.
  CudaStatus check_copy_side(const Call&, uint64_t address, uint64_t bytes, int kind, bool destination,
                             const CopyBox* rows = nullptr);
  CudaStatus check_fill(const Call&, const FillBox&);
  /// Counts the bytes of a copy that a texture driver makes, not Device::copy_box().
  void count_copied(uint64_t bytes) { work_.copied_bytes += int64_t(bytes); }
  /// Does a copy that check_copy() allowed.
  CudaStatus copy_checked(Call&, const CopyBox&, uint64_t stream, bool blocking);
  std::map<int, uint64_t> limits;  ///< that cudaDeviceSetLimit changed, by cudaLimit
  std::string name_at(int line, const char* otherwise) const;
  std::string describe(uint64_t address) { return memory().describe(address); }

  // Launches.
  /// The kernel behind a function pointer, or null.
  const ptx::Function* kernel_at(uint64_t code_address) const;
  /// `returned`: by a call of the program's. If it reads the result, it need not ask for the error later.
  CudaStatus launch(Call&, const ptx::Function& kernel, LaunchSpec, bool returned = false);
  /// Waits for the stream and calls a function of the program's with one argument. Within such a function:
  /// cudaErrorNotPermitted, since it may queue no other. A compiled program's functions are not checked.
  CudaStatus host_function(uint64_t stream, uint64_t function, uint64_t argument);

  // What the tables of calls remember: each in its own header, included by the tables that need it.
  CLibrary& c_library();      // state/c_library.hpp
  Files& files();             // files.hpp
  PinnedMemory& pinned();     // state/pinned_memory.hpp
  MemoryPool& memory_pool();  // state/memory_pool.hpp
  ArrayTable& arrays();       // state/array_table.hpp
  Streams& streams();         // state/streams.hpp
  Launches& launches();       // state/launches.hpp
  Unawaited& unawaited();     // state/unawaited.hpp
  Graphs& graphs();           // graphs.hpp

  /// Modelled nanoseconds since the program's start. Each call adds 100 ns, so that a loop that waits for a
  /// time ends.
  uint64_t now_ns();

  /// Runs the functions given to atexit, last first.
  void run_at_exit();

 private:
  friend struct Call;
  std::byte* bytes(const Call&, uint64_t address, uint64_t n, bool write);
  void note_reach(const ptx::Function& kernel, const LaunchSpec&);

  Device& device_;
  NativeProgram* native_ = nullptr;
  bool in_host_function_ = false;
  std::shared_ptr<const ptx::Module> module_;
  std::map<int, std::string> allocation_names_;
  const simt::Program* program_ = nullptr;
  simt::HostThread* thread_ = nullptr;
  struct Callee {
    Handler run = nullptr;
    int64_t* count = nullptr;  ///< in work_.calls; null: no call of the CUDA runtime
    bool variant = false;      ///< its arguments tell which of two names the program used
    bool copies = false, fills = false, waits = false;
    std::string name;  ///< as the program calls it; empty: no call of the CUDA runtime
  };
  Callee look_up(const ptx::Function&);
  std::unordered_map<const ptx::Function*, Callee> callees_;
  HostWork work_;
  mutable uint64_t kernel_address_ = 0;  ///< of the last kernel that was looked up
  std::set<uint64_t> allocations_;       ///< device, managed and pinned memory that the program owns
  uint64_t clock_reads_ = 0;             ///< calls of now_ns()
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dojo::host

#pragma once
// The functions that a student's host code calls and does not define: the CUDA runtime, and the part of the C
// library that is provided. Each is an entry of a table by topic (calls_*.cpp). Runtime is what entries
// share.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/bytes.hpp"
#include "core/device.hpp"
#include "core/host_work.hpp"
#include "core/textures/descriptions.hpp"
#include "host/glibc_random.hpp"
#include "ptx/module.hpp"
#include "simt/machine/machine.hpp"

namespace dojo::host {

class Graphs;
class Runtime;
}  // namespace dojo::host
namespace dojo::simt {
struct InFlight;
}
namespace dojo::host {

/// A place in an allocation, for messages: "d_in", or "d_in + 24".
std::string named(const Region&, uint64_t address);
/// " at line 25", where an allocation was freed; empty: not known.
std::string freed_at(const Region&);
/// The name of memory that the compiler made, such as a literal's.
inline constexpr const char* constant_name = "a constant of the program";

/// One call in progress: typed access to the callee's parameter block, and its result.
struct Call {
  Runtime& rt;
  const ptx::Function& callee;
  std::span<const std::byte> args;
  std::span<std::byte> result;
  const SourceLoc& where;

  size_t count() const { return callee.params.size(); }
  /// The function as the program calls it, for messages.
  std::string name() const;
  /// Parameter i as a T; zero when the student declared the function with fewer or shorter parameters.
  template <class T>
  T arg(size_t i) const {
    T v{};
    if (i < callee.params.size()) {
      const auto& p = callee.params[i];
      const size_t n = std::min<size_t>(sizeof(T), p.bytes);
      if (p.offset + n <= args.size()) std::memcpy(&v, args.data() + p.offset, n);
    }
    return v;
  }
  uint64_t ptr(size_t i) const { return arg<uint64_t>(i); }
  int32_t i32(size_t i) const { return arg<int32_t>(i); }
  Dim3 dim3(size_t i) const { return arg<Dim3>(i); }

  template <class T>
  void ret(T v) {
    copy_bytes(result.data(), &v, std::min(sizeof(T), result.size()));
  }
  /// The device's handle of the stream that parameter i names. False: it names no live stream, and the call
  /// has returned cudaErrorInvalidResourceHandle.
  bool stream(size_t i, uint64_t* device_handle);
  /// Returns a CUDA status and remembers an error for cudaGetLastError.
  void status(int code);
  void status(CudaStatus s) { status(s.code); }
  /// Is the status that the call has returned cudaSuccess?
  bool succeeded() const {
    int32_t code = 0;
    copy_bytes(&code, result.data(), std::min(sizeof code, result.size()));
    return code == 0;
  }

  /// Host memory behind a program's address; ends the run with a finding when host code may not touch it.
  std::byte* read(uint64_t address, uint64_t bytes) const;
  std::byte* write(uint64_t address, uint64_t bytes) const;
  template <class T>
  void store(uint64_t address, T v) const {
    std::memcpy(write(address, sizeof v), &v, sizeof v);
  }
  template <class T>
  T load(uint64_t address) const {
    T v;
    std::memcpy(&v, read(address, sizeof v), sizeof v);
    return v;
  }
  /// A C string, or its first `most` characters: those after them need not be there.
  std::string text(uint64_t address, uint64_t most = ~uint64_t(0)) const;
};

using Handler = void (*)(Call&);
struct Entry {
  const char* name;
  Handler run;
};

/// The tables, by topic.
std::span<const Entry> memory_calls();
std::span<const Entry> array_calls();
std::span<const Entry> array_copy_calls();
std::span<const Entry> mipmap_calls();
std::span<const Entry> launch_calls();
std::span<const Entry> occupancy_calls();
std::span<const Entry> stream_calls();
std::span<const Entry> stream_attribute_calls();
std::span<const Entry> pool_calls();
std::span<const Entry> graph_calls();
std::span<const Entry> graph_node_calls();
std::span<const Entry> device_calls();
std::span<const Entry> string_calls();
std::span<const Entry> library_calls();
std::span<const Entry> print_calls();

/// Priorities of streams and launches: what cudaDeviceGetStreamPriorityRange gives, as on an H100. CUDA takes
/// a number outside as the nearest one inside.
constexpr int lowest_priority = 0, highest_priority = -5;
constexpr int clamped_priority(int p) { return std::clamp(p, highest_priority, lowest_priority); }

/// Kernel arguments from an array of pointers to them, into the spec; false: the program gave none.
bool gather_arguments(Call&, const ptx::Function& kernel, uint64_t pointers, LaunchSpec*);

/// An allocation of the memory pool, and its end.
void note_pool_allocation(Runtime&, uint64_t address, uint64_t bytes);
void note_pool_release(Runtime&, uint64_t address);
/// What a cudaLaunchConfig_t says beside the launch.
struct ConfigExtras {
  uint64_t stream = 0;         ///< not yet looked up
  bool names_cluster = false;  ///< has the attribute, be it of one block
};
/// What the cudaLaunchConfig_t at an address says; false: it has more attributes than there are kinds.
bool read_config(const Call&, uint64_t config, LaunchSpec*, ConfigExtras*);
/// Blocks of the cluster and grid allow it; `most`: of a cluster.
bool cluster_fits(const Dim3& grid, const Dim3& cluster, uint64_t most);

/// exit(), _Exit() or abort(): unwinds the interpreter.
struct ProgramExit {
  int status;
  std::string call;  ///< as written: "exit(3)"
  SourceLoc where;   ///< of the call
};

/// A launch whose parameter buffer the program is filling (calls_launch.cpp).
struct PendingLaunch {
  const ptx::Function* kernel = nullptr;
  LaunchSpec spec;
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
  const simt::Program& program() const { return *program_; }
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
  /// The device runs nothing any more: what was queued has ended, and later calls do nothing to be ordered.
  void device_failed();
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
  /// Arrays that live, by handle; `data`: address of the texels, 0 on a device with a driver of its own.
  struct Array {
    ArraySpec spec;
    uint64_t data = 0;
  };
  std::map<uint64_t, Array> arrays;
  std::map<uint64_t, std::vector<uint64_t>> mipmaps;  ///< mipmapped arrays: their levels' arrays
  uint64_t mipmaps_made = 0;
  uint64_t thrown = 0;                        ///< the last exception of host code
  std::map<uint64_t, uint64_t> registered;    ///< host memory that cudaHostRegister pinned: address, bytes
  std::map<uint64_t, unsigned> pinned_flags;  ///< of cudaHostAlloc and cudaHostRegister, by address
  std::map<int, uint64_t> limits;             ///< that cudaDeviceSetLimit changed
  /// The one memory pool. It keeps what is freed up to its threshold, as CUDA's does at a synchronisation;
  /// only its attributes tell.
  struct Pool {
    std::map<uint64_t, uint64_t> live;  ///< allocations: address, bytes
    std::map<int, uint64_t> settings;   ///< cudaMemPoolSetAttribute, by attribute
    uint64_t used = 0, most_used = 0, reserved = 0, most_reserved = 0;
  } pool;
  bool is_registered(uint64_t address, uint64_t bytes) const;  ///< all of it, by one call
  std::string name_at(int line, const char* otherwise) const;
  std::string describe(uint64_t address) { return memory().describe(address); }

  // Launches.
  struct Pushed {
    Dim3 grid, block;
    uint64_t dynamic_smem = 0, stream = 0;
    SourceLoc where;
  };
  std::vector<Pushed> pushed;                 ///< configurations of <<<>>> whose kernel was not launched yet
  std::optional<SourceLoc> launch_where;      ///< of the configuration that was popped last
  std::map<uint64_t, PendingLaunch> pending;  ///< by parameter buffer
  std::vector<std::pair<uint64_t, uint64_t>> spare_buffers;  ///< address, bytes
  /// The kernel behind a function pointer, or null.
  const ptx::Function* kernel_at(uint64_t code_address) const;
  CudaStatus launch(Call&, const ptx::Function& kernel, LaunchSpec);
  /// Waits for the stream and calls a function of the program's with one argument.
  void host_function(uint64_t stream, uint64_t function, uint64_t argument);
  std::map<std::string, int> dynamic_smem_limit;
  std::set<std::string> large_clusters;  ///< kernels whose clusters may have more than 8 blocks
  /// Blocks that a cluster of the kernel may have (CUDA C++ Programming Guide, clusters).
  uint64_t most_in_cluster(const std::string& kernel) const {
    return large_clusters.contains(kernel) ? 16 : 8;
  }

  // Streams and events: what the program holds is the device's handle plus this, clear of the special
  // streams.
  static constexpr uint64_t handle_base = 0x1000;
  std::set<uint64_t> streams, events;  ///< that live
  std::set<uint64_t> non_blocking;     ///< streams, by the device's handle
  struct StreamSettings {
    int priority = 0;
    bool changed = false;                                 ///< the priority, since the stream was created
    std::map<int, std::array<std::byte, 64>> attributes;  ///< others, by cudaStreamAttrID
  };
  std::map<uint64_t, StreamSettings> stream_settings;  ///< by the device's handle; not there: all defaults
  std::set<uint64_t> recorded;                         ///< events that were recorded at least once
  /// The device's handle; false: not a live stream of this program.
  bool stream_of(uint64_t handle, uint64_t* device_handle);
  /// Handle 0 of the next calls means the calling thread's own default stream, not the one of all threads
  /// (nvcc --default-stream per-thread).
  void use_default_stream_per_thread(bool yes) { default_is_per_thread_ = yes; }

  Graphs& graphs() { return *graphs_; }

  // Races with queued work that the program has not waited for (unawaited.cpp).
  void note_wait(uint64_t stream);  ///< a cudaStreamWaitEvent
  void clear_unawaited();
  /// The program has waited for one stream: what is not ordered before its end may still run.
  void note_end(uint64_t stream);
  /// The entry has returned, and its caller reads a result: by a copy in the default stream, or at once where
  /// host code can. What may still write it is a finding at its own line.
  void note_result(uint64_t address);

  // The C library's state.
  GlibcRandom random;
  uint64_t rand48 = 0x1234ABCD330Eull;
  uint64_t strtok_next = 0;
  std::vector<uint64_t> at_exit;
  uint64_t print_to = 0;  ///< where the next printf goes: 0 stdout
  uint64_t print_into = 0, print_capacity = 0;
  bool print_redirected = false;
  /// Modelled nanoseconds since the program's start. Each call adds 100 ns, so that a loop that waits for a
  /// time ends.
  uint64_t now_ns();

  /// Runs the functions given to atexit, last first.
  void run_at_exit();

 private:
  friend struct Call;
  std::byte* bytes(const Call&, uint64_t address, uint64_t n, bool write);
  bool unordered(const simt::InFlight&, uint64_t stream) const;
  /// Takes away what the stream's next work comes after, and by which region: its host function need not
  /// wait.
  std::vector<std::pair<uint64_t, simt::InFlight>> take_work_before(uint64_t stream);
  void note(Region&, simt::InFlight);
  void note_reach(const ptx::Function& kernel, const LaunchSpec&);
  void note_launch(const Call&, const ptx::Function& kernel, const LaunchSpec&);
  void note_copy(const Call&, const CopyBox&, uint64_t stream, bool blocking);

  Device& device_;
  NativeProgram* native_ = nullptr;
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
  std::unique_ptr<Graphs> graphs_;
  mutable uint64_t kernel_address_ = 0;  ///< of the last kernel that was looked up
  std::set<uint64_t> allocations_;       ///< device, managed and pinned memory that the program owns
  std::map<std::thread::id, uint64_t> per_thread_streams_;  ///< the device's handles
  bool default_is_per_thread_ = false;
  uint64_t clock_looks_ = 0;                ///< calls of now_ns()
  uint64_t order_ = 0;                      ///< number of the last queued launch, copy or wait
  std::map<uint64_t, uint64_t> last_wait_;  ///< by stream: the order_ of its last cudaStreamWaitEvent
  bool failed_ = false;
  std::vector<uint64_t> unawaited_;  ///< bases of the regions that queued work uses
};

}  // namespace dojo::host

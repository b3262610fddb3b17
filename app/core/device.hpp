#pragma once
// The device that a student's program runs on: the SIMT machine or a real GPU. The host interpreter
// forwards CUDA runtime calls to it. Work is queued by stream and runs at the latest at a synchronisation,
// so that kernels on several streams run together, spin-waits included.
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/compile.hpp"
#include "core/copy_box.hpp"
#include "core/memory.hpp"
#include "core/report.hpp"
#include "core/types.hpp"

namespace dojo::ptx {
struct Module;
}

namespace dojo {

struct StepTrace;
class TextureDriver;

/// Limits and attributes that CUDA's device queries report, and the figures plots need.
struct DeviceInfo {
  std::string name;   ///< "simt:h100", "cuda:0"
  std::string title;  ///< "NVIDIA H100 80GB HBM3"
  DeviceKind kind = DeviceKind::simt;
  int cc_major = 9, cc_minor = 0;
  int sms = 132;
  int warps_per_sm = 64, blocks_per_sm = 32, threads_per_block = 1024;
  int registers_per_sm = 65536, registers_per_block = 65536;
  int smem_per_sm = 233472, smem_per_block = 49152, smem_per_block_optin = 232448, smem_reserved = 1024;
  uint64_t global_bytes = uint64_t(80) << 30, l2_bytes = uint64_t(50) << 20, const_bytes = 65536;
  double clock_mhz = 1980, memory_clock_mhz = 2619;
  int memory_bus_bits = 5120;
  double peak_gbps = 3352, peak_gflops = 66900;  ///< fp32
  std::string model_version;
  int driver_version = 13000;
};

/// What a report says of the device that it ran on.
ReportDevice report_device(const DeviceInfo&);

/// Result of a runtime call: CUDA's error number (0 = cudaSuccess) and name.
struct CudaStatus {
  int code = 0;
  bool ok() const { return code == 0; }
};
/// CUDA runtime error numbers that devices and the host interpreter use.
namespace cuda_error {
inline constexpr int invalid_value = 1, memory_allocation = 2, invalid_configuration = 9,
                     invalid_device_pointer = 17, invalid_memcpy_direction = 21, invalid_device_function = 98,
                     invalid_device = 101, invalid_resource_handle = 400, not_ready = 600,
                     illegal_address = 700, already_registered = 712, not_registered = 713,
                     launch_out_of_resources = 701, launch_timeout = 702, assert_triggered = 710,
                     misaligned_address = 716, launch_failure = 719, cooperative_launch_too_large = 720,
                     not_supported = 801;
}

/// "cudaErrorInvalidValue" and "invalid argument": what cudaGetErrorName and cudaGetErrorString give.
const char* cuda_error_name(int code);
const char* cuda_error_text(int code);

struct LaunchSpec {
  std::string kernel;  ///< mangled name
  Dim3 grid, block, cluster;
  uint32_t dynamic_smem = 0;
  uint64_t stream = 0;
  bool cooperative = false;
  bool programmatic = false;      ///< programmatic dependent launch (griddepcontrol)
  std::optional<int> priority;    ///< lower goes first, as CUDA counts; without one, its stream's
  std::vector<std::byte> params;  ///< laid out as the kernel's parameters
  SourceLoc where;                ///< of the launch
};

/// Stops and limits of one run.
struct RunControl {
  uint64_t max_warp_instructions = 0;    ///< 0: none
  double max_seconds = 0;                ///< 0: none
  std::function<bool()> cancelled;       ///< polled about every 10 ms; true ends the run
  std::function<void(double)> progress;  ///< 0..1 of the launches known so far
  int threads = 0;                       ///< host threads (0: all cores)
  bool lines = false, blocks = false;    ///< keep per-line counters, block timelines
  bool checks = true;                    ///< races, uninitialised reads (bounds are always checked)
  bool exchanges = false;                ///< count what threads exchange through shared memory
  bool timing = true;                    ///< the time model
  bool as_written = false;               ///< code without optimisation: its registers limit no launch
  /// As under Nsight Compute: every kernel runs alone, the one before it finished, and finds all caches
  /// empty. Only the SIMT machine can.
  bool apart = false;
  /// What a shuffle returns of a lane that takes no part: these bits, but to even lanes their own value where
  /// `even_keep` is set. None: that lane's register. With it such a shuffle is a warning, since whether a
  /// result depends on the value shows in the result.
  struct UndefinedLane {
    uint32_t bits = 0;
    bool even_keep = false;
  };
  std::optional<UndefinedLane> undefined;
  std::shared_ptr<StepTrace> steps;  ///< a block to record (step_trace.hpp); the run stops with "traced" when
                                     ///< it has ended. Only the SIMT machine can.
};

/// Thrown out of a device when a run must end: a limit (Status::timeout), a finding that ends the program
/// (an illegal address, a deadlock: Status::finding), or a crash of the context.
struct RunStopped : std::exception {
  Status status;
  Diagnostic why;
  RunStopped(Status s, Diagnostic d) : status(s), why(std::move(d)) {}
  const char* what() const noexcept override { return why.message.c_str(); }
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  /// The address space that host code and this device share.
  virtual AddressSpace& memory() = 0;
  virtual void set_control(const RunControl&) = 0;

  /// Makes a compiled module the current one; places its __device__, __constant__ and __managed__ variables.
  /// The resources are by mangled kernel name. Throws Error naming an instruction it can't run.
  virtual void load(std::shared_ptr<const ptx::Module>, const Assembled& resources) = 0;
  /// Loads a module beside those loaded before and makes it the current one. Throws Error as load() does.
  virtual void load_beside(std::shared_ptr<const ptx::Module> m, const Assembled& resources) {
    load(std::move(m), resources);
  }
  /// Makes a module of load_beside() the current one again; what is queued of another one runs first.
  virtual void select(const ptx::Module&) {}
  /// Address of a module variable by its PTX name, or 0.
  virtual uint64_t symbol(const std::string& name, uint64_t* bytes = nullptr) = 0;

  virtual CudaStatus allocate(uint64_t* address, uint64_t bytes, Owner, std::string name, SourceLoc) = 0;
  virtual CudaStatus release(uint64_t address, SourceLoc) = 0;
  /// Any direction between host and device regions; in stream order. Blocking when `blocking`.
  virtual CudaStatus copy(uint64_t dst, uint64_t src, uint64_t bytes, uint64_t stream, bool blocking) = 0;
  /// The same of a box's rows, in one transfer. Each side lies in one region.
  virtual CudaStatus copy_box(const CopyBox& box, uint64_t stream, bool blocking) {
    CudaStatus s;
    uint64_t left = box.rows * box.slices;
    box.each_row([&](uint64_t dst, uint64_t src) {
      s = copy(dst, src, box.width, stream, blocking && --left == 0);
      return s.ok();
    });
    return s;
  }
  /// cudaHostRegister and its undoing: copies of such host memory are as of pinned memory's.
  virtual CudaStatus pin(uint64_t address, uint64_t bytes) {
    (void)address;
    (void)bytes;
    return {};
  }
  virtual CudaStatus unpin(uint64_t address) {
    (void)address;
    return {};
  }
  /// Host code has moved or filled so many bytes of its own memory with one call, such as memcpy.
  virtual void note_host_move(uint64_t bytes) { (void)bytes; }
  /// In stream order, in one operation. The rows lie in one region.
  virtual CudaStatus fill_box(const FillBox&, uint32_t value, uint64_t stream, bool blocking) = 0;
  CudaStatus fill(uint64_t dst, uint8_t value, uint64_t bytes, uint64_t stream, bool blocking) {
    return fill_box(FillBox::line(dst, bytes), value, stream, blocking);
  }

  virtual KernelResources kernel_resources(const std::string& mangled) = 0;
  /// Blocks of a kernel that fit on one SM (the occupancy API).
  virtual int max_active_blocks(const std::string& mangled, uint32_t threads, uint32_t dynamic_smem) = 0;
  /// Clusters of a launch that are resident at once; 0: none finds room.
  virtual int max_active_clusters(const LaunchSpec&) { return 0; }
  /// cudaFuncSetAttribute(MaxDynamicSharedMemorySize).
  virtual CudaStatus allow_dynamic_smem(const std::string& mangled, int bytes) = 0;

  /// Checks the configuration as a real runtime does and queues the launch.
  virtual CudaStatus launch(const LaunchSpec&) = 0;
  virtual uint64_t create_stream(int priority, bool non_blocking) = 0;
  virtual CudaStatus destroy_stream(uint64_t) = 0;
  virtual uint64_t create_event() = 0;
  virtual CudaStatus record_event(uint64_t event, uint64_t stream) = 0;
  virtual CudaStatus wait_event(uint64_t stream, uint64_t event) = 0;
  /// Milliseconds between two recorded events (modelled or measured).
  virtual CudaStatus elapsed(float* ms, uint64_t start, uint64_t stop) = 0;
  virtual CudaStatus synchronize() = 0;  ///< throws RunStopped
  virtual CudaStatus synchronize_stream(uint64_t) = 0;
  /// Waits for what the event was recorded behind.
  virtual CudaStatus synchronize_event(uint64_t) { return synchronize(); }

  // Graphs: a launched graph's work is queued as that of streams. The device is told, since the host pays
  // less for it.
  /// An executable graph of so many nodes is made.
  virtual void note_graph(uint64_t nodes) { (void)nodes; }
  /// What is queued from here to end_graph() comes of one cudaGraphLaunch, the graph's first or a later one.
  virtual void begin_graph(uint64_t nodes, bool first) {
    (void)nodes;
    (void)first;
  }
  virtual void end_graph() {}

  /// Where device-side printf goes, in order.
  virtual void set_printer(std::function<void(std::string_view)>) = 0;
  /// Launches and findings since the last call, in launch order. Times are final after synchronize().
  virtual std::vector<LaunchReport> take_launches() = 0;
  virtual std::vector<Diagnostic> take_findings() = 0;
  /// Time of the device from first launch start to last end since the last take_launches, microseconds.
  virtual Timing device_time() const = 0;
  /// Time as the host sees it since the last take_launches, microseconds: kernels, copies, allocations and
  /// call costs together, with the overlap that streams give. 0 where the device doesn't know.
  virtual double end_to_end_us() const { return 0; }
  /// What ran when since the last take_launches, on the host's clock; empty where the device doesn't know.
  /// Before take_launches().
  virtual std::vector<WorkSpan> timeline() { return {}; }
  /// Who last wrote the word at an address (for mismatch reports), if known.
  virtual bool last_writer(uint64_t address, Dim3* block, Dim3* thread) {
    (void)address;
    (void)block;
    (void)thread;
    return false;
  }
  /// Empties or rotates caches so that the next launch starts from a cold L2.
  virtual void cold_caches() = 0;
  /// Null: arrays, textures and surfaces are kept in the device's memory (host/calls_arrays.cpp).
  virtual TextureDriver* texture_driver() { return nullptr; }
};

/// Device families register themselves under a scheme: "simt", "cuda", "rec".
struct DeviceFamily {
  std::string scheme;
  std::function<std::vector<DeviceInfo>(std::vector<std::string>* why_not)> list;
  std::function<std::unique_ptr<Device>(const std::string& name)> open;  ///< "simt:h100"; throws Error
};
void register_family(DeviceFamily);
const std::vector<DeviceFamily>& device_families();
/// Opens by full name; throws Error naming the devices there are. Rooms register in register_simt(), ...
std::unique_ptr<Device> open_device(const std::string& name);

}  // namespace dojo

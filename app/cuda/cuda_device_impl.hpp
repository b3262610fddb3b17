#pragma once
// The class behind "cuda:N". Split over cuda_device.cpp (memory, launches, streams) and replay.cpp (timing).
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/collections/rounding.hpp"
#include "core/device.hpp"
#include "cuda/cuda_textures.hpp"
#include "cuda/driver.hpp"
#include "cuda/gpu_turn.hpp"
#include "cuda/recorded_work.hpp"
#include "cuda/timeline_ptx.hpp"

namespace dojo::cuda {

DeviceInfo describe_gpu(const Driver&, int ordinal);

/// Runs `body` and returns what it wrote to this process's standard output.
std::string capture_stdout(const std::function<void()>& body);

/// Destroys what it owns by a function of the driver.
template <class T>
class Owned {
 public:
  using Destroy = CUresult (*)(T);
  Owned() = default;
  Owned(T what, Destroy destroy) : what_(what), destroy_(destroy) {}
  Owned(Owned&& other) noexcept { *this = std::move(other); }
  Owned& operator=(Owned&& other) noexcept {
    std::swap(what_, other.what_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Owned() {
    if (what_) destroy_(what_);
  }
  T get() const { return what_; }
  explicit operator bool() const { return what_ != T{}; }

 private:
  T what_{};
  Destroy destroy_ = nullptr;
};

class CudaDevice final : public Device {
 public:
  CudaDevice(const Driver&, int ordinal);
  ~CudaDevice() override;

  const DeviceInfo& info() const override { return info_; }
  AddressSpace& memory() override { return memory_; }
  void set_control(const RunControl& c) override { control_ = c; }
  void load(std::shared_ptr<const ptx::Module>, const Assembled&) override;
  uint64_t symbol(const std::string&, uint64_t* bytes) override;
  CudaStatus allocate(uint64_t*, uint64_t, Owner, std::string, SourceLoc) override;
  CudaStatus release(uint64_t, SourceLoc) override;
  CudaStatus copy(uint64_t, uint64_t, uint64_t, uint64_t, bool) override;
  CudaStatus copy_box(const CopyBox&, uint64_t, bool) override;
  CudaStatus fill_box(const FillBox&, uint32_t, uint64_t, bool) override;
  KernelResources kernel_resources(const std::string&) override;
  int max_active_blocks(const std::string&, uint32_t, uint32_t) override;
  int max_active_clusters(const LaunchSpec&) override;
  CudaStatus allow_dynamic_smem(const std::string&, int) override;
  CudaStatus launch(const LaunchSpec&) override;
  uint64_t create_stream(int, bool) override;
  CudaStatus destroy_stream(uint64_t) override;
  uint64_t create_event() override;
  CudaStatus record_event(uint64_t, uint64_t) override;
  CudaStatus wait_event(uint64_t, uint64_t) override;
  CudaStatus elapsed(float*, uint64_t, uint64_t) override;
  CudaStatus synchronize() override;
  CudaStatus synchronize_stream(uint64_t) override;
  void set_printer(std::function<void(std::string_view)> p) override { printer_ = std::move(p); }
  std::vector<LaunchReport> take_launches() override;
  std::vector<Diagnostic> take_findings() override;
  /// Replays the recorded work once (read results back first) and keeps the figure until take_launches().
  Timing device_time() const override;
  void cold_caches() override;
  TextureDriver* texture_driver() override {
    take_turn();
    return &textures_;
  }

  // For library baselines: plain transfers, and the time of foreign work replayed as a graph (n = 0: not
  // capturable).
  void upload(uint64_t address, std::span<const std::byte>);
  void download(std::span<std::byte>, uint64_t address);
  Timing time_external(const std::function<bool(CUstream)>& body);

  /// Issues all recorded work once, onto `origin` and onto streams forked from it, and joins them back: what
  /// came in order the first time does so again, by streams, events, the default stream's barriers and the
  /// host's waiting. False when a call failed.
  bool issue_work(CUstream origin);

 private:
  static constexpr uint8_t kPoison = 0xFF;  // four of them are a NaN
  static constexpr uint64_t kGuard = 256;
  /// What an allocation takes, with the guard behind it.
  static uint64_t guarded_bytes(uint64_t bytes) { return round_up(bytes, 256) + kGuard; }
  struct Allocation {
    uint64_t bytes = 0;
    Owner owner = Owner::device;
    mutable bool reported = false;
  };
  struct Event {
    CUevent event = nullptr;
    bool recorded = false;
  };

  void take_turn();
  void unload();
  CUfunction function(const std::string& mangled, bool twin);
  CUresult issue(const LaunchSpec&, CUstream, bool twin, uint64_t stamps);
  CUresult issue_fill(const FillBox&, uint32_t value, CUstream);
  CUstream stream(uint64_t handle) const;
  CudaStatus copy_area(const CUDA_MEMCPY3D&, uint64_t stream, bool wait, bool host);
  std::string last_kernel() const;
  [[noreturn]] void stop(CUresult);
  /// Asks until the answer isn't "not ready". Past the run's limit, or when the run is cancelled: RunStopped.
  CUresult wait(const std::function<CUresult()>& query);
  void wait_for(CUstream);
  void wait_for_all();
  [[noreturn]] void give_up(bool over);
  void check_guard(uint64_t address, const Allocation&);
  void free_now(uint64_t address, const Allocation&);
  void release_deferred();

  // replay.cpp
  void empty_l2(CUstream);
  Owned<CUstream> own_stream();
  Owned<CUgraphExec> capture(const std::function<bool(CUstream)>& body);
  double between_events_us(CUstream on, const std::function<void()>& issue);
  double replay_us(CUgraphExec);
  double issue_us(const std::function<bool(CUstream)>& passes);
  Timing time_body(const std::function<bool(CUstream)>&);
  std::vector<LaunchReport> describe_launches();
  // launch_stamps.cpp
  bool load_twins();
  void issue_twins(CUdeviceptr stamps);
  std::vector<BlockStamp> block_stamps(uint64_t blocks);
  void stamp_launches(std::vector<LaunchReport>&);
  void measure();

  std::shared_ptr<GpuTurn> turn_;  // from the first work on
  const Driver& d_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr, twin_ = nullptr, own_module_ = nullptr;
  DeviceInfo info_;
  AddressSpace memory_;
  Textures textures_{d_, memory_, [this](const CUDA_MEMCPY3D& box, const ArrayCopy& c, bool host) {
                       return copy_area(box, c.stream, c.blocking, host);
                     }};
  RunControl control_;
  std::shared_ptr<const ptx::Module> parsed_;
  Assembled resources_;
  std::string stripped_;
  std::map<std::string, std::pair<uint64_t, uint64_t>> symbols_;
  std::map<uint64_t, Allocation> live_;
  std::vector<std::pair<uint64_t, Allocation>> deferred_;
  std::map<uint64_t, CUstream> streams_;
  std::map<uint64_t, int> priorities_;  // as the program asked for them
  std::set<uint64_t> blocking_;  // of them: those that the default stream waits for, and that wait for it
  std::map<uint64_t, Event> events_;
  std::map<std::string, int> allowed_smem_;
  uint64_t next_handle_ = 0;
  std::vector<Work> work_;
  std::vector<Diagnostic> findings_;
  std::function<void(std::string_view)> printer_;
  Timing time_;
  std::vector<LaunchReport> measured_;
  bool is_measured_ = false, stopped_ = false;
  bool hung_ = false;             // a kernel runs on that nothing but the end of this process ends
  CUstream poisoning_ = nullptr;  // fills new memory, beside all kernels
  CUdeviceptr flush_ = 0;
  CUevent begin_ = nullptr, end_ = nullptr;  // around a replay
};

}  // namespace dojo::cuda

#pragma once
// A device without a machine: memory is real, copies are immediate, launches are recorded and run a function
// of the test's choice. For units that stand above a device.
#include <cstring>
#include <functional>
#include <map>

#include "core/device.hpp"
#include "core/textures/descriptions.hpp"

namespace dojo::host_test {

class FakeDevice : public Device {
 public:
  const DeviceInfo& info() const override { return info_; }
  AddressSpace& memory() override { return memory_; }
  void set_control(const RunControl&) override {}
  void load(std::shared_ptr<const ptx::Module>, const Assembled&) override {}
  uint64_t symbol(const std::string& name, uint64_t* bytes) override {
    Region*& r = symbols_[name];
    if (!r) r = memory_.allocate(64, Owner::device_global, name);
    if (bytes) *bytes = r->size;
    return r->base;
  }
  CudaStatus allocate(uint64_t* a, uint64_t n, Owner o, std::string name, SourceLoc where) override {
    Region* r = memory_.allocate(n, o, std::move(name), std::move(where));
    if (!r) return {cuda_error::memory_allocation};
    *a = r->base;
    return {};
  }
  CudaStatus release(uint64_t a, SourceLoc where) override {
    return {memory_.release(a, std::move(where)) ? 0 : cuda_error::invalid_value};
  }
  CudaStatus copy(uint64_t dst, uint64_t src, uint64_t n, uint64_t, bool) override {
    std::memmove(memory_.at(dst, n), memory_.at(src, n), n);
    return {};
  }
  CudaStatus copy_box(const CopyBox& b, uint64_t stream, bool blocking) override {
    boxes.push_back(b);
    return Device::copy_box(b, stream, blocking);
  }
  CudaStatus pin(uint64_t address, uint64_t n) override {
    pinned[address] = n;
    return {};
  }
  CudaStatus unpin(uint64_t address) override {
    pinned.erase(address);
    return {};
  }
  std::vector<CopyBox> boxes;
  std::map<uint64_t, uint64_t> pinned;
  std::vector<FillBox> fills;
  CudaStatus fill_box(const FillBox& b, uint32_t v, uint64_t, bool) override {
    fills.push_back(b);
    std::byte* to = memory_.at(b.dst, b.span());
    b.fill(to, v);
    return {};
  }
  KernelResources kernel_resources(const std::string&) override { return {32, 0, 0, 0, false}; }
  int max_active_blocks(const std::string&, uint32_t threads, uint32_t) override {
    return threads ? 2048 / int(threads) : 0;
  }
  CudaStatus allow_dynamic_smem(const std::string&, int bytes) override {
    return {bytes <= info_.smem_per_block_optin ? 0 : cuda_error::invalid_value};
  }
  CudaStatus launch(const LaunchSpec& s) override {
    if (s.grid.count() == 0 || s.block.count() == 0 || s.block.count() > 1024)
      return {cuda_error::invalid_configuration};
    launches.push_back(s);
    if (on_launch) on_launch(s);
    return {};
  }
  uint64_t create_stream(int, bool) override { return ++handles_; }
  CudaStatus destroy_stream(uint64_t) override { return {}; }
  uint64_t create_event() override { return ++handles_; }
  CudaStatus record_event(uint64_t, uint64_t) override { return {}; }
  CudaStatus wait_event(uint64_t, uint64_t) override { return {}; }
  CudaStatus elapsed(float* ms, uint64_t, uint64_t) override {
    *ms = 1.5f;
    return {};
  }
  CudaStatus synchronize() override {
    ++synchronised;
    return {};
  }
  CudaStatus synchronize_stream(uint64_t) override { return {}; }
  void set_printer(std::function<void(std::string_view)>) override {}
  std::vector<LaunchReport> take_launches() override { return {}; }
  std::vector<Diagnostic> take_findings() override { return {}; }
  Timing device_time() const override { return {}; }
  void cold_caches() override {}
  TextureDriver* texture_driver() override { return textures; }

  TextureDriver* textures = nullptr;
  std::vector<LaunchSpec> launches;
  std::function<void(const LaunchSpec&)> on_launch;
  int synchronised = 0;

 private:
  DeviceInfo info_;
  AddressSpace memory_{uint64_t(1) << 28};
  std::map<std::string, Region*> symbols_;
  uint64_t handles_ = 0;
};

}  // namespace dojo::host_test

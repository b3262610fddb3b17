#pragma once
// Arrays, texture objects and surface objects of a real GPU. What a program destroys stays until the recorded
// launches, which may use it, have been replayed.
#include <functional>
#include <vector>

#include "core/memory.hpp"
#include "core/textures/descriptions.hpp"
#include "cuda/driver.hpp"

namespace dojo::cuda {

class Textures final : public TextureDriver {
 public:
  /// Copies a box in a stream, and keeps it for replays when both sides are the device's; `host`: one is not.
  using CopyBox = std::function<CudaStatus(const CUDA_MEMCPY3D&, const ArrayCopy&, bool host)>;
  Textures(const Driver& d, AddressSpace& memory, CopyBox copy)
      : d_(d), memory_(memory), copy_(std::move(copy)) {}
  CudaStatus create_array(uint64_t* handle, const ArraySpec&) override;
  CudaStatus free_array(uint64_t handle) override;
  CudaStatus copy_array(const ArrayCopy&) override;
  CudaStatus create_texture(uint64_t* handle, const TextureSource&, const SamplerSpec&) override;
  CudaStatus create_surface(uint64_t* handle, uint64_t array) override;
  CudaStatus destroy_texture(uint64_t handle) override;
  CudaStatus destroy_surface(uint64_t handle) override;
  /// Frees what the program destroyed.
  void release();

 private:
  const Driver& d_;
  AddressSpace& memory_;
  CopyBox copy_;
  std::vector<uint64_t> arrays_, textures_, surfaces_;
};

}  // namespace dojo::cuda

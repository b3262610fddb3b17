#pragma once
// The CUDA runtime's descriptions of textures, checked and as the rest of the program has them
// (core/textures/descriptions.hpp).
#include <driver_types.h>
#include <texture_types.h>

#include <string>

#include "core/textures/descriptions.hpp"
#include "host/runtime.hpp"
#include "host/state/array_table.hpp"

namespace dojo::host {

/// Why a description is refused: CUDA's error number, 0: it is not.
struct Refusal {
  int code = 0;
  std::string why;
};

/// Reports what is wrong with a description and sets the call's status.
void refuse_array(Call&, int code, const std::string& why);
/// The array behind a handle, or null with a finding and a status.
const Array* array_of(Call&, uint64_t handle);
/// What is wrong with the format, or nothing.
std::string texel_format(const cudaChannelFormatDesc&, TexelFormat*);
/// Linear or pitched memory of a texture.
Refusal memory_source(Call&, const cudaResourceDesc&, TextureSource*);
Refusal sampler_of(const cudaTextureDesc&, const TextureSource&, SamplerSpec*);

/// One side of a copy of a box: where its rows start. x in bytes.
struct BoxSide {
  const Array* array = nullptr;  ///< null: memory
  uint64_t handle = 0;           ///< of the array
  uint64_t base = 0, row = 0, slice = 0;
  uint64_t x = 0, y = 0, z = 0;
  uint64_t height = 0;  ///< of memory: the rows of a slice
};
struct Box {
  BoxSide to, from;
  uint64_t width = 0, rows = 1, slices = 1;  ///< bytes, rows, slices
};

/// Makes an array; false: the call has its status, and a finding says why. `format`: address of a
/// cudaChannelFormatDesc.
bool new_array(Call&, uint64_t format, const ArraySpec& extent, uint32_t flags, uint64_t* handle);
/// Frees an array and its memory.
CudaStatus free_array(Call&, uint64_t handle);

/// A copy between two places in memory, as cudaMemcpy3D() is told of it; false: the call has its status.
bool memory_box(Call&, const cudaMemcpy3DParms&, CopyBox*);

}  // namespace dojo::host

#include "host/arrays.hpp"

#include <fmt/format.h>

namespace dojo::host {

using namespace cuda_error;

namespace {
constexpr int invalid_filter = 26, invalid_norm = 27;  // cudaErrorInvalidFilterSetting, ...NormSetting
constexpr uint64_t kAlignment = 512,
                   kPitchAlignment = 32;  // cudaDeviceProp: textureAlignment, ...PitchAlignment
}  // namespace

std::string texel_format(const cudaChannelFormatDesc& d, TexelFormat* f) {
  const int bits[] = {d.x, d.y, d.z, d.w};
  int n = 0;
  while (n < 4 && bits[n]) ++n;
  for (int k = n; k < 4; ++k)
    if (bits[k]) return "a texel's components come without gaps: x, then y, z, w";
  for (int k = 0; k < n; ++k)
    if (bits[k] != bits[0]) return "all components of a texel have equally many bits";
  if (n != 1 && n != 2 && n != 4) return fmt::format("a texel has 1, 2 or 4 components, not {}", n);
  if (bits[0] != 8 && bits[0] != 16 && bits[0] != 32)
    return fmt::format("a component has 8, 16 or 32 bits, not {}", bits[0]);
  if (d.f != cudaChannelFormatKindSigned && d.f != cudaChannelFormatKindUnsigned &&
      d.f != cudaChannelFormatKindFloat)
    return "this kind of texel does not exist here";
  if (d.f == cudaChannelFormatKindFloat && bits[0] == 8) return "a float has 16 or 32 bits, not 8";
  *f = {uint8_t(bits[0]), uint8_t(n),
        d.f == cudaChannelFormatKindFloat    ? TexelFormat::floating
        : d.f == cudaChannelFormatKindSigned ? TexelFormat::signed_int
                                             : TexelFormat::unsigned_int};
  return {};
}

void refuse_array(Call& c, int code, const std::string& why) {
  c.rt.report(c, Severity::error, FindingKind::host_error, c.name() + ": " + why);
  c.status(code);
}

const Array* array_of(Call& c, uint64_t handle) {
  const auto it = c.rt.arrays().arrays.find(handle);
  if (it != c.rt.arrays().arrays.end()) return &it->second;
  const Region* r = c.rt.memory().find(handle);
  const bool freed = r && r->freed && r->base == handle;
  c.rt.report(
      c, Severity::error, freed ? FindingKind::use_after_free : FindingKind::host_error,
      c.name() + (freed ? " of " + r->name + ", which was freed at line " + std::to_string(r->released.line)
                        : " of a handle that is no array: cudaMallocArray makes them"));
  c.status(invalid_resource_handle);
  return nullptr;
}

Refusal memory_source(Call& c, const cudaResourceDesc& r, TextureSource* s) {
  const bool linear = r.resType == cudaResourceTypeLinear;
  if (!linear && r.resType != cudaResourceTypePitch2D)
    return {invalid_value, "this resType does not exist. Fill in the whole cudaResourceDesc"};
  s->kind = linear ? TextureSource::linear : TextureSource::pitched;
  s->address = reinterpret_cast<uint64_t>(linear ? r.res.linear.devPtr : r.res.pitch2D.devPtr);
  if (const std::string wrong = texel_format(linear ? r.res.linear.desc : r.res.pitch2D.desc, &s->format);
      !wrong.empty())
    return {invalid_value, wrong};
  if (linear) {
    s->bytes = r.res.linear.sizeInBytes;
  } else {
    s->width = r.res.pitch2D.width, s->height = r.res.pitch2D.height, s->pitch = r.res.pitch2D.pitchInBytes;
    s->bytes = s->height ? (s->height - 1) * s->pitch + s->width * s->format.bytes() : 0;
    if (s->pitch < s->width * s->format.bytes())
      return {invalid_value, fmt::format("a row of {} texels has {} bytes, more than the pitch of {}",
                                         s->width, s->width * s->format.bytes(), s->pitch)};
    if (s->pitch % kPitchAlignment)
      return {invalid_value, fmt::format("the pitch of {} bytes is not a multiple of {}: use cudaMallocPitch",
                                         s->pitch, kPitchAlignment)};
  }
  const Region* region = c.rt.memory().find(s->address);
  if (!region || region->freed || !device_can_access(region->owner))
    return {invalid_value, c.rt.describe(s->address) + " is no live device memory"};
  // cudaMalloc's memory is aligned so on a GPU; the machine's own regions need not be.
  if ((s->address - region->base) % kAlignment)
    return {invalid_value,
            fmt::format("the memory of a texture must start at a multiple of {} bytes (cudaMalloc "
                        "gives such); this is {}",
                        kAlignment, c.rt.describe(s->address))};
  if (!region->contains(s->address, s->bytes))
    return {invalid_value, fmt::format("the texture has {} bytes, but {} has {}", s->bytes, region->name,
                                       region->size - (s->address - region->base))};
  return {};
}

Refusal sampler_of(const cudaTextureDesc& d, const TextureSource& source, SamplerSpec* s) {
  for (int k = 0; k < 3; ++k) {
    if (uint32_t(d.addressMode[k]) > uint32_t(cudaAddressModeBorder))
      return {invalid_value, "addressMode holds no address mode. Fill in the whole cudaTextureDesc"};
    s->address[k] = SamplerSpec::Address(d.addressMode[k]);
  }
  s->linear = d.filterMode == cudaFilterModeLinear;
  s->normalised = d.normalizedCoords != 0;
  s->to_float = d.readMode == cudaReadModeNormalizedFloat && source.format.kind != TexelFormat::floating;
  for (int k = 0; k < 4; ++k) s->border_colour[k] = d.borderColor[k];
  s->seamless = d.seamlessCubemap != 0;
  s->mip_linear = d.mipmapFilterMode == cudaFilterModeLinear;
  s->bias = d.mipmapLevelBias, s->least_level = d.minMipmapLevelClamp, s->most_level = d.maxMipmapLevelClamp;
  if (d.sRGB) return {not_supported, "sRGB textures do not exist here"};
  if (s->to_float && source.format.bits == 32)
    return {invalid_norm,
            "integers of 32 bits can't be read as floats (cudaReadModeNormalizedFloat): 8 and 16 can"};
  if (s->linear && source.format.kind != TexelFormat::floating && !s->to_float)
    return {
        invalid_filter,
        "cudaFilterModeLinear needs floats: set readMode to cudaReadModeNormalizedFloat, or the filter to "
        "cudaFilterModePoint"};
  return {};
}

}  // namespace dojo::host

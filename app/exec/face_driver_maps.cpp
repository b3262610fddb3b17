// The driver API: memory in parts that are mapped into reserved addresses, and the linker. A reserved range
// has its memory at once, so mapping only checks what it is told; a linker passes on the PTX of its one
// input.
#include <cuda.h>

#include <map>
#include <string>

#include "core/files/whole_file.hpp"
#include "exec/face_driver.hpp"

using dojo::exec::Process;

namespace {

constexpr size_t granularity = size_t(2) << 20;  // bytes: what an H100 says

struct Part {
  size_t bytes = 0;
  CUmemAllocationProp properties{};
};
struct Maps {
  std::map<CUdeviceptr, size_t> reserved;
  std::map<CUmemGenericAllocationHandle, Part> parts;
  CUmemGenericAllocationHandle next = 1;
};
Maps& maps() {
  static Maps& all = *new Maps;
  return all;
}
bool reserved(CUdeviceptr at, size_t bytes) {
  auto range = maps().reserved.upper_bound(at);
  if (range == maps().reserved.begin()) return false;
  --range;
  return at - range->first <= range->second && bytes <= range->second - (at - range->first);
}

struct Link {
  std::string image;
};
Link* link_of(CUlinkState s) { return reinterpret_cast<Link*>(s); }

}  // namespace

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags) {
  if (!bytes || !properties) return CUDA_ERROR_INVALID_VALUE;
  *bytes = granularity;
  return CUDA_SUCCESS;
}
CUresult cuMemAddressReserve(CUdeviceptr* at, size_t bytes, size_t, CUdeviceptr, unsigned long long) {
  if (!at || bytes == 0 || bytes % granularity) return CUDA_ERROR_INVALID_VALUE;
  std::scoped_lock lock(Process::get().mutex);
  const CUresult r = cuMemAlloc(at, bytes);
  if (r == CUDA_SUCCESS) maps().reserved[*at] = bytes;
  return r;
}
CUresult cuMemAddressFree(CUdeviceptr at, size_t bytes) {
  std::scoped_lock lock(Process::get().mutex);
  const auto range = maps().reserved.find(at);
  if (range == maps().reserved.end() || range->second != bytes) return CUDA_ERROR_INVALID_VALUE;
  maps().reserved.erase(range);
  return cuMemFree(at);
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* part, size_t bytes, const CUmemAllocationProp* properties,
                     unsigned long long) {
  if (!part || !properties || bytes == 0 || bytes % granularity) return CUDA_ERROR_INVALID_VALUE;
  std::scoped_lock lock(Process::get().mutex);
  *part = maps().next++;
  maps().parts[*part] = {bytes, *properties};
  return CUDA_SUCCESS;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle part) {
  std::scoped_lock lock(Process::get().mutex);
  return maps().parts.erase(part) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle part) {
  std::scoped_lock lock(Process::get().mutex);
  const auto found = maps().parts.find(part);
  if (!properties || found == maps().parts.end()) return CUDA_ERROR_INVALID_VALUE;
  *properties = found->second.properties;
  return CUDA_SUCCESS;
}
CUresult cuMemMap(CUdeviceptr at, size_t bytes, size_t offset, CUmemGenericAllocationHandle part,
                  unsigned long long) {
  std::scoped_lock lock(Process::get().mutex);
  const auto found = maps().parts.find(part);
  const bool fits = found != maps().parts.end() && offset <= found->second.bytes &&
                    bytes <= found->second.bytes - offset && reserved(at, bytes);
  return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemUnmap(CUdeviceptr at, size_t bytes) {
  std::scoped_lock lock(Process::get().mutex);
  return reserved(at, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemSetAccess(CUdeviceptr at, size_t bytes, const CUmemAccessDesc*, size_t) {
  std::scoped_lock lock(Process::get().mutex);
  return reserved(at, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  if (!state) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i)
    if ((options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER) && values[i])
      *static_cast<char*>(values[i]) = 0;
  *state = reinterpret_cast<CUlinkState>(new Link);
  return CUDA_SUCCESS;
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t bytes, const char*,
                       unsigned, CUjit_option*, void**) {
  if (!state || !data) return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (!link_of(state)->image.empty()) {
    std::fprintf(stderr, "warpdojo: cuLinkAddData: one input is linked here, not several\n");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  link_of(state)->image.assign(static_cast<const char*>(data), bytes);
  return CUDA_SUCCESS;
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned count,
                       CUjit_option* options, void** values) {
  if (!path) return CUDA_ERROR_INVALID_VALUE;
  std::optional<std::string> image = dojo::read_file(path);
  if (!image) return CUDA_ERROR_FILE_NOT_FOUND;
  return cuLinkAddData(state, type, image->data(), image->size(), path, count, options, values);
}
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  if (!state || !image || link_of(state)->image.empty()) return CUDA_ERROR_INVALID_VALUE;
  *image = link_of(state)->image.data();
  if (bytes) *bytes = link_of(state)->image.size();
  return CUDA_SUCCESS;
}
CUresult cuLinkDestroy(CUlinkState state) {
  delete link_of(state);
  return CUDA_SUCCESS;
}

}  // extern "C"

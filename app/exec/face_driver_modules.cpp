// The driver API: modules, their kernels and variables, launches, attributes and occupancy. A CUfunction is
// an address of its own that is registered as a kernel's host function would be.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/files/whole_file.hpp"
#include "exec/face_driver.hpp"

using dojo::exec::driver_error;
using dojo::exec::Process;
using dojo::exec::run_locked;

namespace {

/// A kernel or variable that the program asked for. Its address is the handle; it lives as long as the
/// program.
struct ModulePart {
  void** binary;
  std::string name;
  bool operator<(const ModulePart& o) const { return binary != o.binary ? binary < o.binary : name < o.name; }
};
std::set<ModulePart>& handles() {
  static std::set<ModulePart>& all = *new std::set<ModulePart>;
  return all;
}
const char* handle_of(CUmodule module, const char* name) {
  return reinterpret_cast<const char*>(&*handles().insert({reinterpret_cast<void**>(module), name}).first);
}

void tell(const char* call, const std::string& why) {
  std::fprintf(stderr, "warpdojo: %s: this module can't run here: %s\n", call, why.c_str());
}

CUresult load(const char* call, CUmodule* module, const void* image, std::string* log) {
  if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
  *module = nullptr;
  return driver_error(run_locked(call, [&] {
    std::string why;
    void** binary = Process::get().load_image(image, &why);
    *module = reinterpret_cast<CUmodule>(binary);
    if (binary) return CUDA_SUCCESS;
    tell(call, why);
    if (log) *log = why;
    return why.find("machine code") != why.npos ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_PTX;
  }));
}

}  // namespace

extern "C" {

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load("cuModuleLoadData", module, image, nullptr);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load("cuModuleLoadFatBinary", module, image, nullptr);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options,
                            void** values) {
  std::string log;
  const CUresult r = load("cuModuleLoadDataEx", module, image, &log);
  char* buffer = nullptr;
  size_t bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) buffer = static_cast<char*>(values[i]);
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) bytes = reinterpret_cast<size_t>(values[i]);
    if (options[i] == CU_JIT_INFO_LOG_BUFFER && values[i]) *static_cast<char*>(values[i]) = 0;
  }
  if (buffer && bytes) std::snprintf(buffer, bytes, "%s", log.c_str());
  return r;
}
CUresult cuModuleLoad(CUmodule* module, const char* file) {
  if (!module || !file) return CUDA_ERROR_INVALID_VALUE;
  const std::optional<std::string> image = dojo::read_file(file);
  if (!image) return CUDA_ERROR_FILE_NOT_FOUND;
  return load("cuModuleLoad", module, image->c_str(), nullptr);
}
CUresult cuModuleUnload(CUmodule) WARPDOJO_DRIVER_CALL("cudaDeviceSynchronize", "cuModuleUnload");
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  if (!function || !module || !name) return CUDA_ERROR_INVALID_VALUE;
  return driver_error(run_locked("cuModuleGetFunction", [&] {
    Process& p = Process::get();
    const char* handle = handle_of(module, name);
    p.register_function(reinterpret_cast<void**>(module), handle, name);
    *function = nullptr;
    if (!p.kernel(reinterpret_cast<uint64_t>(handle))) return CUDA_ERROR_NOT_FOUND;
    *function = reinterpret_cast<CUfunction>(const_cast<char*>(handle));
    return CUDA_SUCCESS;
  }));
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  if (!module || !name) return CUDA_ERROR_INVALID_VALUE;
  return driver_error(run_locked("cuModuleGetGlobal", [&] {
    Process& p = Process::get();
    const char* handle = handle_of(module, name);
    p.register_variable(reinterpret_cast<void**>(module), handle, name);
    const uint64_t at = p.variable(reinterpret_cast<uint64_t>(handle));
    if (!at) return int(CUDA_ERROR_NOT_FOUND);
    if (address) *address = at;
    return bytes ? int(cudaGetSymbolSize(bytes, handle)) : 0;
  }));
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned smem, CUstream stream,
                        void** params, void** extra) {
  const void* returns_to = __builtin_return_address(0);
  Process& p = Process::get();
  std::scoped_lock lock(p.mutex);
  const dojo::ptx::Function* kernel = nullptr;
  const int refused = run_locked("cuLaunchKernel", [&] {
    p.runtime();
    kernel = p.kernel(reinterpret_cast<uint64_t>(function));
    if (!kernel) return int(CUDA_ERROR_INVALID_HANDLE);
    p.choose_launch(*kernel);
    return 0;
  });
  if (refused) return driver_error(refused);
  // `extra` has all arguments in one buffer, each where the kernel has it.
  std::vector<void*> pointers;
  if (!params && extra) {
    char* buffer = nullptr;
    for (void** e = extra; *e != CU_LAUNCH_PARAM_END; e += 2)
      if (*e == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<char*>(e[1]);
    if (!buffer) return CUDA_ERROR_INVALID_VALUE;
    for (const dojo::ptx::Variable& v : kernel->params) pointers.push_back(buffer + v.offset);
    params = pointers.data();
  }
  const dim3 grid(grid_x, grid_y, grid_z), block(block_x, block_y, block_z);
  return driver_error(
      int(WARPDOJO_ENTER("cudaLaunchKernel", "cuLaunchKernel", static_cast<const void*>(function), grid,
                         block, params, size_t(smem), stream)));
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned smem,
                                   CUstream stream, void** params) {
  return driver_error(cudaLaunchCooperativeKernel(function, dim3(grid_x, grid_y, grid_z),
                                                  dim3(block_x, block_y, block_z), params, smem, stream));
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
    WARPDOJO_DRIVER_CALL("__dojo_FuncSetAttribute", "cuFuncSetAttribute", function, attribute, value);
CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  cudaFuncAttributes a;
  if (const cudaError_t e = cudaFuncGetAttributes(&a, function)) return driver_error(e);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = a.maxThreadsPerBlock;
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = int(a.sharedSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = int(a.constSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = int(a.localSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = a.numRegs;
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = a.ptxVersion;
      break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = a.binaryVersion;
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = a.maxDynamicSharedSizeBytes;
      break;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t smem)
    WARPDOJO_DRIVER_CALL("__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor",
                         "cuOccupancyMaxActiveBlocksPerMultiprocessor", blocks, function, threads, smem);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              size_t smem, unsigned)
    WARPDOJO_DRIVER_CALL("__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor",
                         "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, function, threads,
                         smem);
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize smem_of_block, size_t smem, int limit) {
  const void* returns_to = __builtin_return_address(0);
  // Shared memory that depends on the size of the block is taken at the largest block.
  if (smem_of_block) smem = smem_of_block(limit ? limit : 1024);
  return driver_error(
      int(WARPDOJO_ENTER("__dojo_OccupancyMaxPotentialBlockSize", "cuOccupancyMaxPotentialBlockSize", grid,
                         block, static_cast<const void*>(function), smem, limit)));
}

}  // extern "C"

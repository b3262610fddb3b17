// The driver API: start, devices, contexts, errors. There is one device and one context, which is always
// current; a handle of the driver's is the handle of the runtime's.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "exec/face_driver.hpp"

using dojo::exec::driver_error;

namespace {

CUcontext the_context() { return reinterpret_cast<CUcontext>(uintptr_t(1)); }
CUresult driver_device_0(CUdevice device) { return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE; }

struct ErrorName {
  CUresult code;
  const char* name;
};
#define NAMED(CODE) \
  { CODE, #CODE }
constexpr ErrorName error_names[] = {
    NAMED(CUDA_SUCCESS),
    NAMED(CUDA_ERROR_INVALID_VALUE),
    NAMED(CUDA_ERROR_OUT_OF_MEMORY),
    NAMED(CUDA_ERROR_NOT_INITIALIZED),
    NAMED(CUDA_ERROR_NO_DEVICE),
    NAMED(CUDA_ERROR_INVALID_DEVICE),
    NAMED(CUDA_ERROR_INVALID_IMAGE),
    NAMED(CUDA_ERROR_INVALID_CONTEXT),
    NAMED(CUDA_ERROR_NO_BINARY_FOR_GPU),
    NAMED(CUDA_ERROR_INVALID_PTX),
    NAMED(CUDA_ERROR_FILE_NOT_FOUND),
    NAMED(CUDA_ERROR_INVALID_HANDLE),
    NAMED(CUDA_ERROR_NOT_FOUND),
    NAMED(CUDA_ERROR_NOT_READY),
    NAMED(CUDA_ERROR_ILLEGAL_ADDRESS),
    NAMED(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    NAMED(CUDA_ERROR_LAUNCH_TIMEOUT),
    NAMED(CUDA_ERROR_ASSERT),
    NAMED(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    NAMED(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    NAMED(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    NAMED(CUDA_ERROR_MISALIGNED_ADDRESS),
    NAMED(CUDA_ERROR_LAUNCH_FAILED),
    NAMED(CUDA_ERROR_NOT_PERMITTED),
    NAMED(CUDA_ERROR_NOT_SUPPORTED),
    NAMED(CUDA_ERROR_UNKNOWN),
};
#undef NAMED

}  // namespace

extern "C" {

CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version)
    WARPDOJO_DRIVER_CALL("cudaDriverGetVersion", "cuDriverGetVersion", version);
CUresult cuGetErrorName(CUresult code, const char** name) {
  const auto* known = std::find_if(std::begin(error_names), std::end(error_names),
                                   [&](const ErrorName& e) { return e.code == code; });
  *name = known != std::end(error_names) ? known->name : nullptr;
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult code, const char** text) {
  *text = cudaGetErrorString(cudaError_t(code));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* n) WARPDOJO_DRIVER_CALL("__cudaCDP2GetDeviceCount", "cuDeviceGetCount", n);
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = 0;
  return driver_device_0(ordinal);
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED && value && device == 0) {
    *value = 1;  // face_driver_maps.cpp; the runtime has no name for it
    return CUDA_SUCCESS;
  }
  WARPDOJO_DRIVER_CALL("__cudaCDP2DeviceGetAttribute", "cuDeviceGetAttribute", value, attribute, device);
}
CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  cudaDeviceProp p;
  const CUresult r = driver_error(cudaGetDeviceProperties(&p, device));
  if (r || bytes < 1) return r ? r : CUDA_ERROR_INVALID_VALUE;
  const size_t n = std::min(size_t(bytes - 1), std::strlen(p.name));
  std::memcpy(name, p.name, n);
  name[n] = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  cudaDeviceProp p;
  const CUresult r = driver_error(cudaGetDeviceProperties(&p, device));
  *bytes = r ? 0 : p.totalGlobalMem;
  return r;
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  cudaDeviceProp p;
  const CUresult r = driver_error(cudaGetDeviceProperties(&p, device));
  if (!r) *major = p.major, *minor = p.minor;
  return r;
}
CUresult cuDeviceGetUuid(CUuuid* id, CUdevice device) {
  std::memset(id, 0, sizeof *id);
  return driver_device_0(device);
}
CUresult cuDeviceGetPCIBusId(char* id, int bytes, CUdevice device) {
  return driver_error(cudaDeviceGetPCIBusId(id, bytes, device));
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice, CUdevice) {
  *can = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned, CUdevice device) {
  *context = the_context();
  return driver_device_0(device);
}
CUresult cuCtxCreate_v2(CUcontext* context, unsigned, CUdevice device) {
  *context = the_context();
  return driver_device_0(device);
}
CUresult cuCtxDestroy(CUcontext) WARPDOJO_DRIVER_CALL("cudaDeviceSynchronize", "cuCtxDestroy");
CUresult cuCtxSynchronize(void) WARPDOJO_DRIVER_CALL("cudaDeviceSynchronize", "cuCtxSynchronize");
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPushCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPopCurrent(CUcontext* context) {
  if (context) *context = the_context();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = the_context();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetApiVersion(CUcontext, unsigned* version) {
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetFlags(unsigned* flags) {
  *flags = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetLimit(CUlimit, size_t) { return CUDA_SUCCESS; }
CUresult cuCtxGetLimit(size_t* value, CUlimit limit)
    WARPDOJO_DRIVER_CALL("__cudaCDP2DeviceGetLimit", "cuCtxGetLimit", value, limit);
CUresult cuCtxSetCacheConfig(CUfunc_cache) { return CUDA_SUCCESS; }
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest)
    WARPDOJO_DRIVER_CALL("cudaDeviceGetStreamPriorityRange", "cuCtxGetStreamPriorityRange", least, greatest);
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  *context = the_context();
  return driver_device_0(device);
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return driver_device_0(device); }
CUresult cuDevicePrimaryCtxReset(CUdevice device) { return driver_device_0(device); }
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned) { return driver_device_0(device); }
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  *flags = 0, *active = 1;
  return driver_device_0(device);
}
CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }

/// Tables of the driver that no header declares: NVIDIA's libraries ask for them and do without.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

/// The newest version of a function: cuMemAlloc is cuMemAlloc_v2.
CUresult cuGetProcAddress(const char* symbol, void** function, int, cuuint64_t,
                          CUdriverProcAddressQueryResult* status) {
  *function = nullptr;
  // The CUDA runtime begins with this question, wherever it is linked into.
  if (!*symbol) {
    dojo::exec::Process& p = dojo::exec::Process::get();
    std::scoped_lock lock(p.mutex);
    p.tell_static_runtime(__builtin_return_address(0));
  }
  for (const char* version : {"_v4", "_v3", "_v2", ""})
    if (!*function) *function = dlsym(RTLD_DEFAULT, (std::string(symbol) + version).c_str());
  if (status) *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* result) {
  constexpr unsigned newest = 13999;  // one for which the driver would be too old
  if (!symbol || !*symbol || !function || version > newest) {
    if (function) *function = nullptr;
    return cudaError_t(dojo::exec::failed(cudaErrorInvalidValue));
  }
  cuGetProcAddress(symbol, function, int(version), flags, nullptr);
  if (result) *result = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, result);
}

}  // extern "C"

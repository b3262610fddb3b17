#pragma once
// The CUDA driver API, loaded at run time: the program starts on machines without one.
#include <cuda.h>

#include <string>

namespace dojo::cuda {

/// One line a function: the driver entry points in use, by their real names. The versioned symbol that
/// cuda.h's macros select is the one that is loaded.
// clang-format off: it moves a list of macro calls with every run.
#define DOJO_DRIVER_FUNCTIONS(X)                 \
  X(cuInit)                                      \
  X(cuDriverGetVersion)                          \
  X(cuDeviceGetCount)                            \
  X(cuDeviceGet)                                 \
  X(cuDeviceGetName)                             \
  X(cuDeviceGetAttribute)                        \
  X(cuDeviceTotalMem)                            \
  X(cuDevicePrimaryCtxRetain)                    \
  X(cuDevicePrimaryCtxReset)                     \
  X(cuDevicePrimaryCtxRelease)                   \
  X(cuCtxSetCurrent)                             \
  X(cuCtxSynchronize)                            \
  X(cuGetErrorName)                              \
  X(cuGetErrorString)                            \
  X(cuModuleLoadDataEx)                          \
  X(cuModuleUnload)                              \
  X(cuModuleGetFunction)                         \
  X(cuModuleGetGlobal)                           \
  X(cuFuncGetAttribute)                          \
  X(cuFuncSetAttribute)                          \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cuOccupancyMaxActiveClusters)                \
  X(cuMemAlloc)                                  \
  X(cuMemAllocManaged)                           \
  X(cuMemHostAlloc)                              \
  X(cuMemFree)                                   \
  X(cuMemFreeHost)                               \
  X(cuMemcpyHtoD)                                \
  X(cuMemcpyDtoH)                                \
  X(cuMemcpyDtoD)                                \
  X(cuMemcpyDtoDAsync)                           \
  X(cuMemsetD8Async)                             \
  X(cuMemsetD16Async)                            \
  X(cuMemsetD2D8Async)                           \
  X(cuMemsetD2D16Async)                          \
  X(cuMemsetD2D32Async)                          \
  X(cuMemcpyHtoDAsync)                           \
  X(cuMemcpyDtoHAsync)                           \
  X(cuMemsetD32Async)                            \
  X(cuMemcpy3D)                                  \
  X(cuMemcpy3DAsync)                             \
  X(cuArray3DCreate)                             \
  X(cuArray3DGetDescriptor)                      \
  X(cuArrayDestroy)                              \
  X(cuTexObjectCreate)                           \
  X(cuTexObjectDestroy)                          \
  X(cuSurfObjectCreate)                          \
  X(cuSurfObjectDestroy)                         \
  X(cuLaunchKernelEx)                            \
  X(cuStreamCreateWithPriority)                  \
  X(cuStreamDestroy)                             \
  X(cuStreamWaitEvent)                           \
  X(cuEventCreate)                               \
  X(cuEventDestroy)                              \
  X(cuEventRecord)                               \
  X(cuEventQuery)                                \
  X(cuStreamQuery)                               \
  X(cuEventElapsedTime)                          \
  X(cuStreamBeginCapture)                        \
  X(cuStreamEndCapture)                          \
  X(cuGraphInstantiate)                          \
  X(cuGraphLaunch)                               \
  X(cuGraphExecDestroy)                          \
  X(cuGraphDestroy)
// clang-format on

/// The loaded functions: driver().cuInit(0) and so on.
struct Driver {
#define DOJO_MEMBER(name) decltype(&::name) name = nullptr;
  DOJO_DRIVER_FUNCTIONS(DOJO_MEMBER)
#undef DOJO_MEMBER
};

/// The driver, initialised; or null, and `why` says in one line what is missing.
const Driver* driver(std::string* why = nullptr);

/// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)".
std::string describe(CUresult);
/// The runtime's error number for a driver result (they agree for all that matter here).
int runtime_code(CUresult);
/// Throws Error naming the call when the result is not a success.
void must(CUresult, const char* call);

}  // namespace dojo::cuda

#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
// What the toolkit's samples take from their own helper header.
#include "helper_string.h"
#define checkCudaErrors(call)                                                                                   \
  do {                                                                                                          \
    const cudaError_t error_ = (call);                                                                          \
    if (error_ != cudaSuccess) {                                                                                \
      printf("CUDA error at %s:%d code=%d(%s) \"%s\" \n", __FILE__, __LINE__, int(error_), cudaGetErrorName(error_), #call); \
      exit(EXIT_FAILURE);                                                                                       \
    }                                                                                                           \
  } while (0)
#define getLastCudaError(message)                                                                               \
  do {                                                                                                          \
    const cudaError_t error_ = cudaGetLastError();                                                              \
    if (error_ != cudaSuccess) {                                                                                \
      printf("%s(%d) : %s : %s (%d)\n", __FILE__, __LINE__, message, cudaGetErrorString(error_), int(error_));  \
      exit(EXIT_FAILURE);                                                                                       \
    }                                                                                                           \
  } while (0)
#define printLastCudaError(message)                                                                             \
  do {                                                                                                          \
    const cudaError_t error_ = cudaGetLastError();                                                              \
    if (error_ != cudaSuccess)                                                                                  \
      printf("%s(%d) : %s : %s (%d)\n", __FILE__, __LINE__, message, cudaGetErrorString(error_), int(error_));  \
  } while (0)
static inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
static inline int ftoi(float v) { return v >= 0 ? int(v + 0.5f) : int(v - 0.5f); }
/// FP32 lanes per SM.
static inline int _ConvertSMVer2Cores(int major, int minor) {
  return major == 7 || (major == 8 && minor == 0) || (major == 6 && minor == 0) ? 64 : 128;
}
static inline const char* _ConvertSMVer2ArchName(int major, int minor) {
  return major >= 10                 ? "Blackwell"
         : major == 9                ? "Hopper"
         : major == 8 && minor == 9  ? "Ada"
         : major == 8                ? "Ampere"
         : major == 7 && minor == 5  ? "Turing"
         : major == 7                ? "Volta"
                                     : "Pascal";
}
static inline int gpuGetMaxGflopsDeviceId() { return 0; }
static inline int gpuDeviceInit(int device) { return device == 0 ? 0 : -1; }
static inline int findIntegratedGPU() { return -1; }
static inline bool checkCudaCapabilities(int major, int minor) {
  int has_major = 0, has_minor = 0;
  cudaDeviceGetAttribute(&has_major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&has_minor, cudaDevAttrComputeCapabilityMinor, 0);
  return has_major > major || (has_major == major && has_minor >= minor);
}
static inline int findCudaDevice(int, const char**) {
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  printf("GPU Device 0: \"%s\" with compute capability %d.%d\n\n", _ConvertSMVer2ArchName(major, minor), major, minor);
  return 0;
}
DOJO_SHIM_END
#endif

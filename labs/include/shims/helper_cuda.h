#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
// What the toolkit's samples take from their own helper header.
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
static inline int findCudaDevice(int, const char**) { return 0; }
DOJO_SHIM_END
#endif

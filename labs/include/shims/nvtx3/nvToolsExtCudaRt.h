// NVTX's names for streams, events and devices. Nothing listens here: the calls do nothing.
#pragma once
#include "nvtx3/nvToolsExt.h"
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
static inline void nvtxNameCudaDeviceA(int, const char*) {}
static inline void nvtxNameCudaStreamA(cudaStream_t, const char*) {}
static inline void nvtxNameCudaEventA(cudaEvent_t, const char*) {}
DOJO_SHIM_END
#endif

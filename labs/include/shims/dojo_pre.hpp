// Read before every student's file. It gives a file compiled with NVRTC (-rdc=true -default-device) what nvcc gives
// by itself: the CUDA runtime's host interface, and the C library names that nvcc's own includes bring in.
// Everything declared here is a call that WarpDojo's host interpreter answers.
#pragma once
// Around what other headers here define. Clang is told that it serves host and device; NVRTC takes all for the device.
#ifndef DOJO_SHIM_BEGIN
#define DOJO_SHIM_BEGIN
#define DOJO_SHIM_END
#endif
// A call of the runtime that is a function here. Clang is told that what it does belongs to the line that calls it.
#ifndef DOJO_CALL
#define DOJO_CALL static inline
#endif
#include "cmath"  // nvcc includes it by itself: INFINITY, NAN, M_PI
#ifdef __CUDACC_RTC__

#undef __host__
#define __host__
#undef thread_local
#define thread_local
// A program compiled twice is the same program: __DATE__ and __TIME__ of the file are rewritten to these names.
#define d_DATE__ "Jan  1 2000"
#define d_TIME__ "00:00:00"
#undef __TIMESTAMP__
#define __TIMESTAMP__ "Sat Jan  1 00:00:00 2000"

#define CUDARTAPI_DOJO extern "C" __device__

typedef void(CUDART_CB* cudaHostFn_t)(void* userData);

// What GNU's __typeof__ is written as: a type without its reference (app/core/compile/own/plain_words.hpp).
template <class _T>
struct __dojo_type_of {
  typedef _T type;
};
template <class _T>
struct __dojo_type_of<_T&> {
  typedef _T type;
};
template <class _T>
struct __dojo_type_of<_T&&> {
  typedef _T type;
};
template <class _T>
using __dojo_type_of_t = typename __dojo_type_of<_T>::type;

// Names that glibc and gcc give every program.
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
#ifndef __clang__
DOJO_CALL void* __builtin_memcpy(void* to, const void* from, size_t n) { return memcpy(to, from, n); }
DOJO_CALL void* __builtin_memset(void* to, int v, size_t n) { return memset(to, v, n); }
DOJO_CALL int __builtin_popcount(unsigned int v) { return __popc(v); }
DOJO_CALL int __builtin_popcountll(unsigned long long v) { return __popcll(v); }
DOJO_CALL int __builtin_clz(unsigned int v) { return __clz(int(v)); }
DOJO_CALL int __builtin_ctz(unsigned int v) { return __ffs(int(v)) - 1; }
// Host code may name a local variable, which no other thread sees; PTX has no atomics on local memory.
template <size_t bytes> struct __dojo_word { typedef unsigned int type; };
template <> struct __dojo_word<8> { typedef unsigned long long type; };
#define DOJO_SYNC(name, device, operation) \
  template <class _T, class _V> static inline _T name(_T* at, _V v) { \
    typedef typename __dojo_word<sizeof(_T)>::type _W; \
    if (!__isLocal(at)) return _T(device((_W*)at, _W(_T(v)))); \
    const _T old = *at; \
    *at = operation; \
    return old; \
  }
DOJO_SYNC(__sync_fetch_and_add, atomicAdd, old + _T(v))
DOJO_SYNC(__sync_fetch_and_and, atomicAnd, old & _T(v))
DOJO_SYNC(__sync_fetch_and_or, atomicOr, old | _T(v))
DOJO_SYNC(__sync_fetch_and_xor, atomicXor, old ^ _T(v))
DOJO_SYNC(__sync_lock_test_and_set, atomicExch, _T(v))
#undef DOJO_SYNC
template <class _T, class _V> static inline _T __sync_fetch_and_sub(_T* at, _V v) {
  return __sync_fetch_and_add(at, _T(0) - _T(v));
}
template <class _T, class _V> static inline _T __sync_add_and_fetch(_T* at, _V v) {
  return __sync_fetch_and_add(at, v) + _T(v);
}
template <class _T, class _V> static inline _T __sync_sub_and_fetch(_T* at, _V v) {
  return __sync_fetch_and_sub(at, v) - _T(v);
}
template <class _T, class _U, class _V> static inline _T __sync_val_compare_and_swap(_T* at, _U old, _V v) {
  typedef typename __dojo_word<sizeof(_T)>::type _W;
  if (!__isLocal(at)) return _T(atomicCAS((_W*)at, _W(_T(old)), _W(_T(v))));
  const _T was = *at;
  if (was == _T(old)) *at = _T(v);
  return was;
}
template <class _T, class _U, class _V> static inline bool __sync_bool_compare_and_swap(_T* at, _U old, _V v) {
  return __sync_val_compare_and_swap(at, old, v) == _T(old);
}
static inline void __sync_synchronize() { __threadfence_system(); }
#else
#define __sync_synchronize() __threadfence_system()  // the builtin has no machine code here
#endif

// Memory.
CUDARTAPI_DOJO cudaError_t cudaMemcpy(void* dst, const void* src, size_t count, enum cudaMemcpyKind kind);
CUDARTAPI_DOJO cudaError_t cudaMemset(void* devPtr, int value, size_t count);
CUDARTAPI_DOJO cudaError_t cudaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                                        size_t height, enum cudaMemcpyKind kind);
CUDARTAPI_DOJO cudaError_t cudaMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height);
CUDARTAPI_DOJO cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height);
CUDARTAPI_DOJO cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
CUDARTAPI_DOJO cudaError_t cudaFreeHost(void* ptr);
CUDARTAPI_DOJO cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* ptr);
CUDARTAPI_DOJO cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags);
CUDARTAPI_DOJO cudaError_t cudaHostUnregister(void* ptr);
CUDARTAPI_DOJO cudaError_t cudaHostGetFlags(unsigned int* flags, void* ptr);
extern "C" __device__ cudaError_t __dojo_MallocManaged(void** devPtr, size_t size, unsigned int flags);
extern "C" __device__ cudaError_t __dojo_HostAlloc(void** ptr, size_t size, unsigned int flags);
extern "C" __device__ cudaError_t __dojo_HostGetDevicePointer(void** device, void* host, unsigned int flags);
extern "C" __device__ cudaError_t __dojo_MallocAsync(void** devPtr, size_t size, cudaStream_t stream);
extern "C" __device__ cudaError_t __dojo_MemPrefetchAsync(const void* devPtr, size_t count, int device,
                                                          cudaStream_t stream);
extern "C" __device__ cudaError_t __dojo_MemcpySymbol(void* symbol, void* other, size_t count, size_t offset,
                                                      int to_symbol, int kind, cudaStream_t stream, int async);
extern "C" __device__ cudaError_t __dojo_GetSymbol(void* symbol, void** address, size_t* size);

template <class _T> DOJO_CALL cudaError_t cudaMalloc(_T** devPtr, size_t size) {
  return cudaMalloc((void**)(void*)devPtr, size);
}
template <class _T> DOJO_CALL cudaError_t cudaMallocPitch(_T** devPtr, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)(void*)devPtr, pitch, width, height);
}
template <class _T>
DOJO_CALL cudaError_t cudaMallocManaged(_T** devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return __dojo_MallocManaged((void**)(void*)devPtr, size, flags);
}
template <class _T> DOJO_CALL cudaError_t cudaMallocHost(_T** ptr, size_t size, unsigned int flags = 0) {
  return __dojo_HostAlloc((void**)(void*)ptr, size, flags);
}
template <class _T> DOJO_CALL cudaError_t cudaHostAlloc(_T** ptr, size_t size, unsigned int flags) {
  return __dojo_HostAlloc((void**)(void*)ptr, size, flags);
}
template <class _T> DOJO_CALL cudaError_t cudaHostGetDevicePointer(_T** device, void* host, unsigned int flags) {
  return __dojo_HostGetDevicePointer((void**)(void*)device, host, flags);
}
template <class _T> DOJO_CALL cudaError_t cudaMallocAsync(_T** devPtr, size_t size, cudaStream_t stream) {
  return __dojo_MallocAsync((void**)(void*)devPtr, size, stream);
}
CUDARTAPI_DOJO cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t stream);
DOJO_CALL cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, int device, cudaStream_t stream = 0) {
  return __dojo_MemPrefetchAsync(devPtr, count, device, stream);
}
DOJO_CALL cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, cudaMemLocation location,
                                               unsigned int, cudaStream_t stream = 0) {
  return __dojo_MemPrefetchAsync(devPtr, count, location.id, stream);
}
DOJO_CALL cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
DOJO_CALL cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return cudaSuccess;
}
template <class _T>
DOJO_CALL cudaError_t cudaMemcpyToSymbol(const _T& symbol, const void* src, size_t count, size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return __dojo_MemcpySymbol((void*)&symbol, (void*)src, count, offset, 1, kind, 0, 0);
}
template <class _T>
DOJO_CALL cudaError_t cudaMemcpyToSymbolAsync(const _T& symbol, const void* src, size_t count, size_t offset,
                                                  enum cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return __dojo_MemcpySymbol((void*)&symbol, (void*)src, count, offset, 1, kind, stream, 1);
}
template <class _T>
DOJO_CALL cudaError_t cudaMemcpyFromSymbol(void* dst, const _T& symbol, size_t count, size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return __dojo_MemcpySymbol((void*)&symbol, dst, count, offset, 0, kind, 0, 0);
}
template <class _T>
DOJO_CALL cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const _T& symbol, size_t count, size_t offset,
                                                    enum cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return __dojo_MemcpySymbol((void*)&symbol, dst, count, offset, 0, kind, stream, 1);
}
template <class _T> DOJO_CALL cudaError_t cudaGetSymbolAddress(void** devPtr, const _T& symbol) {
  return __dojo_GetSymbol((void*)&symbol, devPtr, (size_t*)0);
}
template <class _T> DOJO_CALL cudaError_t cudaGetSymbolSize(size_t* size, const _T& symbol) {
  return __dojo_GetSymbol((void*)&symbol, (void**)0, size);
}

#include "dojo_arrays.hpp"

// Devices. Fields that toolkits before 13 had, for programs of that time.
struct __dojo_DeviceProp : cudaDeviceProp {
  int clockRate, memoryClockRate, computeMode, deviceOverlap, kernelExecTimeoutEnabled;
};
#define cudaDeviceProp __dojo_DeviceProp
CUDARTAPI_DOJO cudaError_t cudaDeviceSynchronize();
CUDARTAPI_DOJO cudaError_t cudaThreadSynchronize();
CUDARTAPI_DOJO cudaError_t cudaDeviceReset();
CUDARTAPI_DOJO cudaError_t cudaSetDevice(int device);
CUDARTAPI_DOJO cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
CUDARTAPI_DOJO cudaError_t cudaSetDeviceFlags(unsigned int flags);
CUDARTAPI_DOJO cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* prop, int device);
CUDARTAPI_DOJO cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
CUDARTAPI_DOJO cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig);
CUDARTAPI_DOJO cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
CUDARTAPI_DOJO cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority);
CUDARTAPI_DOJO cudaError_t cudaDriverGetVersion(int* driverVersion);
DOJO_CALL cudaError_t cudaMemcpyPeer(void* dst, int, const void* src, int, size_t count) {
  return cudaMemcpy(dst, src, count, cudaMemcpyDeviceToDevice);
}
DOJO_CALL cudaError_t cudaMemcpyPeerAsync(void* dst, int, const void* src, int, size_t count, cudaStream_t stream = 0) {
  return cudaMemcpyAsync(dst, src, count, cudaMemcpyDeviceToDevice, stream);
}
CUDARTAPI_DOJO cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
CUDARTAPI_DOJO cudaError_t cudaProfilerStart();
CUDARTAPI_DOJO cudaError_t cudaProfilerStop();

// Streams and events.
CUDARTAPI_DOJO cudaError_t cudaStreamCreate(cudaStream_t* stream);
CUDARTAPI_DOJO cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
CUDARTAPI_DOJO cudaError_t cudaStreamSynchronize(cudaStream_t stream);
CUDARTAPI_DOJO cudaError_t cudaStreamQuery(cudaStream_t stream);
CUDARTAPI_DOJO cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
CUDARTAPI_DOJO cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
CUDARTAPI_DOJO cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
CUDARTAPI_DOJO cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
CUDARTAPI_DOJO cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
extern "C" __device__ cudaError_t __dojo_StreamAttachMemAsync(cudaStream_t stream, void* devPtr, size_t length,
                                                              unsigned int flags);
DOJO_CALL cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* devPtr, size_t length = 0,
                                               unsigned int flags = cudaMemAttachSingle) {
  return __dojo_StreamAttachMemAsync(stream, devPtr, length, flags);
}
CUDARTAPI_DOJO cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData);
typedef void(CUDART_CB* cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* userData);
struct __dojo_Callback {
  cudaStreamCallback_t function;
  cudaStream_t stream;
  void* data;
  static void run(void* self) {
    const __dojo_Callback c = *(__dojo_Callback*)self;
    delete (__dojo_Callback*)self;
    c.function(c.stream, cudaSuccess, c.data);
  }
};
DOJO_CALL cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* userData,
                                            unsigned int) {
  return cudaLaunchHostFunc(stream, &__dojo_Callback::run, new __dojo_Callback{function, stream, userData});
}
extern "C" __device__ cudaError_t __dojo_EventCreate(cudaEvent_t* event, unsigned int flags);
DOJO_CALL cudaError_t cudaEventCreate(cudaEvent_t* event) { return __dojo_EventCreate(event, 0); }
DOJO_CALL cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return __dojo_EventCreate(event, flags);
}
DOJO_CALL cudaError_t cudaEventRecord(cudaEvent_t event) { return cudaEventRecord(event, 0); }
DOJO_CALL cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event) {
  return cudaStreamWaitEvent(stream, event, 0);
}

#include "dojo_graphs.hpp"

CUDARTAPI_DOJO cudaError_t cudaEventSynchronize(cudaEvent_t event);
CUDARTAPI_DOJO cudaError_t cudaEventQuery(cudaEvent_t event);
CUDARTAPI_DOJO cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end);
DOJO_CALL cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, enum cudaMemcpyKind kind) {
  return cudaMemcpyAsync(dst, src, count, kind, 0);
}
DOJO_CALL cudaError_t cudaThreadExit() { return cudaDeviceReset(); }  // of CUDA 12 and older
DOJO_CALL cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count) {
  return cudaMemsetAsync(devPtr, value, count, 0);
}

DOJO_CALL cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                                            size_t height, enum cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, 0);
}
DOJO_CALL cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(devPtr, pitch, value, width, height, 0);
}

#include "dojo_pools.hpp"

// Kernels.
extern "C" __device__ cudaError_t __dojo_LaunchKernel(const void* func, dim3 grid, dim3 block, void** args,
                                                      size_t sharedMem, cudaStream_t stream, int cooperative);
extern "C" __device__ cudaError_t __dojo_LaunchKernelEx(const cudaLaunchConfig_t* config, const void* func,
                                                        void** args);
extern "C" __device__ cudaError_t __dojo_FuncSetAttribute(const void* func, enum cudaFuncAttribute attr, int value);
extern "C" __device__ cudaError_t __dojo_FuncGetName(const char** name, const void* func);
extern "C" __device__ cudaError_t __dojo_FuncGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset,
                                                          size_t* paramSize);
template <class _F>
DOJO_CALL cudaError_t cudaLaunchKernel(_F func, dim3 grid, dim3 block, void** args, size_t sharedMem = 0,
                                           cudaStream_t stream = 0) {
  return __dojo_LaunchKernel((const void*)func, grid, block, args, sharedMem, stream, 0);
}
template <class _F>
DOJO_CALL cudaError_t cudaLaunchCooperativeKernel(_F func, dim3 grid, dim3 block, void** args,
                                                      size_t sharedMem = 0, cudaStream_t stream = 0) {
  return __dojo_LaunchKernel((const void*)func, grid, block, args, sharedMem, stream, 1);
}
template <class... _P, class... _A>
DOJO_CALL cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(_P...), _A&&... args) {
  return [&](_P... coerced) {
    void* pointers[sizeof...(_P) + 1] = {(void*)&coerced..., (void*)0};
    return __dojo_LaunchKernelEx(config, (const void*)kernel, pointers);
  }(static_cast<_A&&>(args)...);
}
DOJO_CALL cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args) {
  return __dojo_LaunchKernelEx(config, func, args);
}
template <class _F> DOJO_CALL cudaError_t cudaFuncGetName(const char** name, _F func) {
  return __dojo_FuncGetName(name, (const void*)func);
}
DOJO_CALL cudaError_t cudaFuncGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset,
                                           size_t* paramSize) {
  return __dojo_FuncGetParamInfo(func, paramIndex, paramOffset, paramSize);
}
template <class _F> DOJO_CALL cudaError_t cudaFuncSetAttribute(_F func, enum cudaFuncAttribute attr, int value) {
  return __dojo_FuncSetAttribute((const void*)func, attr, value);
}
template <class _F> DOJO_CALL cudaError_t cudaFuncSetCacheConfig(_F, enum cudaFuncCache) { return cudaSuccess; }
template <class _F> DOJO_CALL cudaError_t cudaFuncSetSharedMemConfig(_F, enum cudaSharedMemConfig) {
  return cudaSuccess;
}
// Declared by the compiler's own header, and defined nowhere.
template <class _T> DOJO_CALL cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attr, _T* entry) {
  return cudaFuncGetAttributes(attr, (const void*)entry);
}
#include "dojo_occupancy.hpp"

#include "dojo_clib.hpp"

#endif

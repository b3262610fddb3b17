// Read before every student's file that clang compiles. It gives the compiler, from CUDA's public documentation, what
// NVRTC has built in: annotations, vector types, the runtime's types and constants, and the calls that the host
// interpreter answers. Nothing of NVIDIA's is included. The file is compiled twice: once for the kernels, once for the
// host part; what stands here serves both.
#pragma once
#undef __TIMESTAMP__  // a file compiled twice must be one program
#define __CUDACC_RTC__ 1
#define __CUDACC__ 1
#define __CUDA_DEVICE_RUNTIME__ 1

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Used: the host part may store to it and never read.
#define __managed__ __attribute__((device)) __attribute__((used))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// Read by core/compile/clang/llvm_library.cpp.
#define __cluster_dims__(...) __attribute__((annotate("dojo_cluster_dims", __VA_ARGS__)))
#define __grid_constant__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDA_VERSION 12000
#define CUDART_VERSION 12000
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define INFINITY __builtin_huge_valf()
#define NAN __builtin_nanf("")
#define CUDART_CB
#define NULL __null
#define offsetof(type, member) __builtin_offsetof(type, member)

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;
typedef long long time_t;

// Everything of our headers is for host and device.
#define DOJO_SHIM_BEGIN _Pragma("clang force_cuda_host_device begin")
#define DOJO_SHIM_END _Pragma("clang force_cuda_host_device end")
// Inlined, and without debug information: what such a function does belongs to the student's line that calls it.
#define DOJO_INLINE __attribute__((always_inline, nodebug))
#define DOJO_DEVICE static inline __device__ DOJO_INLINE
#define DOJO_MEMBER inline __device__ DOJO_INLINE
#define DOJO_CALL static inline DOJO_INLINE

DOJO_SHIM_BEGIN
// Clang reads no alignas() between __shared__ and the type, where nvcc does. It takes a type or a number of bytes.
template <size_t _N> constexpr size_t __dojo_alignment() { return _N; }
template <class _T> constexpr size_t __dojo_alignment() { return alignof(_T); }
#define alignas(...) __attribute__((aligned(__dojo_alignment<__VA_ARGS__>())))

namespace std {
template <class _T> constexpr __remove_reference_t(_T)&& move(_T&& v) noexcept {
  return static_cast<__remove_reference_t(_T)&&>(v);
}
template <class _T> constexpr _T&& forward(__remove_reference_t(_T)& v) noexcept { return static_cast<_T&&>(v); }
template <class _T> constexpr _T&& forward(__remove_reference_t(_T)&& v) noexcept { return static_cast<_T&&>(v); }
template <class _E> class initializer_list {
  const _E* first_ = nullptr;
  size_t size_ = 0;
  constexpr initializer_list(const _E* first, size_t size) : first_(first), size_(size) {}

 public:
  constexpr initializer_list() = default;
  constexpr size_t size() const { return size_; }
  constexpr const _E* begin() const { return first_; }
  constexpr const _E* end() const { return first_ + size_; }
};
}  // namespace std

#include "dojo_vectors.hpp"
#include "dojo_runtime.hpp"
#include "dojo_textures.hpp"
#include "dojo_graph_types.hpp"
#include "dojo_intrinsics.hpp"
#include "dojo_integers.hpp"
#include "dojo_math.hpp"
#include "dojo_rounding.hpp"
#undef CUDARTAPI_DOJO
#undef __host__
#define __host__
#include "dojo_pre.hpp"
#undef __host__
#define __host__ __attribute__((host))

DOJO_SHIM_END
// Of the host alone: what() of a program's class, which is a host function, overrides no function of both sides.
#include "stdexcept"

#define DOJO_NEW(space)                                             \
  space void* operator new(size_t n) { return malloc(n); }          \
  space void* operator new[](size_t n) { return malloc(n); }        \
  space void operator delete(void* p) noexcept { free(p); }         \
  space void operator delete[](void* p) noexcept { free(p); }       \
  space void operator delete(void* p, size_t) noexcept { free(p); } \
  space void operator delete[](void* p, size_t) noexcept { free(p); }
DOJO_NEW(inline __device__)
DOJO_NEW(inline __host__)
#undef DOJO_NEW

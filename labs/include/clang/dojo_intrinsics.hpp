// Built-in variables, barriers, shuffles, votes, atomics, loads with cache hints and integer intrinsics, as the CUDA C++
// Programming Guide and the PTX ISA define them.
#pragma once

// threadIdx.x reads a special register where it is used: the fields are properties.
#define DOJO_FIELD(name, builtin)                      \
  __declspec(property(get = get_##name)) unsigned name; \
  DOJO_DEVICE unsigned get_##name() { return builtin(); }
#define DOJO_BUILTIN(variable, sreg)                                                     \
  struct __dojo_##variable {                                                             \
    DOJO_FIELD(x, __nvvm_read_ptx_sreg_##sreg##_x)                                       \
    DOJO_FIELD(y, __nvvm_read_ptx_sreg_##sreg##_y)                                       \
    DOJO_FIELD(z, __nvvm_read_ptx_sreg_##sreg##_z)                                       \
    DOJO_MEMBER operator dim3() const { return dim3(x, y, z); }                           \
    DOJO_MEMBER operator uint3() const { return make_uint3(x, y, z); }                    \
  };                                                                                     \
  extern const __device__ __attribute__((weak)) __dojo_##variable variable;
DOJO_BUILTIN(threadIdx, tid)
DOJO_BUILTIN(blockIdx, ctaid)
DOJO_BUILTIN(blockDim, ntid)
DOJO_BUILTIN(gridDim, nctaid)
constexpr int warpSize = 32;

// Barriers and fences. __syncthreads() is clang's own.
DOJO_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
DOJO_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
DOJO_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
DOJO_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
DOJO_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
DOJO_DEVICE void __threadfence() { __nvvm_membar_gl(); }
DOJO_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
DOJO_DEVICE void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
// Programmatic dependent launch.
DOJO_DEVICE void cudaTriggerProgrammaticLaunchCompletion() { asm volatile("griddepcontrol.launch_dependents;"); }
DOJO_DEVICE void cudaGridDependencySynchronize() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
DOJO_DEVICE void __trap() { asm volatile("trap;"); }
DOJO_DEVICE void __brkpt() { asm volatile("brkpt;"); }
DOJO_DEVICE long long clock64() {
  long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}
DOJO_DEVICE clock_t clock() {
  int t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}
DOJO_DEVICE unsigned long long __globaltimer() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  return t;
}

// Votes.
DOJO_DEVICE unsigned __activemask() {
  unsigned m;
  asm volatile("activemask.b32 %0;" : "=r"(m));
  return m;
}
DOJO_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
DOJO_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
DOJO_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
DOJO_DEVICE unsigned __match_any_sync(unsigned mask, unsigned v) { return __nvvm_match_any_sync_i32(mask, v); }
DOJO_DEVICE unsigned __match_any_sync(unsigned mask, int v) { return __nvvm_match_any_sync_i32(mask, unsigned(v)); }

// Shuffles: 4 bytes are one instruction, 8 are two. c: the PTX ISA's clamp and segment mask.
#define DOJO_SHUFFLE(name, mode, lane_type, clamp)                                                                     \
  DOJO_DEVICE int name(unsigned mask, int v, lane_type lane, int width = 32) {                                         \
    return __nvvm_shfl_sync_##mode##_i32(mask, v, lane, ((32 - width) << 8) | clamp);                                  \
  }                                                                                                                    \
  DOJO_DEVICE unsigned name(unsigned mask, unsigned v, lane_type lane, int width = 32) {                               \
    return unsigned(name(mask, int(v), lane, width));                                                                  \
  }                                                                                                                    \
  DOJO_DEVICE float name(unsigned mask, float v, lane_type lane, int width = 32) {                                     \
    return __nvvm_shfl_sync_##mode##_f32(mask, v, lane, ((32 - width) << 8) | clamp);                                  \
  }                                                                                                                    \
  DOJO_DEVICE unsigned long long name(unsigned mask, unsigned long long v, lane_type lane, int width = 32) {           \
    const unsigned low = name(mask, unsigned(v), lane, width), high = name(mask, unsigned(v >> 32), lane, width);      \
    return (unsigned long long)high << 32 | low;                                                                       \
  }                                                                                                                    \
  DOJO_DEVICE long long name(unsigned mask, long long v, lane_type lane, int width = 32) {                             \
    return (long long)name(mask, (unsigned long long)v, lane, width);                                                  \
  }                                                                                                                    \
  DOJO_DEVICE long name(unsigned mask, long v, lane_type lane, int width = 32) {                                       \
    return (long)name(mask, (unsigned long long)v, lane, width);                                                       \
  }                                                                                                                    \
  DOJO_DEVICE unsigned long name(unsigned mask, unsigned long v, lane_type lane, int width = 32) {                     \
    return (unsigned long)name(mask, (unsigned long long)v, lane, width);                                              \
  }                                                                                                                    \
  DOJO_DEVICE double name(unsigned mask, double v, lane_type lane, int width = 32) {                                   \
    return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(unsigned long long, v), lane, width));             \
  }
DOJO_SHUFFLE(__shfl_sync, idx, int, 0x1f)
DOJO_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
DOJO_SHUFFLE(__shfl_down_sync, down, unsigned, 0x1f)
DOJO_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)
#define DOJO_REDUCE(name, op, type, suffix)                                                    \
  DOJO_DEVICE type name(unsigned mask, type v) {                                               \
    type r;                                                                                    \
    asm volatile("redux.sync." #op "." #suffix " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask)); \
    return r;                                                                                  \
  }
DOJO_REDUCE(__reduce_add_sync, add, int, s32)
DOJO_REDUCE(__reduce_add_sync, add, unsigned, s32)
DOJO_REDUCE(__reduce_min_sync, min, int, s32)
DOJO_REDUCE(__reduce_min_sync, min, unsigned, u32)
DOJO_REDUCE(__reduce_max_sync, max, int, s32)
DOJO_REDUCE(__reduce_max_sync, max, unsigned, u32)
DOJO_REDUCE(__reduce_and_sync, and, unsigned, b32)
DOJO_REDUCE(__reduce_or_sync, or, unsigned, b32)
DOJO_REDUCE(__reduce_xor_sync, xor, unsigned, b32)

// Atomics: relaxed, at device scope.
#define DOJO_ATOMIC_INTEGER(name, builtin)                                                             \
  DOJO_DEVICE int name(int* p, int v) { return builtin(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); } \
  DOJO_DEVICE unsigned name(unsigned* p, unsigned v) {                                                   \
    return builtin(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                                       \
  }                                                                                                      \
  DOJO_DEVICE unsigned long long name(unsigned long long* p, unsigned long long v) {                     \
    return builtin(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                                       \
  }
DOJO_ATOMIC_INTEGER(atomicAdd, __scoped_atomic_fetch_add)
DOJO_ATOMIC_INTEGER(atomicAnd, __scoped_atomic_fetch_and)
DOJO_ATOMIC_INTEGER(atomicOr, __scoped_atomic_fetch_or)
DOJO_ATOMIC_INTEGER(atomicXor, __scoped_atomic_fetch_xor)
DOJO_ATOMIC_INTEGER(atomicMin, __scoped_atomic_fetch_min)
DOJO_ATOMIC_INTEGER(atomicMax, __scoped_atomic_fetch_max)
DOJO_ATOMIC_INTEGER(atomicExch, __scoped_atomic_exchange_n)
DOJO_DEVICE long long atomicMin(long long* p, long long v) {
  return __scoped_atomic_fetch_min(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
DOJO_DEVICE long long atomicMax(long long* p, long long v) {
  return __scoped_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
DOJO_DEVICE float atomicAdd(float* p, float v) {
  return __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
DOJO_DEVICE double atomicAdd(double* p, double v) {
  return __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
template <class _T> DOJO_DEVICE _T __dojo_cas(_T* p, _T expected, _T desired) {
  __scoped_atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_DEVICE);
  return expected;
}
DOJO_DEVICE int atomicCAS(int* p, int e, int d) { return __dojo_cas(p, e, d); }
DOJO_DEVICE unsigned atomicCAS(unsigned* p, unsigned e, unsigned d) { return __dojo_cas(p, e, d); }
DOJO_DEVICE unsigned long long atomicCAS(unsigned long long* p, unsigned long long e, unsigned long long d) {
  return __dojo_cas(p, e, d);
}
DOJO_DEVICE unsigned short atomicCAS(unsigned short* p, unsigned short e, unsigned short d) {
  unsigned short r;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(r) : "l"(p), "h"(e), "h"(d) : "memory");
  return r;
}
// The same for a block or the system: clang 19 leaves the scope of its own atomics out of the PTX.
#define DOJO_SCOPED_BITS(name, op)                                                                         \
  DOJO_DEVICE int name(int* p, int v) { return op##_i(p, v); }                                              \
  DOJO_DEVICE unsigned name(unsigned* p, unsigned v) { return unsigned(op##_i((int*)p, int(v))); }          \
  DOJO_DEVICE unsigned long long name(unsigned long long* p, unsigned long long v) {                        \
    return (unsigned long long)op##_ll((long long*)p, (long long)v);                                        \
  }
#define DOJO_SCOPED_ORDER(name, op)                                                        \
  DOJO_DEVICE int name(int* p, int v) { return op##_i(p, v); }                              \
  DOJO_DEVICE unsigned name(unsigned* p, unsigned v) { return op##_ui(p, v); }              \
  DOJO_DEVICE long long name(long long* p, long long v) { return op##_ll(p, v); }           \
  DOJO_DEVICE unsigned long long name(unsigned long long* p, unsigned long long v) { return op##_ull(p, v); }
#define DOJO_SCOPED(suffix, scope)                                                                          \
  DOJO_SCOPED_BITS(atomicAdd##suffix, __nvvm_atom_##scope##_add_gen)                                         \
  DOJO_SCOPED_BITS(atomicAnd##suffix, __nvvm_atom_##scope##_and_gen)                                         \
  DOJO_SCOPED_BITS(atomicOr##suffix, __nvvm_atom_##scope##_or_gen)                                           \
  DOJO_SCOPED_BITS(atomicXor##suffix, __nvvm_atom_##scope##_xor_gen)                                         \
  DOJO_SCOPED_BITS(atomicExch##suffix, __nvvm_atom_##scope##_xchg_gen)                                       \
  DOJO_SCOPED_ORDER(atomicMin##suffix, __nvvm_atom_##scope##_min_gen)                                        \
  DOJO_SCOPED_ORDER(atomicMax##suffix, __nvvm_atom_##scope##_max_gen)                                        \
  DOJO_DEVICE float atomicAdd##suffix(float* p, float v) { return __nvvm_atom_##scope##_add_gen_f(p, v); }   \
  DOJO_DEVICE double atomicAdd##suffix(double* p, double v) { return __nvvm_atom_##scope##_add_gen_d(p, v); } \
  DOJO_DEVICE int atomicCAS##suffix(int* p, int e, int d) { return __nvvm_atom_##scope##_cas_gen_i(p, e, d); } \
  DOJO_DEVICE unsigned atomicCAS##suffix(unsigned* p, unsigned e, unsigned d) {                              \
    return unsigned(__nvvm_atom_##scope##_cas_gen_i((int*)p, int(e), int(d)));                               \
  }                                                                                                          \
  DOJO_DEVICE unsigned long long atomicCAS##suffix(unsigned long long* p, unsigned long long e,              \
                                                   unsigned long long d) {                                   \
    return (unsigned long long)__nvvm_atom_##scope##_cas_gen_ll((long long*)p, (long long)e, (long long)d);  \
  }
DOJO_SCOPED(_block, cta)
DOJO_SCOPED(_system, sys)
#define DOJO_ATOMIC_REST(suffix)                                                                             \
  DOJO_DEVICE int atomicSub##suffix(int* p, int v) { return atomicAdd##suffix(p, -v); }                      \
  DOJO_DEVICE unsigned atomicSub##suffix(unsigned* p, unsigned v) { return atomicAdd##suffix(p, 0u - v); }   \
  DOJO_DEVICE float atomicExch##suffix(float* p, float v) {                                                  \
    return __builtin_bit_cast(float, atomicExch##suffix((int*)p, __builtin_bit_cast(int, v)));               \
  }
DOJO_ATOMIC_REST()
DOJO_ATOMIC_REST(_block)
DOJO_ATOMIC_REST(_system)
DOJO_DEVICE unsigned atomicInc(unsigned* p, unsigned last) { return __nvvm_atom_inc_gen_ui(p, last); }
DOJO_DEVICE unsigned atomicDec(unsigned* p, unsigned last) { return __nvvm_atom_dec_gen_ui(p, last); }

// Address spaces.
DOJO_DEVICE size_t __cvta_generic_to_shared(const void* p) {
  return (size_t)(__attribute__((address_space(3))) const void*)p;
}
DOJO_DEVICE size_t __cvta_generic_to_global(const void* p) {
  return (size_t)(__attribute__((address_space(1))) const void*)p;
}
DOJO_DEVICE unsigned __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
DOJO_DEVICE unsigned __isShared(const void* p) { return __nvvm_isspacep_shared(p); }

// Loads and stores with a cache hint.
#define DOJO_HINTED(T, vec, suffix, letter, E, ...) DOJO_HINTED_##vec(T, suffix, letter, E)
#define DOJO_LOAD1(name, op, T, suffix, c)                                                                    \
  DOJO_DEVICE T name(const T* p) {                                                                             \
    T v;                                                                                                       \
    asm volatile("ld.global." op "." suffix " %0, [%1];" : "=" c(v) : "l"(__cvta_generic_to_global(p)));       \
    return v;                                                                                                  \
  }
#define DOJO_LOAD2(name, op, T, suffix, c)                                                                     \
  DOJO_DEVICE T name(const T* p) {                                                                             \
    T v;                                                                                                       \
    asm volatile("ld.global." op ".v2." suffix " {%0, %1}, [%2];"                                              \
                 : "=" c(v.x), "=" c(v.y)                                                                      \
                 : "l"(__cvta_generic_to_global(p)));                                                          \
    return v;                                                                                                  \
  }
#define DOJO_LOAD4(name, op, T, suffix, c)                                                                     \
  DOJO_DEVICE T name(const T* p) {                                                                             \
    T v;                                                                                                       \
    asm volatile("ld.global." op ".v4." suffix " {%0, %1, %2, %3}, [%4];"                                      \
                 : "=" c(v.x), "=" c(v.y), "=" c(v.z), "=" c(v.w)                                              \
                 : "l"(__cvta_generic_to_global(p)));                                                          \
    return v;                                                                                                  \
  }
#define DOJO_STORE1(name, op, T, suffix, c)                                                                    \
  DOJO_DEVICE void name(T* p, T v) {                                                                           \
    asm volatile("st.global." op "." suffix " [%0], %1;" ::"l"(__cvta_generic_to_global(p)), c(v) : "memory"); \
  }
#define DOJO_STORE2(name, op, T, suffix, c)                                                                    \
  DOJO_DEVICE void name(T* p, T v) {                                                                           \
    asm volatile("st.global." op ".v2." suffix " [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(p)), c(v.x),  \
                 c(v.y)                                                                                        \
                 : "memory");                                                                                  \
  }
#define DOJO_STORE4(name, op, T, suffix, c)                                                                    \
  DOJO_DEVICE void name(T* p, T v) {                                                                           \
    asm volatile("st.global." op ".v4." suffix " [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(p)),  \
                 c(v.x), c(v.y), c(v.z), c(v.w)                                                                \
                 : "memory");                                                                                  \
  }
#define DOJO_LOADS(name, op)                           \
  DOJO_LOAD1(name, op, int, "s32", "r")                \
  DOJO_LOAD1(name, op, unsigned, "u32", "r")           \
  DOJO_LOAD1(name, op, long long, "s64", "l")          \
  DOJO_LOAD1(name, op, unsigned long long, "u64", "l") \
  DOJO_LOAD1(name, op, float, "f32", "f")              \
  DOJO_LOAD1(name, op, double, "f64", "d")             \
  DOJO_LOAD2(name, op, int2, "s32", "r")               \
  DOJO_LOAD2(name, op, uint2, "u32", "r")              \
  DOJO_LOAD2(name, op, float2, "f32", "f")             \
  DOJO_LOAD2(name, op, double2, "f64", "d")            \
  DOJO_LOAD4(name, op, int4, "s32", "r")               \
  DOJO_LOAD4(name, op, uint4, "u32", "r")              \
  DOJO_LOAD4(name, op, float4, "f32", "f")
#define DOJO_STORES(name, op)                           \
  DOJO_STORE1(name, op, int, "s32", "r")                \
  DOJO_STORE1(name, op, unsigned, "u32", "r")           \
  DOJO_STORE1(name, op, long long, "s64", "l")          \
  DOJO_STORE1(name, op, unsigned long long, "u64", "l") \
  DOJO_STORE1(name, op, float, "f32", "f")              \
  DOJO_STORE1(name, op, double, "f64", "d")             \
  DOJO_STORE2(name, op, int2, "s32", "r")               \
  DOJO_STORE2(name, op, uint2, "u32", "r")              \
  DOJO_STORE2(name, op, float2, "f32", "f")             \
  DOJO_STORE2(name, op, double2, "f64", "d")            \
  DOJO_STORE4(name, op, int4, "s32", "r")               \
  DOJO_STORE4(name, op, uint4, "u32", "r")              \
  DOJO_STORE4(name, op, float4, "f32", "f")
DOJO_LOADS(__ldg, "nc")
DOJO_LOADS(__ldca, "ca")
DOJO_LOADS(__ldcg, "cg")
DOJO_LOADS(__ldcs, "cs")
DOJO_LOADS(__ldlu, "lu")
DOJO_LOADS(__ldcv, "cv")
DOJO_STORES(__stwb, "wb")
DOJO_STORES(__stcg, "cg")
DOJO_STORES(__stcs, "cs")
DOJO_STORES(__stwt, "wt")

// Integers.
DOJO_DEVICE int __popc(unsigned v) { return __builtin_popcount(v); }
DOJO_DEVICE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
DOJO_DEVICE int __clz(int v) { return v ? __builtin_clz(unsigned(v)) : 32; }
DOJO_DEVICE int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
DOJO_DEVICE int __ffs(int v) { return __builtin_ffs(v); }
DOJO_DEVICE int __ffsll(long long v) { return __builtin_ffsll(v); }
DOJO_DEVICE unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
DOJO_DEVICE unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
DOJO_DEVICE int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
DOJO_DEVICE unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
DOJO_DEVICE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
DOJO_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
DOJO_DEVICE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
DOJO_DEVICE unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
DOJO_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) { return __nvvm_prmt(a, b, s); }
DOJO_DEVICE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) { return __builtin_rotateleft64((unsigned long long)hi << 32 | lo, n & 31) >> 32; }
DOJO_DEVICE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) { return ((unsigned long long)hi << 32 | lo) >> (n & 31); }
DOJO_DEVICE int __dp4a(int a, int b, int c) {
  int r;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

// Bits and conversions.
DOJO_DEVICE int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
DOJO_DEVICE unsigned __float_as_uint(float v) { return __builtin_bit_cast(unsigned, v); }
DOJO_DEVICE float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
DOJO_DEVICE float __uint_as_float(unsigned v) { return __builtin_bit_cast(float, v); }
DOJO_DEVICE long long __double_as_longlong(double v) { return __builtin_bit_cast(long long, v); }
DOJO_DEVICE double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }
DOJO_DEVICE int __float2int_rn(float v) { return __nvvm_f2i_rn(v); }
DOJO_DEVICE int __float2int_rz(float v) { return __nvvm_f2i_rz(v); }
DOJO_DEVICE int __float2int_rd(float v) { return __nvvm_f2i_rm(v); }
DOJO_DEVICE int __float2int_ru(float v) { return __nvvm_f2i_rp(v); }
DOJO_DEVICE unsigned __float2uint_rn(float v) { return __nvvm_f2ui_rn(v); }
DOJO_DEVICE float __int2float_rn(int v) { return float(v); }
DOJO_DEVICE float __uint2float_rn(unsigned v) { return float(v); }

// Asynchronous copies from global to shared memory (the pipeline primitives of the CUDA C++ Programming Guide). Below
// sm_80, which has no such copies, they are loads and stores.
#ifndef DOJO_PIPELINE_PRIMITIVES  // two headers have this text
#define DOJO_PIPELINE_PRIMITIVES
DOJO_SHIM_BEGIN

DOJO_DEVICE void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zfill = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned to = unsigned(__cvta_generic_to_shared(shared)), n = unsigned(bytes - zfill);
  const size_t from = __cvta_generic_to_global(global);
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(n) : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(n) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(n) : "memory");
#else
  if (bytes == 16)
    *(uint4*)shared = zfill ? make_uint4(0, 0, 0, 0) : *(const uint4*)global;
  else if (bytes == 8)
    *(uint2*)shared = zfill ? make_uint2(0, 0) : *(const uint2*)global;
  else
    *(unsigned*)shared = zfill ? 0 : *(const unsigned*)global;
#endif
}
DOJO_DEVICE void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
DOJO_DEVICE void __pipeline_wait_prior(unsigned n) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define DOJO_WAIT(k) case k: asm volatile("cp.async.wait_group " #k ";" ::: "memory"); break;
  switch (n) {
    DOJO_WAIT(0) DOJO_WAIT(1) DOJO_WAIT(2) DOJO_WAIT(3) DOJO_WAIT(4) DOJO_WAIT(5) DOJO_WAIT(6) DOJO_WAIT(7)
    default: asm volatile("cp.async.wait_group 8;" ::: "memory");
  }
#undef DOJO_WAIT
#else
  (void)n;
#endif
}
DOJO_SHIM_END
#endif

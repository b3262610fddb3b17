#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
// One host thread: pragmas of OpenMP are skipped, and these calls tell of a team of one.
#include "ctime"
static inline int omp_get_num_procs() { return 1; }
static inline int omp_get_max_threads() { return 1; }
static inline int omp_get_num_threads() { return 1; }
static inline int omp_get_thread_num() { return 0; }
static inline void omp_set_num_threads(int) {}
static inline int omp_in_parallel() { return 0; }
static inline double omp_get_wtime() { return 1e-9 * double(__dojo_now_ns()); }
DOJO_SHIM_END
#endif

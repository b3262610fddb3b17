#pragma once
// What the baseline files share: sizes by name, errors as text, workspaces that outlive a graph.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include "baselines.h"

namespace baselines {

inline int64_t size_of(const DojoBaselineCall& c, const char* name) {
  for (int i = 0; i < c.size_count; ++i)
    if (!std::strcmp(c.size_names[i], name)) return c.size_values[i];
  return 0;
}

template <class T>
T* buffer(const DojoBaselineCall& c, int i) {
  return static_cast<T*>(c.buffers[i]);
}

inline cudaStream_t stream(const DojoBaselineCall& c) { return static_cast<cudaStream_t>(c.stream); }

inline int fail(char* text, int bytes, const char* call, int code) {
  std::snprintf(text, size_t(bytes), "%s failed with error %d", call, code);
  return code ? code : 1;
}

/// Scratch memory of at least `bytes`, kept for the process: a captured graph may still use it. Grows outside
/// of captures only (the first call of a baseline is never captured).
inline void* scratch(size_t bytes) {
  static void* memory = nullptr;
  static size_t have = 0;
  if (bytes > have) {
    if (cudaMalloc(&memory, bytes) != cudaSuccess) return nullptr;
    have = bytes;
  }
  return memory;
}

int cub_sum(const DojoBaselineCall*, char* text, int bytes);
int cub_sum_double(const DojoBaselineCall*, char* text, int bytes);
int cub_histogram(const DojoBaselineCall*, char* text, int bytes);
int cub_max(const DojoBaselineCall*, char* text, int bytes);
int cub_scan(const DojoBaselineCall*, char* text, int bytes);
int cub_select(const DojoBaselineCall*, char* text, int bytes);
int cub_sort_digit(const DojoBaselineCall*, char* text, int bytes);
int cublas_dot(const DojoBaselineCall*, char* text, int bytes);
int cublas_sgemm(const DojoBaselineCall*, char* text, int bytes);
int cublas_hgemm(const DojoBaselineCall*, char* text, int bytes);
int cublas_sgemv(const DojoBaselineCall*, char* text, int bytes);
int cudnn_attention(const DojoBaselineCall*, char* text, int bytes);
int cudnn_conv2d(const DojoBaselineCall*, char* text, int bytes);
int cusparse_csr(const DojoBaselineCall*, char* text, int bytes);
int cudnn_softmax(const DojoBaselineCall*, char* text, int bytes);
int cudnn_log_softmax(const DojoBaselineCall*, char* text, int bytes);
int cudnn_softmax_backward(const DojoBaselineCall*, char* text, int bytes);
int copy_ceiling(const DojoBaselineCall*, char* text, int bytes);

}  // namespace baselines

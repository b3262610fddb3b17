/* The border between WarpDojo and the library baselines: plain C, so that the library compiled by nvcc can be
   loaded at run time, and only where it was built. */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One call. Buffers are device pointers in the order of the problem's buffers; sizes by name ("n", "rows",
 * ...). */
typedef struct {
  void* const* buffers;
  const int64_t* buffer_bytes;
  int buffer_count;
  const char* const* size_names;
  const int64_t* size_values;
  int size_count;
  void* stream; /* cudaStream_t */
} DojoBaselineCall;

typedef struct {
  const char* library; /* "cub", "cublas", "cusparse", "cudnn", "copy" */
  const char* lab;     /* "reduce" */
  const char* steps;   /* names of steps it stands beside, space separated: "open finish-atomic" */
  /* 0, or an error number; `text` explains it. Called once outside of a capture (allocates its workspace),
     then inside of captures. */
  int (*run)(const DojoBaselineCall*, char* text, int text_bytes);
} DojoBaseline;

/* The table; *count entries. */
const DojoBaseline* dojo_baselines(int* count);

#ifdef __cplusplus
}
#endif

// NVRTC's own copies of these headers declare uint64_t as another type than <cstdint> does.
#pragma once
#define uint64_t __dojo_pipeline_uint64
#define uintptr_t __dojo_pipeline_uintptr
#include_next <cuda_awbarrier.h>
#include_next <cuda_pipeline.h>
#undef uint64_t
#undef uintptr_t

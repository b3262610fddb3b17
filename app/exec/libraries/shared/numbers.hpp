#pragma once
// Numbers whose type is an argument (cudaDataType): reading, writing and widening to double. Real numbers of
// 8 to 64 bits. Writing rounds to the nearest, integers of 8 bits and numbers of fp8 saturate. Halves and
// bfloat16 are rounded to float first, as where a library computes in float and stores them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <library_types.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shared/not_simulated.hpp"

namespace dojo::libraries {

/// 0: a type that is not supported.
inline size_t bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_64F:
      return 8;
    default:
      return 0;
  }
}
inline bool is_fp8(cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }

template <class T>
T read_number(const std::byte* at) {
  T v;
  std::memcpy(&v, at, sizeof v);
  return v;
}
inline double of_fp8(const std::byte* at, __nv_fp8_interpretation_t kind) {
  return double(__half2float(__half(__nv_cvt_fp8_to_halfraw(read_number<__nv_fp8_storage_t>(at), kind))));
}
/// run(read) with the function that reads a number of this type.
template <class Run>
auto with_reader(cudaDataType type, Run run) {
  switch (type) {
    case CUDA_R_8I:
      return run([](const std::byte* at) { return double(read_number<int8_t>(at)); });
    case CUDA_R_8F_E4M3:
      return run([](const std::byte* at) { return of_fp8(at, __NV_E4M3); });
    case CUDA_R_8F_E5M2:
      return run([](const std::byte* at) { return of_fp8(at, __NV_E5M2); });
    case CUDA_R_16F:
      return run([](const std::byte* at) { return double(__half2float(read_number<__half>(at))); });
    case CUDA_R_16BF:
      return run(
          [](const std::byte* at) { return double(__bfloat162float(read_number<__nv_bfloat16>(at))); });
    case CUDA_R_32F:
      return run([](const std::byte* at) { return double(read_number<float>(at)); });
    case CUDA_R_32I:
      return run([](const std::byte* at) { return double(read_number<int32_t>(at)); });
    default:
      return run([](const std::byte* at) { return read_number<double>(at); });
  }
}
inline double number(const std::byte* at, cudaDataType type) {
  return with_reader(type, [at](auto read) { return read(at); });
}

/// A number in host or device memory, such as alpha.
inline double scalar(const void* at, cudaDataType type) {
  return number(Copied<std::byte>(static_cast<const std::byte*>(at), bytes_of(type)).v.data(), type);
}

inline void put_number(std::byte* at, cudaDataType type, double v) {
  const auto put = [at](auto narrow) { std::memcpy(at, &narrow, sizeof narrow); };
  switch (type) {
    case CUDA_R_8I:
      return put(int8_t(std::clamp(std::nearbyint(v), -128.0, 127.0)));
    case CUDA_R_8F_E4M3:
      return put(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, __NV_E4M3));
    case CUDA_R_8F_E5M2:
      return put(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, __NV_E5M2));
    case CUDA_R_16F:
      return put(__float2half_rn(float(v)));
    case CUDA_R_16BF:
      return put(__float2bfloat16_rn(float(v)));
    case CUDA_R_32F:
      return put(float(v));
    case CUDA_R_32I:
      return put(int32_t(std::llrint(v)));
    default:
      return put(v);
  }
}

}  // namespace dojo::libraries

#pragma once
// Shared by the stand-ins of CUDA's libraries: host copies of device arrays, and the note in the report that
// a call was not simulated.
#include <cuda_runtime_api.h>

#include <vector>

/// Of libcudart.so.13 of `warpdojo exec`: notes once per name and place that a library's call was computed on
/// the host.
extern "C" void __cudaDojoNotSimulated(const char* name, const void* return_address);
/// Notes that a library's call is not supported.
extern "C" void __cudaDojoMissing(const char* name, const void* return_address);

namespace dojo::libraries {

/// A host copy of `count` elements of device (or host) memory. put() copies it back.
template <class T>
struct Copied {
  const void* device;
  std::vector<T> v;
  Copied(const void* at, size_t count) : device(at), v(count) {
    if (count) cudaMemcpy(v.data(), at, count * sizeof(T), cudaMemcpyDefault);
  }
  void put() const {
    if (!v.empty()) cudaMemcpy(const_cast<void*>(device), v.data(), v.size() * sizeof(T), cudaMemcpyDefault);
  }
};

/// Reads a scalar in host or device memory.
template <class T>
T scalar(const T* at) {
  return Copied<T>(at, 1).v[0];
}
/// Writes one.
template <class T>
void set_scalar(T* at, T value) {
  cudaMemcpy(at, &value, sizeof value, cudaMemcpyDefault);
}

}  // namespace dojo::libraries

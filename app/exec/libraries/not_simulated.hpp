#pragma once
// What the stand-ins of CUDA's libraries share: arrays of the device as copies on the host, and the word to
// the report that nothing of the call was simulated.
#include <cuda_runtime_api.h>

#include <vector>

/// Of libcudart.so.13 of `warpdojo exec`: notes once per name and place that a library's call was computed on
/// the host.
extern "C" void __cudaDojoNotSimulated(const char* name, const void* return_address);
/// The same for a call that is not there.
extern "C" void __cudaDojoMissing(const char* name, const void* return_address);

namespace dojo::libraries {

/// `count` elements of device (or host) memory, copied here and, by put(), back.
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

/// A scalar that lies on the host or on the device.
template <class T>
T scalar(const T* at) {
  return Copied<T>(at, 1).v[0];
}
template <class T>
void set_scalar(T* at, T value) {
  cudaMemcpy(at, &value, sizeof value, cudaMemcpyDefault);
}

}  // namespace dojo::libraries

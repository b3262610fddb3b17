// What passes between a block's end and the start of the next in its place, by how the block ends and how many an SM holds.
//   nvcc -O3 -std=c++17 -arch=sm_90 slots.cu -o slots && ./slots
// Nanoseconds a wave of blocks (as many as the SMs hold), from kernels of 96 and of 32 waves; shared memory says how many an SM holds.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "slots.cuh"

template <int END> __global__ void slot(float* out, int turns, int early) { slot_body<END>(out, turns, early); }

int main() {
  float* out;
  if (cudaMalloc((void**)&out, size_t(256) << 20) != cudaSuccess) return std::printf("no GPU\n"), 1;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  using Kernel = void (*)(float*, int, int);
  const struct { const char* name; Kernel f; } ends[] = {
      {"no store", slot<kNoStore>}, {"one stores", slot<kOneStores>}, {"warps store", slot<kWarpsStore>}, {"all store", slot<kAllStore>}};
  for (auto e : ends)
    for (int per_sm : {1, 2, 4, 8})
      for (int warps : {1, 8})
        for (int early : {0, 1}) {
          if (early && warps == 1) continue;
          const int shared = (228 / per_sm - 2) * 1024;
          cudaFuncSetAttribute(e.f, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
          for (int turns : {16, 64, 128}) {
            double us[2];
            for (int k = 0; k < 2; ++k) {
              std::vector<float> t;
              for (int r = 0; r < 15; ++r) {
                cudaEventRecord(a);
                e.f<<<sms * per_sm * (k ? 96 : 32), warps * 32, size_t(shared)>>>(out, turns, early);
                cudaEventRecord(b);
                cudaEventSynchronize(b);
                float ms;
                cudaEventElapsedTime(&ms, a, b);
                t.push_back(ms * 1e3f);
              }
              std::sort(t.begin(), t.end());
              us[k] = t[t.size() / 2];
            }
            std::printf("slots %-11s, %d an SM, %d warps%s, %3d turns  %8.1f ns\n", e.name, per_sm, warps, early ? " of which one stays" : "", turns,
                        (us[1] - us[0]) * 1e3 / 64);
          }
        }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

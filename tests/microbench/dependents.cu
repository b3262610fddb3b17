// What a programmatic dependent launch saves: pairs of kernels, the second launched in order or as the first one's dependent.
//   nvcc -O3 -std=c++17 -arch=sm_90 dependents.cu -o dependents && ./dependents
// Each kernel's blocks pass `spin` ns; a pair's time is a graph's of 64 pairs less that of 32, by 32. The second kernel waits first of all,
// or after its own `spin`.
#include <algorithm>
#include <cstdio>
#include <vector>

__device__ void pass(int ns) {
  long long from, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
  const long long start = clock64(), cycles = ns * 198ll / 100;
  while (clock64() - start < cycles) {
  }
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  if (now < from) asm volatile("trap;");
}
template <bool early> __global__ void first(int ns) {
  if (early) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  pass(ns);
}
template <int waits> __global__ void second(int ns) {
  if (waits == 1) asm volatile("griddepcontrol.wait;" ::: "memory");
  pass(ns);
  if (waits == 2) asm volatile("griddepcontrol.wait;" ::: "memory");
}

enum Way { in_order, dependent, dependent_early };

template <int waits, bool early> void pair(cudaStream_t s, int blocks, int ns, bool programmatic) {
  first<early><<<blocks, 32, 0, s>>>(ns);
  cudaLaunchAttribute a = {};
  a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  a.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t c = {};
  c.gridDim = dim3(blocks), c.blockDim = dim3(32), c.stream = s;
  c.attrs = &a, c.numAttrs = programmatic ? 1 : 0;
  cudaLaunchKernelEx(&c, second<waits>, ns);
}

template <int waits, bool early> double us(int blocks, int ns, bool programmatic) {
  double t[2];
  for (int i = 0; i < 2; ++i) {
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaEvent_t from, to;
    cudaStreamCreate(&s), cudaEventCreate(&from), cudaEventCreate(&to);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    for (int k = 0; k < 32 << i; ++k) pair<waits, early>(s, blocks, ns, programmatic);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, 0);
    std::vector<float> all;
    for (int k = 0; k < 9; ++k) {
      cudaEventRecord(from, s), cudaGraphLaunch(e, s), cudaEventRecord(to, s), cudaEventSynchronize(to);
      float ms = 0;
      cudaEventElapsedTime(&ms, from, to);
      all.push_back(ms);
    }
    std::sort(all.begin(), all.end());
    t[i] = all[4] * 1e3;
    cudaGraphExecDestroy(e), cudaGraphDestroy(g), cudaStreamDestroy(s);
  }
  return (t[1] - t[0]) / 32;
}

int main() {
  for (int blocks : {16, 64, 128, 1024})
    for (int ns : {0, 1000, 4000, 10000})
      std::printf("%4d blocks, spin %5d ns: in order %7.2f  dependent %7.2f  early %7.2f  early, waits late %7.2f  waits never %7.2f us a pair\n", blocks, ns,
                  us<1, false>(blocks, ns, false), us<1, false>(blocks, ns, true), us<1, true>(blocks, ns, true), us<2, true>(blocks, ns, true),
                  us<0, true>(blocks, ns, true));
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

// Which lines an L2 of two halves keeps in the near half of an SM: how many lines in a row have one home, and how DRAM's latency changes
// from one line to the next.
//   nvcc -O3 -std=c++17 -arch=sm_90 homes.cu -o homes && ./homes
// One thread loads each line of 4 MiB once, after the host copied them in (the L2), or after others have driven them out (DRAM). "runs":
// how many lines in a row take less than 363 cycles, or more. DRAM: by how far lines lie apart, how often their latencies differ by more
// than 60; and the first 64 latencies.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

constexpr int kLines = 32768;

__global__ void walk(const int* in, int* latency, int* out) {
  int from = 0;
  for (int i = 0; i < kLines; ++i) {
    const long long a = clock64();
    const int v = __ldcg(in + size_t(i) * 32 + from);
    from = from * 2 + v;  // 0
    asm volatile("" ::"r"(from) : "memory");
    const long long b = clock64();
    latency[i] = int(b - a);
  }
  out[0] = from;
}
__global__ void others(const uint4* p, uint4* to) {
  const uint4 v = p[blockIdx.x * 256 + threadIdx.x];
  if (v.x) to[0] = v;
}

int main() {
  int *in, *latency, *out;
  uint4* other;
  constexpr size_t bytes = size_t(kLines) * 128, much = size_t(150) << 20;
  if (cudaMalloc((void**)&in, bytes) != cudaSuccess) return std::printf("no GPU\n"), 1;
  cudaMalloc((void**)&latency, kLines * 4), cudaMalloc((void**)&out, 4), cudaMalloc((void**)&other, much);
  cudaMemset(other, 0, much);
  std::vector<int> zero(bytes / 4), l(kLines);
  for (int k = 0; k < 2; ++k) {
    cudaMemcpy(in, zero.data(), bytes, cudaMemcpyHostToDevice);
    if (k) others<<<unsigned(much / 4096), 256>>>(other, other);
    walk<<<1, 1>>>(in, latency, out);
    cudaMemcpy(l.data(), latency, kLines * 4, cudaMemcpyDeviceToHost);
    if (!k) {
      std::map<int, int> runs;
      int far = 0, n = 1;
      for (int i = 1; i < kLines; ++i) {
        far += l[i] > 363;
        if ((l[i] > 363) == (l[i - 1] > 363)) ++n;
        else ++runs[n], n = 1;
      }
      std::printf("L2: %.1f %% far; runs of lines:", 100.0 * far / kLines);
      for (auto [length, count] : runs) std::printf(" %d x %d", count, length);
      std::printf("\n");
      for (int i = 0; i < 256; ++i) std::printf("%c%s", l[i] > 363 ? 'F' : 'n', i % 64 == 63 ? "\n" : "");
    } else {
      long long sum = 0;
      for (int v : l) sum += v;
      std::printf("DRAM: mean %.1f\n", double(sum) / kLines);
      for (int apart : {1, 2, 4, 8, 16, 32, 64, 128, 1024}) {
        int differ = 0;
        for (int i = 0; i + apart < kLines; ++i) differ += std::abs(l[i] - l[i + apart]) > 60;
        std::printf("DRAM: lines %4d apart differ in %4.1f %%\n", apart, 100.0 * differ / (kLines - apart));
      }
      for (int i = 0; i < 64; ++i) std::printf("%d%s", l[i], i % 16 == 15 ? "\n" : " ");
    }
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

// Which blocks of a grid share an SM: those that go side by side there find each other's lines in its L1.
//
//   nvcc -arch=native -o neighbours neighbours.cu && ./neighbours
//
// Each row is a grid that fills the GPU once, of blocks of so many threads; all blocks wait until the last has started. It says how many of the
// pairs of blocks 2i and 2i + 1 share an SM, how many blocks an SM has that follow one another within 8, and by how much the numbers of an SM's blocks differ
// from the next higher one's (the most frequent differences). Last come the SMs of the first blocks.
#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

__global__ void places(int* sm_of, unsigned* ready, unsigned blocks) {
  if (threadIdx.x) return;
  int sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  sm_of[blockIdx.x] = sm;
  atomicAdd(ready, 1);
  while (*reinterpret_cast<volatile unsigned*>(ready) < blocks) {
  }
}

int main() {
  cudaDeviceProp gpu;
  cudaGetDeviceProperties(&gpu, 0);
  std::printf("# %s, %d SMs\n", gpu.name, gpu.multiProcessorCount);
  int* sm_of = nullptr;
  unsigned* ready = nullptr;
  cudaMalloc(&sm_of, 32 * 1024 * sizeof(int));
  cudaMalloc(&ready, sizeof(unsigned));
  for (const int threads : {2, 64, 128, 256, 512, 1024}) {
    int each = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, places, threads, 0);
    const int blocks = each * gpu.multiProcessorCount;
    std::vector<int> at(static_cast<size_t>(blocks));
    for (int again = 0; again < 2; ++again) {  // the first time warms up
      cudaMemset(ready, 0, sizeof(unsigned));
      places<<<blocks, threads>>>(sm_of, ready, unsigned(blocks));
      if (cudaDeviceSynchronize() != cudaSuccess) return std::printf("failed: %s\n", cudaGetErrorString(cudaGetLastError())), 1;
    }
    cudaMemcpy(at.data(), sm_of, at.size() * sizeof(int), cudaMemcpyDeviceToHost);
    int pairs = 0, near = 0;
    for (int i = 0; i + 1 < blocks; i += 2) pairs += at[i] == at[i + 1];
    std::map<int, int> last, differences;
    for (int i = 0; i < blocks; ++i) {
      if (const auto before = last.find(at[i]); before != last.end()) {
        ++differences[i - before->second];
        near += i - before->second < 8;
      }
      last[at[i]] = i;
    }
    std::vector<std::pair<int, int>> often;
    for (auto [difference, times] : differences) often.emplace_back(-times, difference);
    std::sort(often.begin(), often.end());
    std::printf("%4d threads, %2d blocks an SM: %4d of %d pairs, %d within 8, differences", threads, each, pairs, blocks / 2, near);
    for (size_t i = 0; i < often.size() && i < 8; ++i) std::printf(" %d (%d)", often[i].second, -often[i].first);
    std::printf("\n  first blocks on");
    for (int i = 0; i < std::min(blocks, 48); ++i) std::printf(" %d", at[i]);
    std::printf("\n");
  }
}

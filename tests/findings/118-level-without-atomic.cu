// Race, global, one value: threads of a breadth-first search store one level; harmless. The twin swaps atomically.
#include <cstdio>
#include <vector>

__global__ void next_level(const int* first, const int* edge, int* level, int n, int now) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != now) return;  // expect: race (warning) // fix: if (v >= n || atomicAdd(&level[v], 0) != now) return;
  for (int e = first[v]; e < first[v + 1]; ++e) {
    if (level[edge[e]] == -1)  // fix:
      level[edge[e]] = now + 1;  // fix: atomicCAS(&level[edge[e]], -1, now + 1);
  }
}

int main() {
  const int n = 512, degree = 4;
  std::vector<int> first(n + 1), edge(n * degree), level(n, -1);
  for (int v = 0; v <= n; ++v) first[v] = v * degree;
  for (int e = 0; e < n * degree; ++e) edge[e] = (e * 37 + 11) % n;
  for (int v = 0; v < 64; ++v) level[v] = 0;
  int *f, *g, *l;
  cudaMalloc(&f, (n + 1) * sizeof(int));
  cudaMalloc(&g, n * degree * sizeof(int));
  cudaMalloc(&l, n * sizeof(int));
  cudaMemcpy(f, first.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(g, edge.data(), n * degree * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(l, level.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  next_level<<<n / 128, 128>>>(f, g, l, n, 0);
  cudaMemcpy(level.data(), l, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", level[300]);
  cudaFree(f);
  cudaFree(g);
  cudaFree(l);
}

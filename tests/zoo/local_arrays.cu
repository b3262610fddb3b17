// Per-thread arrays with indices that are known only at run time: local memory.
#include "zoo.cuh"

__global__ void lm_insertion_sort(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  int v[24];
  for (int k = 0; k < 24; ++k) {
    const int x = in[k * n + i];
    int at = k;
    while (at > 0 && v[at - 1] > x) {
      v[at] = v[at - 1];
      --at;
    }
    v[at] = x;
  }
  for (int k = 0; k < 24; ++k) out[k * n + i] = v[k] * (k + 1);
}

__global__ void lm_private_bins(const unsigned char* in, int per_thread, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  unsigned short count[32];
  for (int k = 0; k < 32; ++k) count[k] = 0;
  for (int k = 0; k < per_thread; ++k) ++count[in[k * n + i] / 8];
  for (int k = 0; k < 32; ++k) bins[k * n + i] = count[k];
}

// A walk over an implicit binary tree with a stack; the query decides which children are visited.
__global__ void lm_stack_walk(const float* bound, const float* query, int nodes, int* visited) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float q = query[i];
  int stack[32], top = 0, count = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int node = stack[--top];
    ++count;
    const int child = 2 * node + 1;
    if (child + 1 >= nodes) continue;
    if (bound[child] < q) stack[top++] = child;
    if (bound[child + 1] < q) stack[top++] = child + 1;
  }
  visited[i] = count;
}

// The median of a 5 x 5 window by selection.
__global__ void lm_median_window(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char v[25];
  int n = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int cx = min(max(x + dx, 0), width - 1), cy = min(max(y + dy, 0), height - 1);
      v[n++] = in[cy * width + cx];
    }
  for (int k = 0; k <= 12; ++k) {
    int least = k;
    for (int j = k + 1; j < 25; ++j)
      if (v[j] < v[least]) least = j;
    const unsigned char swap = v[k];
    v[k] = v[least];
    v[least] = swap;
  }
  out[y * width + x] = v[12];
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("lm_insertion_sort")) {
    const int n = 64 * 128 * 24;
    int* out = zoo.zeros<int>(n);
    lm_insertion_sort<<<64, 128>>>(zoo.upload(random_ints(n, 1, 1000)), out);
    zoo.show("lm_insertion_sort", out, n);
  }
  if (zoo.runs("lm_private_bins")) {
    const int threads = 100 * 64;
    std::vector<unsigned char> in(threads * 40);
    Random r{2};
    for (auto& b : in) b = (unsigned char)r.below(256);
    int* bins = zoo.zeros<int>(threads * 32);
    lm_private_bins<<<100, 64>>>(zoo.upload(in), 40, bins);
    zoo.expect("lm_private_bins", bins, threads * 32, threads * 40);
  }
  if (zoo.runs("lm_stack_walk")) {
    int* visited = zoo.zeros<int>(48 * 128);
    lm_stack_walk<<<48, 128>>>(zoo.upload(random_floats(4095, 3)),
                               zoo.upload(random_floats(48 * 128, 4, 0.2f, 0.6f)), 4095, visited);
    zoo.show("lm_stack_walk", visited, 48 * 128);
  }
  if (zoo.runs("lm_median_window")) {
    const int width = 250, height = 120;
    std::vector<unsigned char> in(width * height);
    Random r{5};
    for (auto& b : in) b = (unsigned char)r.below(256);
    unsigned char* out = zoo.zeros<unsigned char>(width * height);
    lm_median_window<<<dim3(16, 15), dim3(16, 8)>>>(zoo.upload(in), out, width, height);
    zoo.show("lm_median_window", out, width * height);
  }
  return zoo.done();
}

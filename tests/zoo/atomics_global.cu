// Atomic operations on global memory, contended and spread.
#include "zoo.cuh"

__global__ void ag_one_counter(const int* in, int n, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) atomicAdd(count, in[i]);
}

__global__ void ag_float_bins(const float* weight, const int* bin, float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sums[bin[i]], weight[i]);
}

__device__ void atomic_max(double* at, double v) {
  unsigned long long* word = (unsigned long long*)at;
  unsigned long long was = *word;
  while (__longlong_as_double(was) < v) {
    const unsigned long long seen = atomicCAS(word, was, __double_as_longlong(v));
    if (seen == was) break;
    was = seen;
  }
}
// The maximum per slot, by compare-and-swap. The slots start at zero.
__global__ void ag_double_max_cas(const double* in, double* most, int slots, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomic_max(&most[i % slots], in[i]);
}

__global__ void ag_row_extremes(const int* matrix, int columns, int* least, int* most) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c >= columns) return;
  const int v = matrix[r * columns + c];
  atomicMin(&least[r], v);
  atomicMax(&most[r], v);
}

// Stream compaction with one atomic addition per warp. A repeated launch continues at the counter's last
// value.
__global__ void ag_warp_aggregated(const float* in, float bound, float* out, unsigned* counter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool chosen = i < n && in[i] > bound;
  const unsigned mask = __ballot_sync(0xffffffffu, chosen);
  if (!chosen) return;
  const int lane = threadIdx.x & 31, leader = __ffs(mask) - 1;
  unsigned base = 0;
  if (lane == leader) base = atomicAdd(counter, __popc(mask));
  base = __shfl_sync(mask, base, leader);
  out[(base + __popc(mask & ((1u << lane) - 1))) % n] = in[i];
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ag_one_counter")) {
    int* count = zoo.zeros<int>(1);
    ag_one_counter<<<(30000 + 127) / 128, 128>>>(zoo.upload(random_ints(30000, 1, 100)), 30000, count);
    zoo.show("ag_one_counter", count, 1);
  }
  if (zoo.runs("ag_float_bins")) {
    const int n = 150000;
    float* sums = zoo.zeros<float>(5000);
    ag_float_bins<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 2)),
                                            zoo.upload(random_ints(n, 3, 5000)), sums, n);
    zoo.show("ag_float_bins", sums, 5000);
  }
  if (zoo.runs("ag_double_max_cas")) {
    const int n = 20000, slots = 500;
    double* most = zoo.zeros<double>(slots);
    const double* in = zoo.upload(random_doubles(n, 4));
    cudaMemset(most, 0, slots * sizeof(double));
    ag_double_max_cas<<<(n + 127) / 128, 128>>>(in, most, slots, n);
    zoo.show("ag_double_max_cas", most, slots);
  }
  if (zoo.runs("ag_row_extremes")) {
    const int columns = 1000, rows = 120;
    int *least = zoo.zeros<int>(rows), *most = zoo.zeros<int>(rows);
    ag_row_extremes<<<dim3(4, rows), 256>>>(zoo.upload(random_ints(columns * rows, 5, 100000)), columns,
                                            least, most);
    zoo.show("ag_row_extremes", most, rows);
  }
  if (zoo.runs("ag_warp_aggregated")) {
    const int n = 200000;
    float* out = zoo.zeros<float>(n);
    ag_warp_aggregated<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 6)), 0.7f, out,
                                                 zoo.zeros<unsigned>(1), n);
    zoo.show("ag_warp_aggregated", out, n);
  }
  return zoo.done();
}

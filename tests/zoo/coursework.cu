// A student's exercises: a sum, a scan, a sort and a search, each as a first course has them.
#include <algorithm>

#include "zoo.cuh"

// The sum of a block with interleaved addresses: the lanes that work drift apart.
__global__ void cw_modulo_sum(const float* in, float* out) {
  __shared__ float data[256];
  const unsigned t = threadIdx.x;
  data[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) data[t] += data[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

// Hillis and Steele's inclusive scan with two buffers.
__global__ void cw_hillis_steele(const int* in, int* out) {
  __shared__ int buffer[2][512];
  const int t = threadIdx.x;
  int from = 0;
  buffer[0][t] = in[blockIdx.x * 512 + t];
  __syncthreads();
  for (int offset = 1; offset < 512; offset *= 2) {
    const int to = 1 - from;
    buffer[to][t] = t >= offset ? buffer[from][t] + buffer[from][t - offset] : buffer[from][t];
    __syncthreads();
    from = to;
  }
  out[blockIdx.x * 512 + t] = buffer[from][t];
}

// Odd-even transposition in one block: as many phases as there are values.
__global__ void cw_odd_even_sort(const float* in, float* out, int n) {
  extern __shared__ float value[];
  for (int k = threadIdx.x; k < n; k += blockDim.x) value[k] = in[k];
  __syncthreads();
  for (int phase = 0; phase < n; ++phase) {
    const int i = 2 * threadIdx.x + (phase & 1);
    if (i + 1 < n && value[i] > value[i + 1]) {
      const float swap = value[i];
      value[i] = value[i + 1];
      value[i + 1] = swap;
    }
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n; k += blockDim.x) out[k] = value[k];
}

// Queens on a board: a thread places three of them by its number and tries all places of the others. A row's
// bits are the columns that it may still try; two more words say which diagonals are taken.
__global__ void cw_queens(int side, int* solutions) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= side * side * side) return;
  const unsigned all = (1u << side) - 1;
  unsigned columns[12], left[12], right[12], open[12];
  columns[0] = left[0] = right[0] = 0;
  int rest = i;
  for (int row = 0; row < 3; ++row, rest /= side) {
    const unsigned queen = 1u << rest % side;
    if (queen & (columns[row] | left[row] | right[row])) return;
    columns[row + 1] = columns[row] | queen;
    left[row + 1] = (left[row] | queen) << 1;
    right[row + 1] = (right[row] | queen) >> 1;
  }
  int row = 3, found = 0;
  open[3] = all & ~(columns[3] | left[3] | right[3]);
  while (row >= 3) {
    const unsigned queen = open[row] & (0u - open[row]);
    if (!queen) {
      --row;
      continue;
    }
    open[row] ^= queen;
    if (row == side - 1) {
      ++found;
      continue;
    }
    columns[row + 1] = columns[row] | queen;
    left[row + 1] = (left[row] | queen) << 1;
    right[row + 1] = (right[row] | queen) >> 1;
    ++row;
    open[row] = all & ~(columns[row] | left[row] | right[row]);
  }
  if (found) atomicAdd(solutions, found);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("cw_modulo_sum")) {
    const int blocks = 500;
    const auto in = random_floats(blocks * 256, 1);
    double sum = 0;
    for (float x : in) sum += x;
    float* out = zoo.zeros<float>(blocks);
    cw_modulo_sum<<<blocks, 256>>>(zoo.upload(in), out);
    zoo.expect("cw_modulo_sum", out, blocks, sum);
  }
  if (zoo.runs("cw_hillis_steele")) {
    const int blocks = 90, n = blocks * 512;
    const auto in = random_ints(n, 2, 9);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += double(in[i]) * (512 - i % 512);
    int* out = zoo.zeros<int>(n);
    cw_hillis_steele<<<blocks, 512>>>(zoo.upload(in), out);
    zoo.expect("cw_hillis_steele", out, n, sum, 1e-9);
  }
  if (zoo.runs("cw_odd_even_sort")) {
    const int n = 400;
    float* out = zoo.zeros<float>(n);
    cw_odd_even_sort<<<1, 200, n * sizeof(float)>>>(zoo.upload(random_floats(n, 3)), out, n);
    zoo.show("cw_odd_even_sort", out, n);
    const auto sorted = zoo.download(out, n);
    if (!std::is_sorted(sorted.begin(), sorted.end())) printf("cw_odd_even_sort: WRONG order\n");
  }
  if (zoo.runs("cw_queens")) {
    const int side = 9;
    int* solutions = zoo.zeros<int>(1);
    cw_queens<<<(side * side * side + 63) / 64, 64>>>(side, solutions);
    zoo.expect("cw_queens", solutions, 1, 352, 1e-9);
  }
  return zoo.done();
}

// Atomic operations on shared memory.
#include "zoo.cuh"

__global__ void as_histogram(const unsigned char* in, int n, unsigned* bins) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// Most values fall into a few of 64 bins.
__global__ void as_skewed_histogram(const float* in, int n, unsigned* bins) {
  __shared__ unsigned local[64];
  if (threadIdx.x < 64) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float v = in[i];
    atomicAdd(&local[int(v * v * v * v * 63.9f)], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 64 && local[threadIdx.x]) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// Charges of particles on the cells of a block's part of the grid.
__global__ void as_float_sums(const float* place, const float* charge, int per_block, float* cells) {
  __shared__ float local[130];
  for (int k = threadIdx.x; k < 130; k += blockDim.x) local[k] = 0;
  __syncthreads();
  for (int k = threadIdx.x; k < per_block; k += blockDim.x) {
    const int i = blockIdx.x * per_block + k;
    const float p = place[i] * 128.0f, q = charge[i];
    const int c = int(p);
    const float f = p - c;
    atomicAdd(&local[c], q * (1 - f));
    atomicAdd(&local[c + 1], q * f);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 130; k += blockDim.x) cells[blockIdx.x * 130 + k] = local[k];
}

// A sieve: each block marks the multiples in its own range of 16384 numbers.
__global__ void as_sieve_bits(const int* primes, int count, int* left) {
  __shared__ unsigned marks[512];
  __shared__ int total;
  for (int k = threadIdx.x; k < 512; k += blockDim.x) marks[k] = 0;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const int first = 100000 + blockIdx.x * 16384;
  for (int k = threadIdx.x; k < count; k += blockDim.x) {
    const int p = primes[k];
    for (int m = (first + p - 1) / p * p - first; m < 16384; m += p) atomicOr(&marks[m / 32], 1u << m % 32);
  }
  __syncthreads();
  int mine = 0;
  for (int k = threadIdx.x; k < 512; k += blockDim.x) mine += 32 - __popc(marks[k]);
  atomicAdd(&total, mine);
  __syncthreads();
  if (threadIdx.x == 0) left[blockIdx.x] = total;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("as_histogram")) {
    const int n = 500000;
    std::vector<unsigned char> in(n);
    Random r{1};
    for (auto& b : in) b = (unsigned char)r.below(256);
    unsigned* bins = zoo.zeros<unsigned>(256);
    as_histogram<<<132, 256>>>(zoo.upload(in), n, bins);
    zoo.expect("as_histogram", bins, 256, n);
  }
  if (zoo.runs("as_skewed_histogram")) {
    const int n = 200000;
    unsigned* bins = zoo.zeros<unsigned>(64);
    as_skewed_histogram<<<100, 192>>>(zoo.upload(random_floats(n, 2)), n, bins);
    zoo.expect("as_skewed_histogram", bins, 64, n);
  }
  if (zoo.runs("as_float_sums")) {
    const int n = 90 * 1500;
    float* cells = zoo.zeros<float>(90 * 130);
    as_float_sums<<<90, 128>>>(zoo.upload(random_floats(n, 3)), zoo.upload(random_floats(n, 4)), 1500, cells);
    zoo.show("as_float_sums", cells, 90 * 130);
  }
  if (zoo.runs("as_sieve_bits")) {
    std::vector<int> primes;
    for (int p = 2; p < 760; ++p) {
      bool prime = true;
      for (int d = 2; d * d <= p; ++d)
        if (p % d == 0) prime = false;
      if (prime) primes.push_back(p);
    }
    int* left = zoo.zeros<int>(24);
    as_sieve_bits<<<24, 128>>>(zoo.upload(primes), int(primes.size()), left);
    zoo.show("as_sieve_bits", left, 24);
  }
  return zoo.done();
}

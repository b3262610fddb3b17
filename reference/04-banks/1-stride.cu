// Shared memory has 32 banks of 4 bytes: word w lies in bank w % 32. Lane l reads word l * stride, so as many
// lanes meet in a bank as stride and 32 have in common: their greatest common divisor. That many turns the
// load takes. Bound by latency: a chain of loads, each of which waits for the one before.

constexpr int kWords = 1024, kHops = 256;

// How many lanes of a warp meet in the busiest bank.
__device__ int degree(int stride) {
  int a = stride, b = 32;
  while (b != 0) {  // Euclid: the greatest common divisor
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

__global__ void predict(int* degrees) { degrees[threadIdx.x] = degree(threadIdx.x + 1); }  // strides 1 ... 32

__global__ void chase(int* last, int stride) {
  __shared__ int next[kWords];
  for (int t = threadIdx.x; t < kWords; t += 32) next[t] = t;  // every word points to itself
  __syncthreads();
  int at = threadIdx.x * stride;
  for (int hop = 0; hop < kHops; ++hop) at = next[at];  // the address comes from the load before
  last[threadIdx.x] = at;
}

void banks(int* degrees, int* last, int stride) {
  predict<<<1, 32>>>(degrees);
  chase<<<1, 32>>>(last, stride);
}

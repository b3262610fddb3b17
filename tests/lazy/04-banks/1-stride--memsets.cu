// lazy: banks/1-stride
// expect: gate copies + memsets == 0
// The kernel stores zeros, and the host sets one byte of each degree.
constexpr int words = 1024;
constexpr int hops = 256;

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

// Strides 1 ... 32.
__global__ void predict(int* degrees) { degrees[threadIdx.x] = 0; }

__global__ void chase(int* last, int stride) {
  __shared__ int next[words];
  for (int t = threadIdx.x; t < words; t += 32) next[t] = t;  // every word points to itself
  __syncthreads();
  int at = threadIdx.x * stride;
  for (int hop = 0; hop < hops; ++hop) at = next[at];  // the address comes from the load before
  last[threadIdx.x] = at;
}

void banks(int* degrees, int* last, int stride) {
  predict<<<1, 32>>>(degrees);
  for (int s = 1; s <= 32; ++s) cudaMemset(degrees + s - 1, s & -s, 1);
  chase<<<1, 32>>>(last, stride);
}

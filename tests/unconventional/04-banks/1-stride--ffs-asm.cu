// unconventional: banks/1-stride
constexpr int words = 1024;
constexpr int hops = 256;

// How many lanes of a warp meet in the busiest bank.
__device__ int degree(int stride) {
  unsigned reversed;
  asm("brev.b32 %0, %1;" : "=r"(reversed) : "r"(unsigned(stride) | 32u));
  return 1 << __clz(int(reversed));
}

// Strides 1 ... 32.
__global__ void predict(int* degrees) { degrees[threadIdx.x] = degree(threadIdx.x + 1); }

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
  chase<<<1, 32>>>(last, stride);
}

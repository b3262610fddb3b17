// wrong: banks/1-stride
// mistake: Stride 3 costs one wavefront, not three: the lanes visit the banks in another order, but each bank once. Only what stride and 32 have in common counts.
// expect: wrong

constexpr int kWords = 1024, kHops = 256;

// How many lanes of a warp meet in the busiest bank.
__device__ int degree(int stride) {
  return stride;
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

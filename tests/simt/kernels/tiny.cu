// The kernels of tests/microbench/tiny.cu, on words that the L2 has.
__global__ void nothing(const int*, int*) {}
__global__ void store(const int*, int* out) { out[threadIdx.x] = 1; }
__global__ void load(const int* in, int* out) {
  if (in[threadIdx.x] == 5) out[0] = 1;
}
__global__ void load_store(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void load_two(const int* in, int* out) {
  out[threadIdx.x] = in[2048 + in[threadIdx.x] + threadIdx.x];
}
__global__ void load_four(const int* in, int* out) {
  int v = in[threadIdx.x];
  for (int k = 1; k < 4; ++k) v = in[k * 1024 + v + threadIdx.x];
  out[threadIdx.x] = v;
}

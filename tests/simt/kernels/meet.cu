// Lanes whose atomics meet on words, as in tests/microbench/contention.cu.
__global__ void meet_int(int* sums, int words, int apart) {
  atomicAdd(sums + (threadIdx.x & (words - 1)) * apart, 1);
}
__global__ void meet_float(float* sums, int words, int apart) {
  atomicAdd(sums + (threadIdx.x & (words - 1)) * apart, 1.0f);
}
__global__ void half_meet_int(int* sums, int apart) {
  int l = threadIdx.x;
  atomicAdd(sums + (l < 16 ? 0 : l * apart), 1);
}
__global__ void one_word(int* sums) { atomicAdd(sums, 1); }

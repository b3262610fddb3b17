// lazy: profiles/6-majority
// expect: gate local_sectors <= 0.1 * n
// The loop is unrolled, and the index still computed.
constexpr int threads = 128;
constexpr int labels = 8;
constexpr int votes = 32;

__global__ void majority_kernel(const unsigned char* label, int* winner, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  int count[labels] = {};
#pragma unroll
  for (int k = 0; k < votes; ++k) ++count[label[k * rows + row]];
  int best = 0;
  for (int c = 1; c < labels; ++c)
    if (count[c] > count[best]) best = c;
  winner[row] = best;
}

void majority(const unsigned char* label, int* winner, int rows) {
  if (rows == 0) return;
  majority_kernel<<<(rows + threads - 1) / threads, threads>>>(label, winner, rows);
}

// unconventional: profiles/6-majority
// Counts in shared memory, one column of words per thread: no bank is shared by two lanes.
constexpr int threads = 128;
constexpr int labels = 8;
constexpr int votes = 32;

__global__ void majority_kernel(const unsigned char* label, int* winner, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  __shared__ unsigned char count[labels][threads];
  for (int c = 0; c < labels; ++c) count[c][threadIdx.x] = 0;
  for (int k = 0; k < votes; ++k) ++count[label[k * rows + row]][threadIdx.x];
  int best = 0;
  for (int c = 1; c < labels; ++c)
    if (count[c][threadIdx.x] > count[best][threadIdx.x]) best = c;
  winner[row] = best;
}

void majority(const unsigned char* label, int* winner, int rows) {
  if (rows == 0) return;
  majority_kernel<<<(rows + threads - 1) / threads, threads>>>(label, winner, rows);
}

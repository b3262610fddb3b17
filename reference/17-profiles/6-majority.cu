// The most frequent of 8 labels in each row of 32 votes. The eight counts are the bytes of one
// 64-bit register, where an array with a computed index would lie in memory. Bound by L2
// and DRAM bandwidth.
constexpr int threads = 128;
constexpr int labels = 8;
constexpr int votes = 32;

__global__ void majority_kernel(const unsigned char* label, int* winner, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  unsigned long long counts = 0;
  for (int k = 0; k < votes; ++k) counts += 1ull << (8 * label[k * rows + row]);
  int best = 0, most = counts & 0xff;
  for (int c = 1; c < labels; ++c) {
    const int count = (counts >> (8 * c)) & 0xff;
    if (count > most) {
      most = count;
      best = c;
    }
  }
  winner[row] = best;
}

void majority(const unsigned char* label, int* winner, int rows) {
  if (rows == 0) return;
  majority_kernel<<<(rows + threads - 1) / threads, threads>>>(label, winner, rows);
}

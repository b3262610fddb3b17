// unconventional: privatisation/5-runs
// A thread takes 64 consecutive bytes, so that runs last longer; the run is a lambda's captured state.
__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  extern __shared__ unsigned mine[];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  unsigned value = 256, length = 0;
  const auto take = [&](unsigned next) {
    if (next != value) {
      if (length) atomicAdd(mine + value, length);
      value = next, length = 0;
    }
    ++length;
  };
  const int stride = gridDim.x * blockDim.x * 64;
  for (int at = (blockIdx.x * blockDim.x + threadIdx.x) * 64; at < n; at += stride)
    if (at + 64 <= n) {
      for (int q = 0; q < 4; ++q) {
        const uint4 w = reinterpret_cast<const uint4*>(data + at)[q];
        for (unsigned word : {w.x, w.y, w.z, w.w})
          for (int k = 0; k < 4; ++k) take(__byte_perm(word, 0, 0x4440 + k));
      }
    } else {
      for (int i = at; i < n; ++i) take(data[i]);
    }
  if (length) atomicAdd(mine + value, length);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    if (mine[b]) atomicAdd(bins + b, int(mine[b]));
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n > 0) histogram_kernel<<<min(528, (n + 8191) / 8192), 128, 1024>>>(data, bins, n);
}

// lazy: privatisation/1-global
// expect: gate atomics >= n / 1024
// One thread per bin reads all bytes and counts its own: right without an atomic, and 256 times the
// loads.
constexpr int threads = 256;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  int count = 0;
  for (int i = 0; i < n; ++i) count += data[i] == threadIdx.x;
  bins[threadIdx.x] = count;
}

void histogram(const unsigned char* data, int* bins, int n) {
  histogram_kernel<<<1, threads>>>(data, bins, n);
}

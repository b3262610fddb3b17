// unconventional: reduce/1-global-modulo
// Four segments per block of 1024 threads; a second launch for the rest.
__global__ void k(float* data, float* partials) {
  const int t = threadIdx.x % 256;
  const long long seg = 4ll * blockIdx.x + threadIdx.x / 256;
  float* mine = data + seg * 256;
  for (int s = 1; s < 256; s *= 2) {
    if (t % (2 * s) == 0) mine[t] += mine[t + s];
    __syncthreads();
  }
  if (t == 0) partials[seg] = mine[0];
}
__global__ void rest(float* data, float* partials, int first) {
  const int t = threadIdx.x;
  float* mine = data + (first + blockIdx.x) * 256;
  for (int s = 1; s < 256; s *= 2) {
    if (t % (2 * s) == 0) mine[t] += mine[t + s];
    __syncthreads();
  }
  if (t == 0) partials[first + blockIdx.x] = mine[0];
}
void reduce(float* data, float* partials, int n) {
  const int segments = n / 256, fours = segments / 4;
  if (fours) k<<<fours, 1024>>>(data, partials);
  if (segments % 4) rest<<<segments % 4, 256>>>(data, partials, 4 * fours);
}

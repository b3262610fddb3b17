// unconventional: reduce/3-dynamic
// The array is declared as bytes at file scope; a template is launched by cudaLaunchKernel.
extern __shared__ unsigned char raw[];
template <class T>
__global__ void k(const T* in, T* partials, int n) {
  T* s = reinterpret_cast<T*>(raw);
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : T();
  s[threadIdx.x + 128] = i + 128 < n ? in[i + 128] : T();
  for (int d = 128; d; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = s[0];
}
void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  void* args[] = {&in, &partials, &n};
  cudaLaunchKernel((const void*)k<float>, dim3((n + 255) / 256), dim3(128), args, 1024, 0);
}

// expect: timeout
// Types that double at every step.
template <class A, class B> struct Pair { A a; B b; };
template <int N, class T> struct Grow { using type = typename Grow<N - 1, Pair<Pair<T, int>, Pair<T, char>>>::type; };
template <class T> struct Grow<0, T> { using type = T; };
__device__ Grow<40, int>::type huge;
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = s[0];
}
void reduce(const float* in, float* partials, int n) { reduce_kernel<<<(n + 255) / 256, 256>>>(in, partials, n); }

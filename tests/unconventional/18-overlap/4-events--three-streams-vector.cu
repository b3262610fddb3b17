// unconventional: overlap/4-events
// Three streams and three events, in lists on the host.
#include <vector>
__global__ void scale_kernel(const float* x, float* s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[i] = 0.5f * x[i];
}
__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int first, int last, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = first; k < last; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}
__global__ void product_kernel(const float* l, const float* r, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = l[i] * r[i];
}
void diamond(const float* x, float* y, const float* amplitude, int tones, float* scaled, float* left,
             float* right, int n) {
  if (!n) return;
  const int b = (n + 63) / 64;
  std::vector<cudaStream_t> s(3);
  std::vector<cudaEvent_t> e(3);
  for (auto& q : s) cudaStreamCreateWithFlags(&q, cudaStreamNonBlocking);
  for (auto& q : e) cudaEventCreate(&q);
  scale_kernel<<<b, 64, 0, s[0]>>>(x, scaled, n);
  cudaEventRecord(e[0], s[0]);
  for (int k = 1; k < 3; ++k) {
    cudaStreamWaitEvent(s[k], e[0], 0);
    tones_kernel<<<b, 64, 0, s[k]>>>(scaled, k == 1 ? left : right, amplitude, k == 1 ? 0 : tones / 2,
                                     k == 1 ? tones / 2 : tones, n);
    cudaEventRecord(e[k], s[k]);
    cudaStreamWaitEvent(s[0], e[k], 0);
  }
  product_kernel<<<b, 64, 0, s[0]>>>(left, right, y, n);
  cudaStreamSynchronize(s[0]);
  for (auto q : s) cudaStreamDestroy(q);
  for (auto q : e) cudaEventDestroy(q);
}

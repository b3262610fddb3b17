// alignas with a type and with a number, on structs, shared memory and local arrays.
#include <cstdio>

struct alignas(16) Quad {
  float x, y, z, w;
};
struct alignas(double) Two {
  int a, b;
};

__global__ void compute(Quad* q, int n) {
  __shared__ alignas(float4) float s[64];
  __shared__ alignas(16) Quad r[4];
  alignas(Quad) float local[4] = {1, 2, 3, 4};
  const int t = threadIdx.x;
  s[t] = t;
  if (t < 4) r[t] = q[t];
  __syncthreads();
  const float4 v = reinterpret_cast<float4*>(s)[t % 16];
  if (t < n) q[t] = {v.x + local[0], v.y + local[1], r[t % 4].z, v.w};
}

int main() {
  Quad* q;
  cudaMallocManaged(&q, 16 * sizeof(Quad));
  for (int i = 0; i < 16; ++i) q[i] = {0, 0, float(i), 0};
  compute<<<1, 64>>>(q, 16);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", int(alignof(Quad)), int(alignof(Two)), int(sizeof(Two)));
  printf("%g %g %g %g\n", q[5].x, q[5].y, q[5].z, q[5].w);
  cudaFree(q);
}

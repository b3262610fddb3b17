// Wrong memory: a structure is copied to the device with the host's pointer still in it.
#include <cstdio>
#include <vector>

struct Vector {
  float* data;
  int n;
};

__global__ void scale(Vector* v, float by) {
  int i = threadIdx.x;
  if (i < v->n) v->data[i] *= by;  // expect: wrong_space // fix: if (i < v->n) v->data[i] *= by;
}

int main() {
  const int n = 64;
  std::vector<float> h(n, 2.0f);
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  cudaMemcpy(data, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  Vector v{h.data(), n};  // fix: Vector v{data, n};
  Vector* d;
  cudaMalloc(&d, sizeof v);
  cudaMemcpy(d, &v, sizeof v, cudaMemcpyHostToDevice);
  scale<<<1, 64>>>(d, 3.0f);
  cudaMemcpy(h.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[n - 1]);
  cudaFree(d);
  cudaFree(data);
}

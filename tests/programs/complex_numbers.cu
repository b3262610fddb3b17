// Complex numbers in kernels: cuComplex, and thrust::complex through a Fourier transform there and back.
#include <cstdio>
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <thrust/complex.h>
#include <vector>

using Complex = thrust::complex<double>;
constexpr int n = 64, bits = 6;

__global__ void transform(Complex* x, int sign) {
  __shared__ Complex s[n];
  const int t = threadIdx.x;
  for (int i : {t, t + n / 2}) s[__brev(i) >> (32 - bits)] = x[i];
  __syncthreads();
  for (int length = 2; length <= n; length *= 2) {
    const int half = length / 2, k = t % half, i = t / half * length + k;
    const Complex turn = thrust::polar(1.0, sign * 2 * 3.14159265358979323846 * k / length);
    const Complex a = s[i], b = turn * s[i + half];
    s[i] = a + b, s[i + half] = a - b;
    __syncthreads();
  }
  for (int i : {t, t + n / 2}) x[i] = sign > 0 ? s[i] / Complex(n) : s[i];
}

__global__ void rotate(cuFloatComplex* z) { *z = cuCdivf(cuCmulf(*z, make_cuFloatComplex(0, 2)), make_cuFloatComplex(2, 0)); }

int main() {
  std::vector<Complex> x(n);
  for (int i = 0; i < n; ++i) x[i] = Complex(i % 8 == 0, i % 16 == 0 ? 0.5 : 0);
  Complex* d;
  cudaMalloc(&d, n * sizeof(Complex));
  cudaMemcpy(d, x.data(), n * sizeof(Complex), cudaMemcpyHostToDevice);
  transform<<<1, n / 2>>>(d, -1);
  std::vector<Complex> seen(n);
  cudaMemcpy(seen.data(), d, n * sizeof(Complex), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 13; i += 4) printf("%.3f %.3f  ", seen[i].real(), seen[i].imag());
  transform<<<1, n / 2>>>(d, 1);
  cudaMemcpy(seen.data(), d, n * sizeof(Complex), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int i = 0; i < n; ++i) worst = fmax(worst, thrust::abs(seen[i] - x[i]));
  printf("\n%s\n", worst < 1e-12 ? "back again" : "lost");
  const Complex z(3, 4);
  printf("%.4f %.4f %.4f\n", thrust::abs(z), thrust::norm(z), thrust::arg(thrust::conj(z)));
  const Complex root = thrust::sqrt(z), e = thrust::exp(Complex(0, 1)), power = thrust::pow(z, 2.0);
  printf("%.4f %.4f  %.4f %.4f  %.4f %.4f\n", root.real(), root.imag(), e.real(), e.imag(), power.real(), power.imag());

  cuFloatComplex c = make_cuFloatComplex(3, 4), *dc;
  cudaMalloc(&dc, sizeof c);
  cudaMemcpy(dc, &c, sizeof c, cudaMemcpyHostToDevice);
  rotate<<<1, 1>>>(dc);
  cudaMemcpy(&c, dc, sizeof c, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", cuCrealf(c), cuCimagf(c), cuCabsf(c));
  cudaFree(d);
  cudaFree(dc);
}

// unconventional: first-launch/7-checked
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

class Pool {
 public:
  Pool(size_t bytes) { error_ = cudaMalloc(&at_, bytes); }
  ~Pool() {
    if (at_) cudaFree(at_);
  }
  operator float*() { return at_; }
  cudaError_t error() const { return error_; }

 private:
  float* at_ = nullptr;
  cudaError_t error_;
};

int saxpy(float a, const float* x, float* y, int n, int threads, int arrays) {
  if (n == 0) return 0;
  const size_t bytes = sizeof(float) * n;
  Pool pool(bytes * arrays);
  cudaError_t e = pool.error();
  float* dx = pool;
  float* dy = dx + n;
  const auto then = [&](auto&& step) {
    if (e == cudaSuccess) e = step();
  };
  then([&] { return cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice); });
  then([&] { return cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice); });
  then([&] {
    const int blocks = threads > 0 ? (n + threads - 1) / threads : 1;
    saxpy_kernel<<<blocks, threads>>>(a, dx, dy, n);
    return cudaPeekAtLastError();
  });
  then([&] { return cudaDeviceSynchronize(); });
  then([&] { return cudaMemcpy(y, dy, bytes, cudaMemcpyDeviceToHost); });
  cudaGetLastError();
  return e;
}

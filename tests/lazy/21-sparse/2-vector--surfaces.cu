// lazy: sparse/2-vector
// expect: gate time_us <= 1.6 * reference(self)
// A thread per row, which reads its products through a surface.
constexpr int threads = 128;

// A first launch writes the products into a surface. A thread per row then reads them there.
__global__ void product_kernel(const int* row_start, const int* col, const float* value, const float* x,
                               cudaSurfaceObject_t products, int rows) {
  const int nonzeros = row_start[rows];
  const int k = blockIdx.x * threads + threadIdx.x;
  if (k < nonzeros) surf2Dwrite(value[k] * x[col[k]], products, k % 4096 * 4, k / 4096);
}

__global__ void spmv_kernel(const int* row_start, cudaSurfaceObject_t products, float* y, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row]; k < end; ++k) sum += surf2Dread<float>(products, k % 4096 * 4, k / 4096);
  y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows) {
  if (rows == 0) return;
  const int most = 64 * rows;
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 4096, most / 4096 + 1, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t products;
  cudaCreateSurfaceObject(&products, &resource);
  product_kernel<<<(most + threads - 1) / threads, threads>>>(row_start, col, value, x, products, rows);
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(row_start, products, y, rows);
  cudaDestroySurfaceObject(products);
  cudaFreeArray(array);
}

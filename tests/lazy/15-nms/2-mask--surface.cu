// lazy: nms/2-mask
// expect: gate default: surface_reads <= 2 * reference(self) + 64
// A first kernel writes the boxes to a surface. Then each thread reads every box from there.
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }

__device__ bool overlap(float4 a, float4 b) {
  const float w = fmaxf(0.0f, fminf(a.z, b.z) - fmaxf(a.x, b.x));
  const float h = fmaxf(0.0f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  const float inter = w * h;
  return inter > 0.5f * (area(a) + area(b) - inter);
}

__global__ void fill_kernel(const float4* boxes, cudaSurfaceObject_t surface, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) surf2Dwrite(boxes[i], surface, (i % 64) * 16, i / 64);
}

__global__ void mask_kernel(cudaSurfaceObject_t surface, unsigned long long* mask, int n,
                            int words) {
  const int i = blockIdx.y * 64 + threadIdx.x;
  const int first = blockIdx.x * 64;
  if (i >= n) return;
  const float4 mine = surf2Dread<float4>(surface, (i % 64) * 16, i / 64);
  unsigned long long word = 0;
  for (int c = 0; c < 64 && first + c < n; ++c) {
    const float4 other = surf2Dread<float4>(surface, c * 16, blockIdx.x);
    if (first + c > i && overlap(mine, other)) word |= 1ull << c;
  }
  mask[size_t(i) * words + blockIdx.x] = word;
}

void masks(const float4* boxes, unsigned long long* mask, int n) {
  if (n == 0) return;
  const int words = (n + 63) / 64;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 64, words, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  fill_kernel<<<(n + 255) / 256, 256>>>(boxes, surface, n);
  mask_kernel<<<dim3(words, words), 64>>>(surface, mask, n, words);
  cudaDeviceSynchronize();
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
}

// lazy: textures/3-linear
// expect: gate default: surface_reads <= 2 * reference(self) + 64
// One pixel by a point fetch, three by reads of a surface, and the weights by hand.
__global__ void resize_kernel(cudaTextureObject_t image, cudaSurfaceObject_t s, float* out, int nw, int nh,
                              float sx, float sy) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nw || y >= nh) return;
  const float fx = (x + 0.5f) * sx - 0.5f, fy = (y + 0.5f) * sy - 0.5f;
  const int ix = floorf(fx), iy = floorf(fy);
  const float ax = fx - ix, ay = fy - iy;
  const auto at = [&](int px, int py) { return surf2Dread<float>(s, px * 4, py, cudaBoundaryModeClamp); };
  const float corner = tex2D<float>(image, ix + 0.5f, iy + 0.5f);
  out[y * nw + x] = (1 - ay) * ((1 - ax) * corner + ax * at(ix + 1, iy)) +
                    ay * ((1 - ax) * at(ix, iy + 1) + ax * at(ix + 1, iy + 1));
}
void resize(const float* in, float* out, int w, int h, int nw, int nh) {
  if (nw == 0 || nh == 0) return;
  cudaArray_t p;
  const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaMallocArray(&p, &f, w, h, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(p, 0, 0, in, w * 4, w * 4, h, cudaMemcpyDeviceToDevice);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = p;
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
  sampler.filterMode = cudaFilterModePoint;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &r, &sampler, nullptr);
  cudaSurfaceObject_t s;
  cudaCreateSurfaceObject(&s, &r);
  resize_kernel<<<dim3((nw + 31) / 32, (nh + 7) / 8), dim3(32, 8)>>>(image, s, out, nw, nh, float(w) / nw,
                                                                     float(h) / nh);
  cudaDestroySurfaceObject(s);
  cudaDestroyTextureObject(image);
  cudaFreeArray(p);
}

// unconventional: roofline/1-intensity
// Shapes as int4, arithmetic in double, blocks of one warp.
__global__ void k(const int4* s, float2* out, int count, float gf, float gb) {
  for (int i = blockIdx.x * 32 + threadIdx.x; i < count; i += gridDim.x * 32) {
    const int4 v = s[i];
    const double r = v.x, d = v.y, c = v.z;
    const float x = float(2.0 * r * d * c / (v.w * (r * d + d * c + r * c)));
    out[i] = {x, fminf(gf, x * gb)};
  }
}
struct Shape {
  int rows, depth, cols, bytes;
};
void intensities(const Shape* shapes, float2* out, int count, float gf, float gb) {
  if (count) k<<<(count + 31) / 32, 32>>>(reinterpret_cast<const int4*>(shapes), out, count, gf, gb);
}

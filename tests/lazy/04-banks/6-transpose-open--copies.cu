// lazy: banks/6-transpose-open
// expect: gate min(shared_load_lane_bytes, shared_store_lane_bytes) >= 4 * rows * cols
void transpose(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    cudaMemcpy2D(out + r, rows * sizeof(float), in + r * cols, sizeof(float), sizeof(float), cols,
                 cudaMemcpyDeviceToDevice);
  }
}

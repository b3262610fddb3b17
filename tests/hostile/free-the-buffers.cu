// expect: finding
// Frees what is not its own.
void reduce(const float* in, float* partials, int n) {
  cudaFree((void*)in); cudaFree(partials); cudaFree((void*)(in + 3));
}
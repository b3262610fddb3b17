// expect: timeout
// Events without end.
void reduce(const float* in, float* partials, int n) {
  for (;;) { cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e); }
}
// expect: timeout
// A graph of two thousand tiny kernels, launched again and again: few calls, and many kernels.
__global__ void k(const float* in, float* partials) { partials[0] = in[0]; }
void reduce(const float* in, float* partials, int n) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t g;
  cudaGraphExec_t e;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < 2000; ++i) k<<<1, 1, 0, s>>>(in, partials);
  cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&e, g, 0);
  for (int i = 0; i < 100000; ++i) cudaGraphLaunch(e, s);
  cudaStreamSynchronize(s);
}

// cuDNN beside the convolution and softmax labs. Softmax in instance mode: channel mode's backward collapses
// from 1024 columns up (measured on an H100: 5 GB/s).
#include <cudnn.h>

#include "common.cuh"

namespace baselines {
namespace {

cudnnHandle_t handle(cudaStream_t s) {
  static cudnnHandle_t h = [] {
    cudnnHandle_t made = nullptr;
    cudnnCreate(&made);
    return made;
  }();
  cudnnSetStream(h, s);
  return h;
}

struct Tensor {
  cudnnTensorDescriptor_t d;
  Tensor(cudnnTensorFormat_t f, cudnnDataType_t t, int n, int c, int h, int w) {
    cudnnCreateTensorDescriptor(&d);
    cudnnSetTensor4dDescriptor(d, f, t, n, c, h, w);
  }
  ~Tensor() { cudnnDestroyTensorDescriptor(d); }
};

int softmax(const DojoBaselineCall* c, cudnnSoftmaxAlgorithm_t algorithm, char* text, int bytes) {
  Tensor x(CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, int(size_of(*c, "rows")), int(size_of(*c, "cols")), 1, 1);
  const float one = 1, zero = 0;
  const int e = cudnnSoftmaxForward(handle(stream(*c)), algorithm, CUDNN_SOFTMAX_MODE_INSTANCE, &one, x.d,
                                    buffer<void>(*c, 0), &zero, x.d, buffer<void>(*c, 1));
  return e ? fail(text, bytes, "cudnnSoftmaxForward", e) : 0;
}

}  // namespace

int cudnn_softmax(const DojoBaselineCall* c, char* text, int bytes) {
  return softmax(c, CUDNN_SOFTMAX_ACCURATE, text, bytes);
}

int cudnn_log_softmax(const DojoBaselineCall* c, char* text, int bytes) {
  return softmax(c, CUDNN_SOFTMAX_LOG, text, bytes);
}

int cudnn_softmax_backward(const DojoBaselineCall* c, char* text, int bytes) {
  Tensor x(CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, int(size_of(*c, "rows")), int(size_of(*c, "cols")), 1, 1);
  const float one = 1, zero = 0;
  const int e =
      cudnnSoftmaxBackward(handle(stream(*c)), CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, &one, x.d,
                           buffer<void>(*c, 0), x.d, buffer<void>(*c, 1), &zero, x.d, buffer<void>(*c, 2));
  return e ? fail(text, bytes, "cudnnSoftmaxBackward", e) : 0;
}

int cudnn_conv2d(const DojoBaselineCall* c, char* text, int bytes) {
  auto s = [&](const char* name) { return int(size_of(*c, name)); };
  const int N = s("n"), C = s("c"), K = s("k"), H = s("h"), W = s("w"), R = s("r"), S = s("s");
  Tensor in(CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W);
  Tensor out(CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, K, H - R + 1, W - S + 1);
  cudnnFilterDescriptor_t filter;
  cudnnConvolutionDescriptor_t convolution;
  cudnnCreateFilterDescriptor(&filter);
  cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, R, S);
  cudnnCreateConvolutionDescriptor(&convolution);
  cudnnSetConvolution2dDescriptor(convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
  cudnnSetConvolutionMathType(convolution, CUDNN_FMA_MATH);
  cudnnConvolutionFwdAlgoPerf_t best[8];
  int found = 0;
  cudnnHandle_t h = handle(stream(*c));
  int e = cudnnGetConvolutionForwardAlgorithm_v7(h, in.d, filter, convolution, out.d, 8, &found, best);
  size_t need = 0;
  if (!e && found)
    e = cudnnGetConvolutionForwardWorkspaceSize(h, in.d, filter, convolution, out.d, best[0].algo, &need);
  void* memory = scratch(need ? need : 256);
  const float one = 1, zero = 0;
  if (!e && found && memory)
    e = cudnnConvolutionForward(h, &one, in.d, buffer<void>(*c, 0), filter, buffer<void>(*c, 1), convolution,
                                best[0].algo, memory, need, &zero, out.d, buffer<void>(*c, 2));
  cudnnDestroyFilterDescriptor(filter);
  cudnnDestroyConvolutionDescriptor(convolution);
  return e ? fail(text, bytes, "cudnnConvolutionForward", e) : 0;
}

}  // namespace baselines

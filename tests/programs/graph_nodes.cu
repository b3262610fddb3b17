// Nodes of a graph that are made one by one: copies of rows, host functions; graphs that are cloned and
// changed.
#include <cstdio>

__global__ void scale(float* x, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

void count(void* calls) { ++*static_cast<int*>(calls); }

int main() {
  const int rows = 3, columns = 5;
  float host[rows * columns], back[rows * columns] = {};
  for (int i = 0; i < rows * columns; ++i) host[i] = i;
  float* x;
  size_t pitch;
  cudaMallocPitch(&x, &pitch, columns * sizeof(float), rows);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);

  cudaMemcpy3DParms in = {0};
  in.srcPtr = make_cudaPitchedPtr(host, columns * sizeof(float), columns * sizeof(float), rows);
  in.dstPtr = make_cudaPitchedPtr(x, pitch, columns * sizeof(float), rows);
  in.extent = make_cudaExtent(columns * sizeof(float), rows, 1);
  in.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3DParms out = in;
  out.srcPtr = in.dstPtr;
  out.dstPtr = make_cudaPitchedPtr(back, columns * sizeof(float), columns * sizeof(float), rows);
  out.kind = cudaMemcpyDeviceToHost;

  int n = columns, calls = 0;
  float by = 10;
  void* arguments[] = {&x, &n, &by};
  cudaKernelNodeParams kernel = {0};
  kernel.func = (void*)scale;
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(32);
  kernel.kernelParams = arguments;
  cudaHostNodeParams function = {0};
  function.fn = count;
  function.userData = &calls;

  cudaGraphNode_t first, second, third, fourth;
  cudaGraphAddMemcpyNode(&first, graph, nullptr, 0, &in);
  cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel);
  cudaGraphAddMemcpyNode(&third, graph, &second, 1, &out);
  cudaGraphAddHostNode(&fourth, graph, &third, 1, &function);
  cudaGraphNodeType type;
  cudaGraphNodeGetType(fourth, &type);
  printf("%s\n", type == cudaGraphNodeTypeHost ? "a host node" : "another node");

  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  printf("%g %g %g, %d call\n", back[1], back[4], back[5], calls);

  by = 3;  // arguments are taken when the node is set
  cudaGraphExecKernelNodeSetParams(exec, second, &kernel);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  printf("%g %g %g, %d calls\n", back[1], back[4], back[5], calls);

  cudaGraph_t copy;
  cudaGraphClone(&copy, graph);  // with the first argument: only the executable graph was changed
  cudaGraphExecUpdateResultInfo info;
  printf("%s\n", cudaGetErrorName(cudaGraphExecUpdate(exec, copy, &info)));
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  printf("%g %g %g, %d calls\n", back[1], back[4], back[5], calls);

  cudaGraphNode_t more;
  cudaGraphAddEmptyNode(&more, copy, nullptr, 0);
  const cudaError_t changed = cudaGraphExecUpdate(exec, copy, &info);
  printf("%s, %s\n", cudaGetErrorName(changed),
         info.result == cudaGraphExecUpdateErrorTopologyChanged ? "another shape" : "something else");
  cudaGetLastError();

  // Fills with elements of 4 bytes in rows, and of 2 bytes.
  cudaGraph_t fills;
  cudaGraphCreate(&fills, 0);
  cudaMemsetParams all = {0}, part = {0};
  all.dst = x, all.pitch = pitch, all.value = 0x3fc00000, all.elementSize = 4;  // 1.5f
  all.width = columns, all.height = rows;
  part.dst = x, part.value = 0x4040, part.elementSize = 2, part.width = 2, part.height = 1;
  cudaGraphAddMemsetNode(&first, fills, nullptr, 0, &all);
  cudaGraphAddMemsetNode(&second, fills, &first, 1, &part);
  cudaGraphAddMemcpyNode(&third, fills, &second, 1, &out);
  cudaGraphExec_t filled;
  cudaGraphInstantiate(&filled, fills, 0);
  cudaGraphLaunch(filled, s);
  cudaStreamSynchronize(s);
  printf("%g %g %g\n", back[0], back[1], back[rows * columns - 1]);
  all.elementSize = 3;
  printf("%s\n", cudaGetErrorName(cudaGraphMemsetNodeSetParams(first, &all)));
  cudaGetLastError();
  cudaGraphExecDestroy(filled);
  cudaGraphDestroy(fills);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(copy);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
  cudaFree(x);
}

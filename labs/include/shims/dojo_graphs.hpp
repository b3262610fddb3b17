// CUDA graphs: capture, graphs, nodes. Part of dojo_pre.hpp. (NVRTC declares cudaGraphLaunch and
// cudaGraphSetConditional by itself: a kernel may call them.)
#pragma once
CUDARTAPI_DOJO cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
CUDARTAPI_DOJO cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
CUDARTAPI_DOJO cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status);
CUDARTAPI_DOJO cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
CUDARTAPI_DOJO cudaError_t cudaGraphDestroy(cudaGraph_t graph);
CUDARTAPI_DOJO cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
CUDARTAPI_DOJO cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags);
CUDARTAPI_DOJO cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* after, size_t count,
                                                  const struct cudaKernelNodeParams* params);
CUDARTAPI_DOJO cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* after, size_t count, void* dst,
                                                    const void* src, size_t bytes, enum cudaMemcpyKind kind);
CUDARTAPI_DOJO cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* after, size_t count,
                                                  const struct cudaMemsetParams* params);
CUDARTAPI_DOJO cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* after, size_t count);
CUDARTAPI_DOJO cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* after, size_t count,
                                                    struct cudaMemAllocNodeParams* params);
CUDARTAPI_DOJO cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                   const cudaGraphNode_t* after, size_t count, void* memory);
CUDARTAPI_DOJO cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
CUDARTAPI_DOJO cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* after, size_t count,
                                                  const struct cudaMemcpy3DParms* params);
CUDARTAPI_DOJO cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* after, size_t count,
                                                const struct cudaHostNodeParams* params);
CUDARTAPI_DOJO cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
CUDARTAPI_DOJO cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                               struct cudaGraphExecUpdateResultInfo_st* result);
CUDARTAPI_DOJO cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType* type);
CUDARTAPI_DOJO cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                        const struct cudaKernelNodeParams* params);
CUDARTAPI_DOJO cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                            const struct cudaKernelNodeParams* params);
extern "C" __device__ cudaError_t __dojo_GraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph);
DOJO_CALL cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                               unsigned long long flags = 0) {
  (void)flags;
  return __dojo_GraphInstantiate(exec, graph);
}
DOJO_CALL cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                        unsigned long long flags = 0) {
  (void)flags;
  return __dojo_GraphInstantiate(exec, graph);
}
DOJO_CALL cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                         cudaGraphInstantiateParams* params) {
  const cudaError_t status = __dojo_GraphInstantiate(exec, graph);
  params->errNode_out = 0;
  params->result_out = status == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return status;
}
CUDARTAPI_DOJO cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* file, unsigned int flags);
// As before CUDA 12.
DOJO_CALL cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error,
                                               char* log, size_t bytes) {
  (void)error, (void)log, (void)bytes;
  return __dojo_GraphInstantiate(exec, graph);
}
extern "C" __device__ cudaError_t __dojo_GraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                              const cudaGraphNode_t* to, size_t count);
DOJO_CALL cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, size_t count) {
  return __dojo_GraphAddDependencies(graph, from, to, count);
}
DOJO_CALL cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                                   size_t count) {
  return __dojo_GraphAddDependencies(graph, from, to, count);
}

// Nodes of any type.
extern "C" __device__ cudaError_t __dojo_GraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                      const cudaGraphNode_t* after, size_t count,
                                                      struct cudaGraphNodeParams* params);
DOJO_CALL cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       const cudaGraphEdgeData*, size_t count, struct cudaGraphNodeParams* params) {
  return __dojo_GraphAddNode(node, graph, after, count, params);
}
// As before CUDA 13.
DOJO_CALL cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, struct cudaGraphNodeParams* params) {
  return __dojo_GraphAddNode(node, graph, after, count, params);
}
CUDARTAPI_DOJO cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                      const cudaGraphNode_t* after, size_t count, cudaGraph_t child);
CUDARTAPI_DOJO cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph);
CUDARTAPI_DOJO cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                       const cudaGraphNode_t* after, size_t count, cudaEvent_t event);
CUDARTAPI_DOJO cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                     const cudaGraphNode_t* after, size_t count, cudaEvent_t event);
CUDARTAPI_DOJO cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams* params);
CUDARTAPI_DOJO cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms* params);
CUDARTAPI_DOJO cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* dst, const void* src,
                                                          size_t bytes, enum cudaMemcpyKind kind);
CUDARTAPI_DOJO cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams* params);
CUDARTAPI_DOJO cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams* params);
CUDARTAPI_DOJO cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      struct cudaGraphNodeParams* params);
CUDARTAPI_DOJO cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                            const struct cudaMemcpy3DParms* params);
CUDARTAPI_DOJO cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* dst,
                                                              const void* src, size_t bytes,
                                                              enum cudaMemcpyKind kind);
CUDARTAPI_DOJO cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                            const struct cudaMemsetParams* params);
CUDARTAPI_DOJO cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                          const struct cudaHostNodeParams* params);

// Conditions, and what they are captured with.
extern "C" __device__ cudaError_t __dojo_GraphConditionalHandleCreate(cudaGraphConditionalHandle* handle,
                                                                      cudaGraph_t graph, unsigned int at_launch,
                                                                      unsigned int flags);
DOJO_CALL cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                                       unsigned int at_launch = 0, unsigned int flags = 0) {
  return __dojo_GraphConditionalHandleCreate(handle, graph, at_launch, flags);
}
extern "C" __device__ cudaError_t __dojo_StreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                                   const cudaGraphNode_t* after, size_t count,
                                                                   int mode);
DOJO_CALL cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                    const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                                    size_t count, enum cudaStreamCaptureMode mode) {
  return __dojo_StreamBeginCaptureToGraph(stream, graph, after, count, mode);
}
extern "C" __device__ cudaError_t __dojo_StreamGetCaptureInfo(cudaStream_t stream, void* status, void* number,
                                                              void* graph, void* after, void* edges, void* count);
DOJO_CALL cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                               unsigned long long* number = 0, cudaGraph_t* graph = 0,
                                               const cudaGraphNode_t** after = 0,
                                               const cudaGraphEdgeData** edges = 0, size_t* count = 0) {
  return __dojo_StreamGetCaptureInfo(stream, status, number, graph, (void*)after, (void*)edges, count);
}
// As before CUDA 13.
DOJO_CALL cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                                  unsigned long long* number = 0, cudaGraph_t* graph = 0,
                                                  const cudaGraphNode_t** after = 0, size_t* count = 0) {
  return __dojo_StreamGetCaptureInfo(stream, status, number, graph, (void*)after, (void*)0, count);
}
extern "C" __device__ cudaError_t __dojo_StreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                                         size_t count, unsigned int flags);
DOJO_CALL cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                          const cudaGraphEdgeData*, size_t count,
                                                          unsigned int flags = 0) {
  return __dojo_StreamUpdateCaptureDependencies(stream, nodes, count, flags);
}
// As before CUDA 13.
DOJO_CALL cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count,
                                                          unsigned int flags = 0) {
  return __dojo_StreamUpdateCaptureDependencies(stream, nodes, count, flags);
}

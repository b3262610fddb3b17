// CUDA graphs.
#include <cuda_runtime_api.h>

#include "exec/face.hpp"

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode mode)
    WARPDOJO_CALL("cudaStreamBeginCapture", "cudaStreamBeginCapture", s, mode);
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* graph)
    WARPDOJO_CALL("cudaStreamEndCapture", "cudaStreamEndCapture", s, graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status)
    WARPDOJO_CALL("cudaStreamIsCapturing", "cudaStreamIsCapturing", s, status);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long)
    WARPDOJO_CALL("__dojo_GraphInstantiate", "cudaGraphInstantiate", exec, graph);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long)
    WARPDOJO_CALL("__dojo_GraphInstantiate", "cudaGraphInstantiateWithFlags", exec, graph);
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
  const void* returns_to = __builtin_return_address(0);
  const auto status =
      cudaError_t(WARPDOJO_ENTER("__dojo_GraphInstantiate", "cudaGraphInstantiateWithParams", exec, graph));
  params->errNode_out = nullptr;
  params->result_out = status ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
  return status;
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* file, unsigned flags)
    WARPDOJO_CALL("cudaGraphDebugDotPrint", "cudaGraphDebugDotPrint", graph, file, flags);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t s)
    WARPDOJO_CALL("cudaGraphUpload", "cudaGraphUpload", exec, s);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s)
    WARPDOJO_CALL("cudaGraphLaunch", "cudaGraphLaunch", exec, s);
cudaError_t cudaGraphDestroy(cudaGraph_t graph) WARPDOJO_CALL("cudaGraphDestroy", "cudaGraphDestroy", graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
    WARPDOJO_CALL("cudaGraphExecDestroy", "cudaGraphExecDestroy", exec);
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned)
    WARPDOJO_CALL("cudaGraphCreate", "cudaGraphCreate", graph);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaKernelNodeParams* params)
    WARPDOJO_CALL("cudaGraphAddKernelNode", "cudaGraphAddKernelNode", node, graph, after, count, params);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* dst, const void* src, size_t bytes,
                                     cudaMemcpyKind kind)
    WARPDOJO_CALL("cudaGraphAddMemcpyNode1D", "cudaGraphAddMemcpyNode1D", node, graph, after, count, dst, src,
                  bytes, kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemsetParams* params)
    WARPDOJO_CALL("cudaGraphAddMemsetNode", "cudaGraphAddMemsetNode", node, graph, after, count, params);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count)
    WARPDOJO_CALL("cudaGraphAddEmptyNode", "cudaGraphAddEmptyNode", node, graph, after, count);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* params)
    WARPDOJO_CALL("cudaGraphAddMemAllocNode", "cudaGraphAddMemAllocNode", node, graph, after, count, params);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* memory)
    WARPDOJO_CALL("cudaGraphAddMemFreeNode", "cudaGraphAddMemFreeNode", node, graph, after, count, memory);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType what, void* value)
    WARPDOJO_CALL("cudaDeviceGetGraphMemAttribute", "cudaDeviceGetGraphMemAttribute", device, what, value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType what, void* value)
    WARPDOJO_CALL("cudaDeviceSetGraphMemAttribute", "cudaDeviceSetGraphMemAttribute", device, what, value);
cudaError_t cudaDeviceGraphMemTrim(int device)
    WARPDOJO_CALL("cudaDeviceGraphMemTrim", "cudaDeviceGraphMemTrim", device);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count)
    WARPDOJO_CALL("__dojo_GraphAddDependencies", "cudaGraphAddDependencies", graph, from, to, count);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count)
    WARPDOJO_CALL("cudaGraphGetNodes", "cudaGraphGetNodes", graph, nodes, count);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemcpy3DParms* params)
    WARPDOJO_CALL("cudaGraphAddMemcpyNode", "cudaGraphAddMemcpyNode", node, graph, after, count, params);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 size_t count, const cudaHostNodeParams* params)
    WARPDOJO_CALL("cudaGraphAddHostNode", "cudaGraphAddHostNode", node, graph, after, count, params);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph)
    WARPDOJO_CALL("cudaGraphClone", "cudaGraphClone", clone, graph);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result)
    WARPDOJO_CALL("cudaGraphExecUpdate", "cudaGraphExecUpdate", exec, graph, result);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type)
    WARPDOJO_CALL("cudaGraphNodeGetType", "cudaGraphNodeGetType", node, type);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params)
    WARPDOJO_CALL("cudaGraphKernelNodeSetParams", "cudaGraphKernelNodeSetParams", node, params);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params)
    WARPDOJO_CALL("cudaGraphExecKernelNodeSetParams", "cudaGraphExecKernelNodeSetParams", exec, node, params);
}  // extern "C"

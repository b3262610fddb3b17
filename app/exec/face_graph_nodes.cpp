// CUDA graphs: nodes of every type, conditions, captures that are looked into.
#include <cuda_runtime_api.h>

#include "exec/face.hpp"

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* params)
    WARPDOJO_CALL("__dojo_GraphAddNode", "cudaGraphAddNode", node, graph, after, count, params);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child)
    WARPDOJO_CALL("cudaGraphAddChildGraphNode", "cudaGraphAddChildGraphNode", node, graph, after, count,
                  child);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph)
    WARPDOJO_CALL("cudaGraphChildGraphNodeGetGraph", "cudaGraphChildGraphNodeGetGraph", node, graph);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count, cudaEvent_t event)
    WARPDOJO_CALL("cudaGraphAddEventRecordNode", "cudaGraphAddEventRecordNode", node, graph, after, count,
                  event);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      size_t count, cudaEvent_t event)
    WARPDOJO_CALL("cudaGraphAddEventWaitNode", "cudaGraphAddEventWaitNode", node, graph, after, count, event);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params)
    WARPDOJO_CALL("cudaGraphNodeSetParams", "cudaGraphNodeSetParams", node, params);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* params)
    WARPDOJO_CALL("cudaGraphMemcpyNodeSetParams", "cudaGraphMemcpyNodeSetParams", node, params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind)
    WARPDOJO_CALL("cudaGraphMemcpyNodeSetParams1D", "cudaGraphMemcpyNodeSetParams1D", node, to, from, bytes,
                  kind);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* params)
    WARPDOJO_CALL("cudaGraphMemsetNodeSetParams", "cudaGraphMemsetNodeSetParams", node, params);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params)
    WARPDOJO_CALL("cudaGraphHostNodeSetParams", "cudaGraphHostNodeSetParams", node, params);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params)
    WARPDOJO_CALL("cudaGraphExecNodeSetParams", "cudaGraphExecNodeSetParams", exec, node, params);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* params)
    WARPDOJO_CALL("cudaGraphExecMemcpyNodeSetParams", "cudaGraphExecMemcpyNodeSetParams", exec, node, params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind)
    WARPDOJO_CALL("cudaGraphExecMemcpyNodeSetParams1D", "cudaGraphExecMemcpyNodeSetParams1D", exec, node, to,
                  from, bytes, kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* params)
    WARPDOJO_CALL("cudaGraphExecMemsetNodeSetParams", "cudaGraphExecMemsetNodeSetParams", exec, node, params);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* params)
    WARPDOJO_CALL("cudaGraphExecHostNodeSetParams", "cudaGraphExecHostNodeSetParams", exec, node, params);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned at_launch, unsigned flags)
    WARPDOJO_CALL("__dojo_GraphConditionalHandleCreate", "cudaGraphConditionalHandleCreate", handle, graph,
                  at_launch, flags);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData*, size_t count, cudaStreamCaptureMode mode)
    WARPDOJO_CALL("__dojo_StreamBeginCaptureToGraph", "cudaStreamBeginCaptureToGraph", s, graph, after, count,
                  mode);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus* status,
                                     unsigned long long* number, cudaGraph_t* graph,
                                     const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                     size_t* count)
    WARPDOJO_CALL("__dojo_StreamGetCaptureInfo", "cudaStreamGetCaptureInfo", s, status, number, graph, after,
                  edges, count);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData*, size_t count, unsigned flags)
    WARPDOJO_CALL("__dojo_StreamUpdateCaptureDependencies", "cudaStreamUpdateCaptureDependencies", s, nodes,
                  count, flags);
}  // extern "C"

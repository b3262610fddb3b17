// Streams and events.
#include <cuda_runtime_api.h>

#include "exec/face.hpp"

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* s) WARPDOJO_CALL("cudaStreamCreate", "cudaStreamCreate", s);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned flags)
    WARPDOJO_CALL("__cudaCDP2StreamCreateWithFlags", "cudaStreamCreateWithFlags", s, flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int priority)
    WARPDOJO_CALL("cudaStreamCreateWithPriority", "cudaStreamCreateWithPriority", s, flags, priority);
cudaError_t cudaStreamDestroy(cudaStream_t s)
    WARPDOJO_CALL("__cudaCDP2StreamDestroy", "cudaStreamDestroy", s);
cudaError_t cudaStreamSynchronize(cudaStream_t s)
    WARPDOJO_CALL("cudaStreamSynchronize", "cudaStreamSynchronize", s);
cudaError_t cudaStreamQuery(cudaStream_t s) WARPDOJO_CALL("cudaStreamQuery", "cudaStreamQuery", s);
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned)
    WARPDOJO_CALL("__cudaCDP2StreamWaitEvent", "cudaStreamWaitEvent", s, e);
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t function, void* data)
    WARPDOJO_CALL("cudaLaunchHostFunc", "cudaLaunchHostFunc", s, function, data);
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t function, void* data, unsigned) {
  const void* returns_to = __builtin_return_address(0);
  const auto status = cudaError_t(WARPDOJO_ENTER("cudaStreamSynchronize", "cudaStreamAddCallback", s));
  function(s, status, data);
  return status;
}
cudaError_t cudaStreamGetPriority(cudaStream_t s, int* priority)
    WARPDOJO_CALL("cudaStreamGetPriority", "cudaStreamGetPriority", s, priority);
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned* flags)
    WARPDOJO_CALL("cudaStreamGetFlags", "cudaStreamGetFlags", s, flags);
cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long* id)
    WARPDOJO_CALL("cudaStreamGetId", "cudaStreamGetId", s, id);
cudaError_t cudaStreamGetDevice(cudaStream_t s, int* device)
    WARPDOJO_CALL("cudaStreamGetDevice", "cudaStreamGetDevice", s, device);
cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value)
    WARPDOJO_CALL("cudaStreamSetAttribute", "cudaStreamSetAttribute", s, id, value);
cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value)
    WARPDOJO_CALL("cudaStreamGetAttribute", "cudaStreamGetAttribute", s, id, value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
    WARPDOJO_CALL("cudaStreamCopyAttributes", "cudaStreamCopyAttributes", to, from);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }
cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void* p, size_t bytes, unsigned flags)
    WARPDOJO_CALL("__dojo_StreamAttachMemAsync", "cudaStreamAttachMemAsync", s, p, bytes, flags);

cudaError_t cudaEventCreate(cudaEvent_t* e) WARPDOJO_CALL("__dojo_EventCreate", "cudaEventCreate", e);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags)
    WARPDOJO_CALL("__cudaCDP2EventCreateWithFlags", "cudaEventCreateWithFlags", e, flags);
cudaError_t cudaEventDestroy(cudaEvent_t e) WARPDOJO_CALL("__cudaCDP2EventDestroy", "cudaEventDestroy", e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
    WARPDOJO_CALL("__cudaCDP2EventRecord", "cudaEventRecord", e, s);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned)
    WARPDOJO_CALL("__cudaCDP2EventRecord", "cudaEventRecordWithFlags", e, s);
cudaError_t cudaEventSynchronize(cudaEvent_t e)
    WARPDOJO_CALL("cudaEventSynchronize", "cudaEventSynchronize", e);
cudaError_t cudaEventQuery(cudaEvent_t e) WARPDOJO_CALL("cudaEventQuery", "cudaEventQuery", e);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to)
    WARPDOJO_CALL("cudaEventElapsedTime", "cudaEventElapsedTime", ms, from, to);
cudaError_t cudaDeviceSynchronize(void) WARPDOJO_CALL("cudaDeviceSynchronize", "cudaDeviceSynchronize");
cudaError_t cudaDeviceReset(void) WARPDOJO_CALL("cudaDeviceReset", "cudaDeviceReset");
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

}  // extern "C"

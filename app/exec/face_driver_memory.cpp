// The driver API: memory, streams and events.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>

#include "exec/face_driver.hpp"

using dojo::exec::driver_error;

namespace {

/// Of `n` elements; more than any allocation has where that is no number of 64 bits.
size_t bytes(size_t n, size_t each) { return n > SIZE_MAX / each ? SIZE_MAX : n * each; }

}  // namespace

extern "C" {

CUresult cuMemAlloc(CUdeviceptr* p, size_t n) WARPDOJO_DRIVER_CALL("__cudaCDP2Malloc", "cuMemAlloc", p, n);
CUresult cuMemAllocAsync(CUdeviceptr* p, size_t n, CUstream s)
    WARPDOJO_DRIVER_CALL("__dojo_MallocAsync", "cuMemAllocAsync", p, n, s);
CUresult cuMemAllocManaged(CUdeviceptr* p, size_t n, unsigned)
    WARPDOJO_DRIVER_CALL("__dojo_MallocManaged", "cuMemAllocManaged", p, n);
CUresult cuMemAllocHost(void** p, size_t n) WARPDOJO_DRIVER_CALL("__dojo_HostAlloc", "cuMemAllocHost", p, n);
CUresult cuMemHostAlloc(void** p, size_t n, unsigned)
    WARPDOJO_DRIVER_CALL("__dojo_HostAlloc", "cuMemHostAlloc", p, n);
CUresult cuMemAllocPitch(CUdeviceptr* p, size_t* pitch, size_t width, size_t height, unsigned)
    WARPDOJO_DRIVER_CALL("cudaMallocPitch", "cuMemAllocPitch", p, pitch, width, height);
CUresult cuMemFree(CUdeviceptr p) WARPDOJO_DRIVER_CALL("__cudaCDP2Free", "cuMemFree", p);
CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s)
    WARPDOJO_DRIVER_CALL("cudaFreeAsync", "cuMemFreeAsync", p, s);
CUresult cuMemFreeHost(void* p) WARPDOJO_DRIVER_CALL("cudaFreeHost", "cuMemFreeHost", p);
CUresult cuMemHostRegister(void* p, size_t n, unsigned)
    WARPDOJO_DRIVER_CALL("cudaHostRegister", "cuMemHostRegister", p, n);
CUresult cuMemHostUnregister(void* p) WARPDOJO_DRIVER_CALL("cudaHostUnregister", "cuMemHostUnregister", p);
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned)
    WARPDOJO_DRIVER_CALL("__dojo_HostGetDevicePointer", "cuMemHostGetDevicePointer", device, host);
CUresult cuMemGetInfo(size_t* free, size_t* total)
    WARPDOJO_DRIVER_CALL("cudaMemGetInfo", "cuMemGetInfo", free, total);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t n)
    WARPDOJO_DRIVER_CALL("cudaMemcpy", "cuMemcpyHtoD", to, from, n, cudaMemcpyHostToDevice);
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t n)
    WARPDOJO_DRIVER_CALL("cudaMemcpy", "cuMemcpyDtoH", to, from, n, cudaMemcpyDeviceToHost);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t n)
    WARPDOJO_DRIVER_CALL("cudaMemcpy", "cuMemcpyDtoD", to, from, n, cudaMemcpyDeviceToDevice);
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n)
    WARPDOJO_DRIVER_CALL("cudaMemcpy", "cuMemcpy", to, from, n, cudaMemcpyDefault);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t n, CUstream s)
    WARPDOJO_DRIVER_CALL("__cudaCDP2MemcpyAsync", "cuMemcpyHtoDAsync", to, from, n, cudaMemcpyHostToDevice,
                         s);
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t n, CUstream s)
    WARPDOJO_DRIVER_CALL("__cudaCDP2MemcpyAsync", "cuMemcpyDtoHAsync", to, from, n, cudaMemcpyDeviceToHost,
                         s);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s)
    WARPDOJO_DRIVER_CALL("__cudaCDP2MemcpyAsync", "cuMemcpyDtoDAsync", to, from, n, cudaMemcpyDeviceToDevice,
                         s);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s)
    WARPDOJO_DRIVER_CALL("__cudaCDP2MemcpyAsync", "cuMemcpyAsync", to, from, n, cudaMemcpyDefault, s);
CUresult cuMemsetD8(CUdeviceptr p, unsigned char value, size_t n)
    WARPDOJO_DRIVER_CALL("cudaMemset", "cuMemsetD8", p, int(value), n);
CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char value, size_t n, CUstream s)
    WARPDOJO_DRIVER_CALL("__cudaCDP2MemsetAsync", "cuMemsetD8Async", p, int(value), n, s);
CUresult cuMemsetD2D8(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height)
    WARPDOJO_DRIVER_CALL("__dojo_MemsetElements", "cuMemsetD2D8", p, pitch, int(value), width, height, 1);
CUresult cuMemsetD2D8Async(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream s) WARPDOJO_DRIVER_CALL("__dojo_MemsetElementsAsync", "cuMemsetD2D8Async",
                                                            p, pitch, int(value), width, height, 1, s);
CUresult cuMemsetD16(CUdeviceptr p, unsigned short value, size_t n)
    WARPDOJO_DRIVER_CALL("__dojo_MemsetElements", "cuMemsetD16", p, bytes(n, 2), int(value), bytes(n, 2),
                         size_t(1), 2);
CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short value, size_t n, CUstream s)
    WARPDOJO_DRIVER_CALL("__dojo_MemsetElementsAsync", "cuMemsetD16Async", p, bytes(n, 2), int(value),
                         bytes(n, 2), size_t(1), 2, s);
CUresult cuMemsetD2D16(CUdeviceptr p, size_t pitch, unsigned short value, size_t width, size_t height)
    WARPDOJO_DRIVER_CALL("__dojo_MemsetElements", "cuMemsetD2D16", p, pitch, int(value), bytes(width, 2),
                         height, 2);
CUresult cuMemsetD2D16Async(CUdeviceptr p, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream s)
    WARPDOJO_DRIVER_CALL("__dojo_MemsetElementsAsync", "cuMemsetD2D16Async", p, pitch, int(value),
                         bytes(width, 2), height, 2, s);
CUresult cuMemsetD32(CUdeviceptr p, unsigned value, size_t n)
    WARPDOJO_DRIVER_CALL("__dojo_MemsetElements", "cuMemsetD32", p, bytes(n, 4), int(value), bytes(n, 4),
                         size_t(1), 4);
CUresult cuMemsetD32Async(CUdeviceptr p, unsigned value, size_t n, CUstream s)
    WARPDOJO_DRIVER_CALL("__dojo_MemsetElementsAsync", "cuMemsetD32Async", p, bytes(n, 4), int(value),
                         bytes(n, 4), size_t(1), 4, s);
CUresult cuMemsetD2D32(CUdeviceptr p, size_t pitch, unsigned value, size_t width, size_t height)
    WARPDOJO_DRIVER_CALL("__dojo_MemsetElements", "cuMemsetD2D32", p, pitch, int(value), bytes(width, 4),
                         height, 4);
CUresult cuMemsetD2D32Async(CUdeviceptr p, size_t pitch, unsigned value, size_t width, size_t height,
                            CUstream s)
    WARPDOJO_DRIVER_CALL("__dojo_MemsetElementsAsync", "cuMemsetD2D32Async", p, pitch, int(value),
                         bytes(width, 4), height, 4, s);

CUresult cuStreamCreate(CUstream* s, unsigned flags)
    WARPDOJO_DRIVER_CALL("__cudaCDP2StreamCreateWithFlags", "cuStreamCreate", s, flags);
CUresult cuStreamCreateWithPriority(CUstream* s, unsigned flags, int priority)
    WARPDOJO_DRIVER_CALL("cudaStreamCreateWithPriority", "cuStreamCreateWithPriority", s, flags, priority);
CUresult cuStreamDestroy(CUstream s) WARPDOJO_DRIVER_CALL("__cudaCDP2StreamDestroy", "cuStreamDestroy", s);
CUresult cuStreamSynchronize(CUstream s)
    WARPDOJO_DRIVER_CALL("cudaStreamSynchronize", "cuStreamSynchronize", s);
CUresult cuStreamQuery(CUstream s) WARPDOJO_DRIVER_CALL("cudaStreamQuery", "cuStreamQuery", s);
CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned)
    WARPDOJO_DRIVER_CALL("__cudaCDP2StreamWaitEvent", "cuStreamWaitEvent", s, e);
CUresult cuLaunchHostFunc(CUstream s, CUhostFn function, void* data)
    WARPDOJO_DRIVER_CALL("cudaLaunchHostFunc", "cuLaunchHostFunc", s, function, data);
CUresult cuEventCreate(CUevent* e, unsigned flags)
    WARPDOJO_DRIVER_CALL("__cudaCDP2EventCreateWithFlags", "cuEventCreate", e, flags);
CUresult cuEventDestroy(CUevent e) WARPDOJO_DRIVER_CALL("__cudaCDP2EventDestroy", "cuEventDestroy", e);
CUresult cuEventRecord(CUevent e, CUstream s)
    WARPDOJO_DRIVER_CALL("__cudaCDP2EventRecord", "cuEventRecord", e, s);
CUresult cuEventSynchronize(CUevent e) WARPDOJO_DRIVER_CALL("cudaEventSynchronize", "cuEventSynchronize", e);
CUresult cuEventQuery(CUevent e) WARPDOJO_DRIVER_CALL("cudaEventQuery", "cuEventQuery", e);
CUresult cuEventElapsedTime(float* ms, CUevent from, CUevent to)
    WARPDOJO_DRIVER_CALL("cudaEventElapsedTime", "cuEventElapsedTime", ms, from, to);
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float* ms, CUevent from, CUevent to)
    WARPDOJO_DRIVER_CALL("cudaEventElapsedTime", "cuEventElapsedTime", ms, from, to);
}  // extern "C"

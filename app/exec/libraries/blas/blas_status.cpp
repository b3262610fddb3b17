// What cuBLAS says of its statuses.
#include <cublas_v2.h>

#include "shared/status.hpp"

namespace {
#define STATUS(NAME, TEXT) \
  { CUBLAS_STATUS_##NAME, "CUBLAS_STATUS_" #NAME, TEXT }
constexpr dojo::libraries::StatusText statuses[] = {
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "the library was not initialized"),
    STATUS(ALLOC_FAILED, "the resource allocation failed"),
    STATUS(INVALID_VALUE, "an unsupported value or parameter was passed to the function"),
    STATUS(ARCH_MISMATCH, "the function requires an architectural feature absent from the device"),
    STATUS(MAPPING_ERROR, "an access to GPU memory space failed"),
    STATUS(EXECUTION_FAILED, "the function failed to launch on the GPU"),
    STATUS(INTERNAL_ERROR, "an internal operation failed"),
    STATUS(NOT_SUPPORTED, "the requested functionality is not supported"),
    STATUS(LICENSE_ERROR, "the license check failed"),
};
constexpr const char* other = "unrecognized status";
}  // namespace

extern "C" {

const char* cublasGetStatusName(cublasStatus_t s) {
  return dojo::libraries::find_status(statuses, s, other).name;
}
const char* cublasGetStatusString(cublasStatus_t s) {
  return dojo::libraries::find_status(statuses, s, other).text;
}

}  // extern "C"

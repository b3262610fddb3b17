// What cuSPARSE says of its statuses.
#include <cusparse.h>

#include "shared/status.hpp"

namespace {
#define STATUS(NAME, TEXT) \
  { CUSPARSE_STATUS_##NAME, "CUSPARSE_STATUS_" #NAME, TEXT }
constexpr dojo::libraries::StatusText statuses[] = {
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "initialization error"),
    STATUS(ALLOC_FAILED, "out of memory"),
    STATUS(INVALID_VALUE, "invalid value"),
    STATUS(ARCH_MISMATCH, "architecture mismatch"),
    STATUS(MAPPING_ERROR, "texture memory mapping error"),
    STATUS(EXECUTION_FAILED, "kernel launch failure"),
    STATUS(INTERNAL_ERROR, "internal error"),
    STATUS(MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported"),
    STATUS(ZERO_PIVOT, "zero pivot"),
    STATUS(NOT_SUPPORTED, "operation not supported"),
    STATUS(INSUFFICIENT_RESOURCES, "insufficient resources"),
};
constexpr const char* other = "unrecognized error code";
}  // namespace

extern "C" {

const char* cusparseGetErrorName(cusparseStatus_t s) {
  return dojo::libraries::find_status(statuses, s, other).name;
}
const char* cusparseGetErrorString(cusparseStatus_t s) {
  return dojo::libraries::find_status(statuses, s, other).text;
}

}  // extern "C"

#include "core/device.hpp"

#include "core/error.hpp"

namespace dojo {
namespace {
std::vector<DeviceFamily>& families() {
  static std::vector<DeviceFamily> all;
  return all;
}
}  // namespace

void register_family(DeviceFamily f) {
  for (auto& old : families())
    if (old.scheme == f.scheme) {
      old = std::move(f);
      return;
    }
  families().push_back(std::move(f));
}

const std::vector<DeviceFamily>& device_families() { return families(); }

std::unique_ptr<Device> open_device(const std::string& name) {
  const std::string scheme = name.substr(0, name.find(':'));
  for (const auto& f : families())
    if (f.scheme == scheme && name.size() > scheme.size() + 1) return f.open(name);
  std::string there;
  for (const auto& f : families()) {
    std::vector<std::string> why_not;
    for (const auto& d : f.list(&why_not)) there += (there.empty() ? "" : ", ") + d.name;
  }
  throw Error("no device '" + name + "'" + (there.empty() ? "" : "; there are " + there));
}

namespace {
struct ErrorName {
  int code;
  const char *name, *text;
};
// Numbers, names and messages as the CUDA runtime reports them (driver_types.h of the toolkit).
constexpr ErrorName error_names[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization error"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {17, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {35, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"},
    {218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {401, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
    {500, "cudaErrorSymbolNotFound", "named symbol not found"},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {712, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    {714, "cudaErrorHardwareStackError", "hardware stack error"},
    {715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {716, "cudaErrorMisalignedAddress", "misaligned address"},
    {717, "cudaErrorInvalidAddressSpace", "operation not supported on global/shared address space"},
    {718, "cudaErrorInvalidPc", "invalid program counter"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {800, "cudaErrorNotPermitted", "operation not permitted"},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    {901, "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"},
    {903, "cudaErrorStreamCaptureUnmatched", "capture was not initiated in this stream"},
    {904, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {905, "cudaErrorStreamCaptureIsolation", "dependency created on uncaptured work in another stream"},
    {906, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {907, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {910, "cudaErrorGraphExecUpdateFailure",
     "the graph update was not performed because it included changes which violated constraints specific to "
     "instantiated graph update"},
    {912, "cudaErrorInvalidClusterSize",
     "a kernel launch error has occurred due to cluster misconfiguration"},
    {999, "cudaErrorUnknown", "unknown error"},
};
}  // namespace

const char* cuda_error_name(int code) {
  for (const auto& e : error_names)
    if (e.code == code) return e.name;
  return "unrecognized error code";
}

const char* cuda_error_text(int code) {
  for (const auto& e : error_names)
    if (e.code == code) return e.text;
  return "unrecognized error code";
}

ReportDevice report_device(const DeviceInfo& i) {
  ReportDevice d;
  d.name = i.name;
  d.kind = i.kind;
  d.title = i.title;
  d.sms = i.sms;
  d.peak_gbps = i.peak_gbps;
  d.peak_gflops = i.peak_gflops;
  d.clock_mhz = i.clock_mhz;
  d.model_version = i.model_version;
  return d;
}

}  // namespace dojo

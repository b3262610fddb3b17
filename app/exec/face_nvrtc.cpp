// Programs that compile kernels with NVRTC and load machine code get PTX in its place, which the SIMT machine
// reads: the program calls these functions of this library, which is loaded before NVRTC, and they ask NVRTC.
#include <dlfcn.h>
#include <nvrtc.h>

namespace {
/// NVRTC's own function; null where the program has no NVRTC.
template <class F>
F* of_nvrtc(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}
/// Is there PTX of this program? A compile for link-time optimisation has none.
bool ptx_size(nvrtcProgram program, size_t* bytes) {
  const auto ask = of_nvrtc<decltype(nvrtcGetPTXSize)>("nvrtcGetPTXSize");
  return ask && ask(program, bytes) == NVRTC_SUCCESS && *bytes > 1;
}
}  // namespace

extern "C" {

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  if (ptx_size(program, bytes)) return NVRTC_SUCCESS;
  const auto own = of_nvrtc<decltype(nvrtcGetCUBINSize)>("nvrtcGetCUBINSize");
  return own ? own(program, bytes) : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* code) {
  size_t bytes = 0;
  const char* name = ptx_size(program, &bytes) ? "nvrtcGetPTX" : "nvrtcGetCUBIN";
  const auto get = of_nvrtc<decltype(nvrtcGetCUBIN)>(name);
  return get ? get(program, code) : NVRTC_ERROR_INVALID_PROGRAM;
}

}  // extern "C"

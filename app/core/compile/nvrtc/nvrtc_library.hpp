#pragma once
// NVRTC, loaded at run time.
#include <nvrtc.h>

#include <string>

namespace dojo::compile_detail {

/// The entry points used. Null library: `why` says what to install.
struct NvrtcLibrary {
  bool loaded = false;
  std::string why;
  int major = 0, minor = 0;
  decltype(&::nvrtcVersion) version = nullptr;
  decltype(&::nvrtcCreateProgram) create = nullptr;
  decltype(&::nvrtcDestroyProgram) destroy = nullptr;
  decltype(&::nvrtcCompileProgram) compile = nullptr;
  decltype(&::nvrtcGetPTXSize) ptx_size = nullptr;
  decltype(&::nvrtcGetPTX) ptx = nullptr;
  decltype(&::nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&::nvrtcGetProgramLog) log = nullptr;
  decltype(&::nvrtcGetErrorString) error_string = nullptr;
};

/// Loads on first use: libnvrtc.so of the toolkit, then of the system's search path.
const NvrtcLibrary& nvrtc_library();

}  // namespace dojo::compile_detail

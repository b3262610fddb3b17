// What nvcc and clang make a program call before main and around its launches. These functions are declared
// in no public header; their parameters were read off the code that nvcc 13.0 generates (nvcc --keep).
#include <cuda_runtime_api.h>

#include <memory>
#include <utility>

#include "exec/face.hpp"

using dojo::exec::Process;

namespace {

struct Configuration {
  dim3 grid, block;
  size_t dynamic_smem;
  cudaStream_t stream;
  const void* pushed_at;
  Configuration* outer;  ///< of the launch whose arguments are being computed
};
// A pointer, which no destructor takes away: handlers of atexit launch kernels when the thread's own objects
// are gone.
thread_local Configuration* innermost = nullptr;
thread_local const void* launched_at = nullptr;  ///< return address of the last popped configuration's push

/// Launches a registered kernel by `call`, after the choice of --only, --skip and --count.
template <class F>
cudaError_t launch(const void* host_function, const void*& returns_to, F call) {
  Process& p = Process::get();
  std::scoped_lock lock(p.mutex);
  // A kernel's stub has no line; that of the launch was noted when its configuration was pushed.
  if (launched_at) returns_to = std::exchange(launched_at, nullptr);
  const int refused = dojo::exec::run_locked("cudaLaunchKernel", [&] {
    p.runtime();
    if (const auto* kernel = p.kernel(reinterpret_cast<uint64_t>(host_function))) p.choose_launch(*kernel);
    return 0;
  });
  return cudaError_t(refused ? refused : call());
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  Process& p = Process::get();
  std::scoped_lock lock(p.mutex);
  return p.register_binary(wrapper);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** binary, const char* host_function, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  Process& p = Process::get();
  std::scoped_lock lock(p.mutex);
  p.register_function(binary, host_function, name);
}
void __cudaRegisterVar(void** binary, char* host_variable, char*, const char* name, int, size_t, int, int) {
  Process& p = Process::get();
  std::scoped_lock lock(p.mutex);
  p.register_variable(binary, host_variable, name);
}
void __cudaRegisterManagedVar(void** binary, void** pointer, char*, const char* name, int, size_t, int, int) {
  Process& p = Process::get();
  std::scoped_lock lock(p.mutex);
  p.register_managed(binary, pointer, name);
}
char __cudaInitModule(void** binary) {
  dojo::exec::run_locked("the placing of managed variables", [&] {
    Process::get().place_managed(binary);
    return 0;
  });
  return 1;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_smem, cudaStream_t stream) {
  innermost = new Configuration{grid, block, dynamic_smem, stream, __builtin_return_address(0), innermost};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* dynamic_smem, void* stream) {
  if (!innermost) return cudaErrorMissingConfiguration;
  const std::unique_ptr<Configuration> popped(innermost);
  const Configuration& c = *popped;
  innermost = c.outer;
  *grid = c.grid, *block = c.block, *dynamic_smem = c.dynamic_smem;
  *static_cast<cudaStream_t*>(stream) = c.stream;
  launched_at = c.pushed_at;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** args, size_t dynamic_smem,
                             cudaStream_t stream) {
  const void* returns_to = __builtin_return_address(0);
  return launch(kernel, returns_to, [&] {
    return WARPDOJO_ENTER("cudaLaunchKernel", "cudaLaunchKernel", kernel, grid, block, args, dynamic_smem,
                          stream);
  });
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** args,
                                        size_t dynamic_smem, cudaStream_t stream) {
  const void* returns_to = __builtin_return_address(0);
  return launch(kernel, returns_to, [&] {
    return WARPDOJO_ENTER("__dojo_LaunchKernel", "cudaLaunchCooperativeKernel", kernel, grid, block, args,
                          dynamic_smem, stream, 1);
  });
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** args) {
  const void* returns_to = __builtin_return_address(0);
  return launch(kernel, returns_to, [&] {
    return WARPDOJO_ENTER("__dojo_LaunchKernelEx", "cudaLaunchKernelEx", config, kernel, args);
  });
}

/// A kernel's handle is its host function.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host_function));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** args, size_t dynamic_smem,
                               cudaStream_t stream) {
  const void* returns_to = __builtin_return_address(0);
  return launch(kernel, returns_to, [&] {
    return WARPDOJO_ENTER("cudaLaunchKernel", "cudaLaunchKernel", kernel, grid, block, args, dynamic_smem,
                          stream);
  });
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** args,
                                    size_t dynamic_smem, cudaStream_t stream) {
  const void* returns_to = __builtin_return_address(0);
  dojo::exec::next_call_is_per_thread();
  return launch(kernel, returns_to, [&] {
    return WARPDOJO_ENTER("cudaLaunchKernel", "cudaLaunchKernel", kernel, grid, block, args, dynamic_smem,
                          stream);
  });
}
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  return __cudaGetKernel(kernel, host_function);
}

}  // extern "C"

// The module of "cuda:N": loaded and unloaded; its variables and functions.
#include <fmt/format.h>

#include "core/error.hpp"
#include "cuda/cuda_device_impl.hpp"
#include "ptx/module.hpp"

namespace dojo::cuda {

void CudaDevice::unload() {
  release_deferred();
  if (module_) d_.cuModuleUnload(module_);
  if (twin_) d_.cuModuleUnload(twin_);
  module_ = twin_ = nullptr;
  // Its variables are gone with it, and what was allowed to its kernels.
  for (const auto& [name, place] : symbols_) memory_.release(place.first);
  symbols_.clear();
  allowed_smem_.clear();
  work_.clear();
}

void CudaDevice::load(std::shared_ptr<const ptx::Module> m, const Assembled& resources) {
  take_turn();
  unload();
  parsed_ = m;
  resources_ = resources;
  stripped_ = ptx::strip_host(*m);
  std::string log(8192, '\0');
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  if (CUresult r = d_.cuModuleLoadDataEx(&module_, stripped_.c_str(), 2, names, values); r != CUDA_SUCCESS)
    throw Error(fmt::format("{} can't load this program: {}; {}", info_.name, describe(r), log.c_str()), 71);
  for (const auto& v : m->variables) {
    if (v.space != ptx::Space::global && v.space != ptx::Space::constant) continue;
    CUdeviceptr p = 0;
    size_t bytes = 0;
    if (d_.cuModuleGetGlobal(&p, &bytes, module_, v.name.c_str()) != CUDA_SUCCESS) continue;
    symbols_[v.name] = {p, bytes};
    Region* r = memory_.adopt(p, bytes, v.is_managed ? Owner::managed : Owner::device_global, v.name, {});
    if (v.is_managed) r->data = reinterpret_cast<std::byte*>(p);
  }
}

uint64_t CudaDevice::symbol(const std::string& name, uint64_t* bytes) {
  auto it = symbols_.find(name);
  if (it == symbols_.end()) return 0;
  if (bytes) *bytes = it->second.second;
  return it->second.first;
}

CUfunction CudaDevice::function(const std::string& mangled, bool twin) {
  CUfunction f = nullptr;
  d_.cuModuleGetFunction(&f, twin ? twin_ : module_, mangled.c_str());
  return f;
}

}  // namespace dojo::cuda

// Waiting for a real GPU: what it printed, what it did wrong, and when to wait no longer.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "cuda/cuda_device_impl.hpp"
#include "ptx/module.hpp"

namespace dojo::cuda {

std::string CudaDevice::last_kernel() const {
  for (auto w = work_.rbegin(); w != work_.rend(); ++w)
    if (w->kind == Work::launch) return ptx::base_name(w->spec.kernel);
  return {};
}

void CudaDevice::stop(CUresult r) {
  stopped_ = true;
  Diagnostic why;
  why.kind = r == CUDA_ERROR_ASSERT               ? FindingKind::assert
             : r == CUDA_ERROR_MISALIGNED_ADDRESS ? FindingKind::misaligned
             : r == CUDA_ERROR_ILLEGAL_ADDRESS    ? FindingKind::out_of_bounds
                                                  : FindingKind::trap;
  why.kernel = last_kernel();
  for (auto w = work_.rbegin(); w != work_.rend(); ++w)
    if (w->kind == Work::launch) {
      why.where = w->spec.where;
      break;
    }
  why.message = fmt::format(
      "{} stopped this program in or after kernel {}: {}. Run it on a simt: device to see the line and the "
      "thread.",
      info_.title, why.kernel.empty() ? "?" : why.kernel, describe(r));
  throw RunStopped(Status::finding, why);
}

CUresult CudaDevice::wait(const std::function<CUresult()>& query) {
  // A run's limit is one of processor time, of which waiting takes none: a GPU is given the same number of
  // the clock's.
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (;;) {
    const CUresult r = query();
    if (r != CUDA_ERROR_NOT_READY) return r;
    const double waited = std::chrono::duration<double>(Clock::now() - start).count();
    const bool over = control_.max_seconds > 0 && waited > control_.max_seconds;
    if (over || (control_.cancelled && control_.cancelled())) give_up(over);
    if (waited > 2e-3) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void CudaDevice::wait_for(CUstream s) {
  wait([&] { return d_.cuStreamQuery(s); });
}

void CudaDevice::give_up(bool over) {
  hung_ = stopped_ = true;
  Diagnostic why;
  why.kind = FindingKind::timeout;
  why.kernel = last_kernel();
  for (auto w = work_.rbegin(); w != work_.rend() && why.where.line == 0; ++w)
    if (w->kind == Work::launch) why.where = w->spec.where;
  why.message = over ? fmt::format(
                           "{} was still busy after {:g} seconds and was stopped; the last kernel launched "
                           "is {}. Does a loop "
                           "never end, or a block wait for one that finds no room? A simt: device says who "
                           "waits for whom.",
                           info_.title, control_.max_seconds, why.kernel.empty() ? "?" : why.kernel)
                     : "The run was cancelled.";
  throw RunStopped(Status::timeout, why);
}

void CudaDevice::wait_for_all() {
  for (auto& [handle, s] : streams_) wait_for(s);
  wait_for(nullptr);
}

CudaStatus CudaDevice::synchronize() {
  wait_for_all();
  // The driver prints device-side printf to standard output: catch it there.
  CUresult r = CUDA_SUCCESS;
  const std::string text = capture_stdout([&] { r = d_.cuCtxSynchronize(); });
  if (printer_ && !text.empty()) printer_(text);
  if (r != CUDA_SUCCESS) stop(r);
  for (auto& [address, a] : live_) check_guard(address, a);
  if (!work_.empty() && work_.back().kind != Work::host_waited) {
    work_.emplace_back();
    work_.back().kind = Work::host_waited;
  }
  return {};
}

CudaStatus CudaDevice::synchronize_stream(uint64_t) { return synchronize(); }

void CudaDevice::check_guard(uint64_t address, const Allocation& a) {
  if (hung_ || a.owner == Owner::pinned || a.reported) return;
  std::byte guard[kGuard + 256];
  const uint64_t n = guarded_bytes(a.bytes) - a.bytes;
  if (d_.cuMemcpyDtoH(guard, address + a.bytes, n) != CUDA_SUCCESS) return;
  for (uint64_t i = 0; i < n; ++i) {
    if (guard[i] == std::byte(kPoison)) continue;
    Diagnostic f;
    f.kind = FindingKind::out_of_bounds;
    f.kernel = last_kernel();
    f.message = fmt::format(
        "a kernel wrote past the end of {}. Run it on a simt: device to see the line and the thread.",
        memory_.describe(address + a.bytes + i));
    findings_.push_back(f);
    a.reported = true;
    return;
  }
}

std::vector<Diagnostic> CudaDevice::take_findings() { return std::exchange(findings_, {}); }

namespace {

/// While it lives, standard output goes to a file; also where what is run meanwhile throws.
class StdoutInFile {
 public:
  StdoutInFile() {
    std::fflush(stdout);
    if (file_) saved_ = dup(STDOUT_FILENO);
    if (saved_ >= 0) dup2(fileno(file_), STDOUT_FILENO);
  }
  ~StdoutInFile() {
    end();
    if (file_) std::fclose(file_);
  }
  StdoutInFile(const StdoutInFile&) = delete;
  StdoutInFile& operator=(const StdoutInFile&) = delete;
  /// What was written; standard output is the process's own again.
  std::string take() {
    std::string text;
    if (!end()) return text;
    std::rewind(file_);
    char buffer[4096];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file_)) > 0;) text.append(buffer, n);
    return text;
  }

 private:
  bool end() {
    if (saved_ < 0) return false;
    std::fflush(stdout);
    dup2(saved_, STDOUT_FILENO);
    close(std::exchange(saved_, -1));
    return true;
  }
  std::FILE* file_ = std::tmpfile();
  int saved_ = -1;
};

}  // namespace

std::string capture_stdout(const std::function<void()>& body) {
  StdoutInFile redirected;
  body();
  return redirected.take();
}

}  // namespace dojo::cuda

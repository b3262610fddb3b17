// libcufft.so.12 of `warpdojo exec`: transforms of one to three dimensions, computed on the host in double
// precision by kissfft. Like cuFFT's they are not normalised.
#include <cufftXt.h>
#include <kissfft/kissfft.hh>

#include <array>
#include <complex>
#include <map>
#include <mutex>
#include <vector>

#include "shared/guarded.hpp"
#include "shared/not_simulated.hpp"

namespace {
using dojo::libraries::Copied;
using Complex = std::complex<double>;

/// Where the elements of a batch lie. `embed`: extents of the array that holds them, of which the first
/// dimension's counts for nothing.
struct Layout {
  std::array<long, 3> embed{};
  long stride = 1, distance = 0;

  size_t place(long batch, const std::array<long, 3>& at) const {
    return size_t(batch * distance + ((at[0] * embed[1] + at[1]) * embed[2] + at[2]) * stride);
  }
};

struct Plan {
  std::array<long, 3> n{1, 1, 1};  // extents of the real or complex signal, the last one varies fastest
  cufftType type = CUFFT_C2C;
  long batches = 0;
  bool tight = true;  // no layout was given: rows without gaps, padded where a real transform is in place
  Layout in, out;
  cudaStream_t stream = nullptr;
};

std::mutex guard;  // of the plans, which host threads share
std::map<cufftHandle, Plan> plans;

Plan* plan_of(cufftHandle h) {
  const std::lock_guard lock(guard);
  const auto at = plans.find(h);
  return at == plans.end() ? nullptr : &at->second;
}

bool real_input(cufftType t) { return t == CUFFT_R2C || t == CUFFT_D2Z; }
bool real_output(cufftType t) { return t == CUFFT_C2R || t == CUFFT_Z2D; }

/// Extents of what is stored on one side: of a real signal's transform half of the last dimension, and one.
std::array<long, 3> extents(const Plan& p, bool halved) {
  return {p.n[0], p.n[1], halved ? p.n[2] / 2 + 1 : p.n[2]};
}

Layout tight_layout(std::array<long, 3> e, bool padded, long last) {
  if (padded) e[2] = 2 * (last / 2 + 1);
  return {e, 1, e[0] * e[1] * e[2]};
}

template <class Visit>
void each_place(const std::array<long, 3>& e, const Visit& visit) {
  for (long i = 0; i < e[0]; ++i)
    for (long j = 0; j < e[1]; ++j)
      for (long k = 0; k < e[2]; ++k) visit(std::array<long, 3>{i, j, k});
}

size_t flat(const std::array<long, 3>& n, const std::array<long, 3>& at) {
  return size_t((at[0] * n[1] + at[1]) * n[2] + at[2]);
}

/// One dimension after another, in place.
void transform(std::vector<Complex>& signal, const std::array<long, 3>& n, bool inverse) {
  for (size_t axis = 0; axis < 3; ++axis) {
    const size_t length = size_t(n[axis]);
    if (length == 1) continue;
    kissfft<double> fft(length, inverse);
    std::vector<Complex> line(length), result(length);
    std::array<long, 3> starts = n;
    starts[axis] = 1;
    each_place(starts, [&](std::array<long, 3> at) {
      for (size_t i = 0; i < length; ++i) at[axis] = long(i), line[i] = signal[flat(n, at)];
      fft.transform(line.data(), result.data());
      for (size_t i = 0; i < length; ++i) at[axis] = long(i), signal[flat(n, at)] = result[i];
    });
  }
}

/// The half that is not stored: X[-k] is the conjugate of X[k].
void complete(std::vector<Complex>& signal, const std::array<long, 3>& n) {
  each_place(n, [&](const std::array<long, 3>& at) {
    if (at[2] <= n[2] / 2) return;
    const std::array<long, 3> twin{(n[0] - at[0]) % n[0], (n[1] - at[1]) % n[1], n[2] - at[2]};
    signal[flat(n, at)] = std::conj(signal[flat(n, twin)]);
  });
}

template <class T>
Complex widened(const T& v) {
  return {double(v), 0};
}
template <class T>
Complex widened(const std::complex<T>& v) {
  return {double(v.real()), double(v.imag())};
}
template <class T>
void store(T& to, const Complex& v) {
  to = T(v.real());
}
template <class T>
void store(std::complex<T>& to, const Complex& v) {
  to = std::complex<T>(T(v.real()), T(v.imag()));
}

/// Elements up to the last that the layout reaches.
size_t reach(const Layout& l, const std::array<long, 3>& e, long batches) {
  return batches < 1 ? 0 : l.place(batches - 1, {e[0] - 1, e[1] - 1, e[2] - 1}) + 1;
}

/// `From` and `To` are float, double, or complex of them.
template <class From, class To>
cufftResult execute(cufftHandle h, cufftType type, const char* name, const void* return_address, void* from,
                    void* to, bool inverse) {
  __cudaDojoNotSimulated(name, return_address);
  const Plan* p = plan_of(h);
  if (!p || p->batches < 1) return CUFFT_INVALID_PLAN;
  if (p->type != type) return CUFFT_INVALID_TYPE;
  if (cudaStreamSynchronize(p->stream) != cudaSuccess) return CUFFT_EXEC_FAILED;
  return dojo::libraries::guarded(CUFFT_ALLOC_FAILED, [&] {
    const bool from_real = real_input(p->type), to_real = real_output(p->type), in_place = from == to;
    const std::array<long, 3> read = extents(*p, to_real), written = extents(*p, from_real);
    const Layout in = p->tight ? tight_layout(read, in_place && from_real, p->n[2]) : p->in;
    const Layout out = p->tight ? tight_layout(written, in_place && to_real, p->n[2]) : p->out;
    const Copied<From> source(from, reach(in, read, p->batches));
    Copied<To> result(to, reach(out, written, p->batches));
    std::vector<Complex> signal(size_t(p->n[0] * p->n[1] * p->n[2]));
    for (long b = 0; b < p->batches; ++b) {
      each_place(read, [&](const auto& at) { signal[flat(p->n, at)] = widened(source.v[in.place(b, at)]); });
      if (to_real) complete(signal, p->n);
      transform(signal, p->n, inverse);
      each_place(written, [&](const auto& at) { store(result.v[out.place(b, at)], signal[flat(p->n, at)]); });
    }
    result.put();
    return CUFFT_SUCCESS;
  });
}

cufftResult make(cufftHandle h, std::array<long, 3> n, cufftType type, long batches, size_t* bytes) {
  Plan* p = plan_of(h);
  if (!p) return CUFFT_INVALID_PLAN;
  if (n[0] < 1 || n[1] < 1 || n[2] < 1 || batches < 1) return CUFFT_INVALID_SIZE;
  p->n = n, p->type = type, p->batches = batches, p->tight = true;
  if (bytes) *bytes = 0;
  return CUFFT_SUCCESS;
}

/// Dimensions of a plan, or of an array that holds its elements, as the last of three.
template <class T>
std::array<long, 3> of_rank(int rank, const T* n) {
  std::array<long, 3> all{1, 1, 1};
  for (int i = 0; i < rank; ++i) all[size_t(3 - rank + i)] = long(n[i]);
  return all;
}

/// T: int or long long.
template <class T>
cufftResult make_many(cufftHandle h, int rank, const T* n, const T* in_embed, T in_stride, T in_distance,
                      const T* out_embed, T out_stride, T out_distance, cufftType type, T batches,
                      size_t* bytes) {
  if (rank < 1 || rank > 3) return CUFFT_INVALID_VALUE;
  const cufftResult made = make(h, of_rank(rank, n), type, long(batches), bytes);
  if (made != CUFFT_SUCCESS || !in_embed || !out_embed) return made;
  Plan* p = plan_of(h);
  p->tight = false;
  p->in = {of_rank(rank, in_embed), long(in_stride), long(in_distance)};
  p->out = {of_rank(rank, out_embed), long(out_stride), long(out_distance)};
  return CUFFT_SUCCESS;
}

}  // namespace

extern "C" {

cufftResult cufftCreate(cufftHandle* h) {
  static cufftHandle next = 1;
  const std::lock_guard lock(guard);
  return dojo::libraries::guarded(CUFFT_ALLOC_FAILED, [&] {
    plans[next] = {};
    *h = next++;
    return CUFFT_SUCCESS;
  });
}
cufftResult cufftDestroy(cufftHandle h) {
  const std::lock_guard lock(guard);
  return plans.erase(h) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetStream(cufftHandle h, cudaStream_t stream) {
  Plan* p = plan_of(h);
  if (!p) return CUFFT_INVALID_PLAN;
  p->stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int* version) {
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetSize(cufftHandle h, size_t* bytes) {
  *bytes = 0;  // of device memory
  return plan_of(h) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetAutoAllocation(cufftHandle, int) { return CUFFT_SUCCESS; }
cufftResult cufftSetWorkArea(cufftHandle, void*) { return CUFFT_SUCCESS; }

cufftResult cufftMakePlan1d(cufftHandle h, int n, cufftType type, int batches, size_t* bytes) {
  return make(h, {1, 1, n}, type, batches, bytes);
}
cufftResult cufftMakePlan2d(cufftHandle h, int rows, int columns, cufftType type, size_t* bytes) {
  return make(h, {1, rows, columns}, type, 1, bytes);
}
cufftResult cufftMakePlan3d(cufftHandle h, int n0, int n1, int n2, cufftType type, size_t* bytes) {
  return make(h, {n0, n1, n2}, type, 1, bytes);
}
cufftResult cufftMakePlanMany(cufftHandle h, int rank, int* n, int* in_embed, int in_stride, int in_distance,
                              int* out_embed, int out_stride, int out_distance, cufftType type, int batches,
                              size_t* bytes) {
  return make_many(h, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, type,
                   batches, bytes);
}
cufftResult cufftMakePlanMany64(cufftHandle h, int rank, long long* n, long long* in_embed,
                                long long in_stride, long long in_distance, long long* out_embed,
                                long long out_stride, long long out_distance, cufftType type,
                                long long batches, size_t* bytes) {
  return make_many(h, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, type,
                   batches, bytes);
}
cufftResult cufftPlan1d(cufftHandle* h, int n, cufftType type, int batches) {
  if (const cufftResult made = cufftCreate(h)) return made;
  return cufftMakePlan1d(*h, n, type, batches, nullptr);
}
cufftResult cufftPlan2d(cufftHandle* h, int rows, int columns, cufftType type) {
  if (const cufftResult made = cufftCreate(h)) return made;
  return cufftMakePlan2d(*h, rows, columns, type, nullptr);
}
cufftResult cufftPlan3d(cufftHandle* h, int n0, int n1, int n2, cufftType type) {
  if (const cufftResult made = cufftCreate(h)) return made;
  return cufftMakePlan3d(*h, n0, n1, n2, type, nullptr);
}
cufftResult cufftPlanMany(cufftHandle* h, int rank, int* n, int* in_embed, int in_stride, int in_distance,
                          int* out_embed, int out_stride, int out_distance, cufftType type, int batches) {
  if (const cufftResult made = cufftCreate(h)) return made;
  return cufftMakePlanMany(*h, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance,
                           type, batches, nullptr);
}

cufftResult cufftExecC2C(cufftHandle h, cufftComplex* from, cufftComplex* to, int direction) {
  return execute<std::complex<float>, std::complex<float>>(
      h, CUFFT_C2C, "cufftExecC2C", __builtin_return_address(0), from, to, direction == CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex* from, cufftDoubleComplex* to, int direction) {
  return execute<std::complex<double>, std::complex<double>>(
      h, CUFFT_Z2Z, "cufftExecZ2Z", __builtin_return_address(0), from, to, direction == CUFFT_INVERSE);
}
cufftResult cufftExecR2C(cufftHandle h, cufftReal* from, cufftComplex* to) {
  return execute<float, std::complex<float>>(h, CUFFT_R2C, "cufftExecR2C", __builtin_return_address(0), from,
                                             to, false);
}
cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal* from, cufftDoubleComplex* to) {
  return execute<double, std::complex<double>>(h, CUFFT_D2Z, "cufftExecD2Z", __builtin_return_address(0),
                                               from, to, false);
}
cufftResult cufftExecC2R(cufftHandle h, cufftComplex* from, cufftReal* to) {
  return execute<std::complex<float>, float>(h, CUFFT_C2R, "cufftExecC2R", __builtin_return_address(0), from,
                                             to, true);
}
cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex* from, cufftDoubleReal* to) {
  return execute<std::complex<double>, double>(h, CUFFT_Z2D, "cufftExecZ2D", __builtin_return_address(0),
                                               from, to, true);
}

// Types as arguments, single and double precision.
cufftResult cufftXtMakePlanMany(cufftHandle h, int rank, long long* n, long long* in_embed,
                                long long in_stride, long long in_distance, cudaDataType from,
                                long long* out_embed, long long out_stride, long long out_distance,
                                cudaDataType to, long long batches, size_t* bytes, cudaDataType) {
  cufftType type;
  if (from == CUDA_C_32F && to == CUDA_C_32F)
    type = CUFFT_C2C;
  else if (from == CUDA_C_64F && to == CUDA_C_64F)
    type = CUFFT_Z2Z;
  else if (from == CUDA_R_32F && to == CUDA_C_32F)
    type = CUFFT_R2C;
  else if (from == CUDA_R_64F && to == CUDA_C_64F)
    type = CUFFT_D2Z;
  else if (from == CUDA_C_32F && to == CUDA_R_32F)
    type = CUFFT_C2R;
  else if (from == CUDA_C_64F && to == CUDA_R_64F)
    type = CUFFT_Z2D;
  else
    return CUFFT_NOT_SUPPORTED;  // half and bfloat16
  return make_many(h, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, type,
                   batches, bytes);
}
cufftResult cufftXtExec(cufftHandle h, void* from, void* to, int direction) {
  const Plan* p = plan_of(h);
  if (!p) return CUFFT_INVALID_PLAN;
  const bool inverse = direction == CUFFT_INVERSE;
  const void* const caller = __builtin_return_address(0);
  using F = std::complex<float>;
  using D = std::complex<double>;
  switch (p->type) {
    case CUFFT_C2C:
      return execute<F, F>(h, p->type, "cufftXtExec", caller, from, to, inverse);
    case CUFFT_Z2Z:
      return execute<D, D>(h, p->type, "cufftXtExec", caller, from, to, inverse);
    case CUFFT_R2C:
      return execute<float, F>(h, p->type, "cufftXtExec", caller, from, to, false);
    case CUFFT_D2Z:
      return execute<double, D>(h, p->type, "cufftXtExec", caller, from, to, false);
    case CUFFT_C2R:
      return execute<F, float>(h, p->type, "cufftXtExec", caller, from, to, true);
    default:
      return execute<D, double>(h, p->type, "cufftXtExec", caller, from, to, true);
  }
}

}  // extern "C"

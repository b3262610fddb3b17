// Shared by the zoo's programs: random inputs, device arrays, and the choice of cases. A program runs all its
// cases, or the one that its argument names, so that one can be timed alone. Kernels do not change their
// input: a measured launch is replayed.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

/// A linear congruential generator (Numerical Recipes' constants): the same inputs on every machine.
struct Random {
  unsigned state;
  unsigned next() {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
  }
  unsigned below(unsigned n) { return unsigned((unsigned long long)next() * n >> 24); }
  float unit() { return float(next()) / 16777216.0f; }
};

inline std::vector<float> random_floats(size_t n, unsigned seed, float low = 0, float high = 1) {
  Random r{seed};
  std::vector<float> v(n);
  for (float& x : v) x = low + (high - low) * r.unit();
  return v;
}

inline std::vector<double> random_doubles(size_t n, unsigned seed, double low = 0, double high = 1) {
  Random r{seed};
  std::vector<double> v(n);
  for (double& x : v) x = low + (high - low) * double(r.unit());
  return v;
}

inline std::vector<int> random_ints(size_t n, unsigned seed, unsigned below) {
  Random r{seed};
  std::vector<int> v(n);
  for (int& x : v) x = int(r.below(below));
  return v;
}

inline std::vector<unsigned> random_words(size_t n, unsigned seed) {
  Random r{seed};
  std::vector<unsigned> v(n);
  for (unsigned& x : v) {
    const unsigned high = r.next();
    x = high << 12 ^ r.next();
  }
  return v;
}

class Zoo {
 public:
  Zoo(int argc, char** argv) : only_(argc > 1 ? argv[1] : nullptr) {}

  /// Whether this run launches the case.
  bool runs(const char* name) const { return !only_ || !strcmp(only_, name); }

  template <class T>
  T* upload(const std::vector<T>& from) {
    T* p = nullptr;
    ok(cudaMalloc((void**)&p, from.size() * sizeof(T)));
    ok(cudaMemcpy(p, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    arrays_.push_back(p);
    return p;
  }
  template <class T>
  T* zeros(size_t n) {
    return upload(std::vector<T>(n));
  }

  template <class T>
  std::vector<T> download(const T* from, size_t n) {
    std::vector<T> v(n);
    ok(cudaMemcpy(v.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }

  /// Prints the sum of a case's results.
  template <class T>
  void show(const char* name, const T* results, size_t n) {
    double sum = 0;
    for (const T& x : download(results, n)) sum += double(x);
    printf("%s %.7g\n", name, sum);
  }
  /// Prints the sum, and WRONG unless it is `sum` within the relative error `within`.
  template <class T>
  void expect(const char* name, const T* results, size_t n, double sum, double within = 1e-4) {
    double got = 0;
    for (const T& x : download(results, n)) got += double(x);
    const bool right = fabs(got - sum) <= within * (fabs(sum) + 1e-9);
    printf("%s %.7g%s\n", name, got, right ? "" : " WRONG");
    if (!right) printf("  expected %.7g\n", sum);
    wrong_ += !right;
  }

  /// Prints the sum, and WRONG unless every `step`th element i and the last are want(i) within the error
  /// `within`, which is absolute below 1 and relative above.
  template <class T, class F>
  void expect_each(const char* name, const T* results, size_t n, size_t step, F want, double within = 1e-4) {
    const std::vector<T> got = download(results, n);
    double sum = 0;
    for (const T& x : got) sum += double(x);
    size_t bad = 0;
    while (bad < n && near(double(got[bad]), double(want(bad)), within))
      bad = bad + step < n || bad == n - 1 ? bad + step : n - 1;
    printf("%s %.7g%s\n", name, sum, bad < n ? " WRONG" : "");
    if (bad < n) printf("  [%zu] is %.7g, expected %.7g\n", bad, double(got[bad]), double(want(bad)));
    wrong_ += bad < n;
  }
  /// Prints WRONG and what should hold of a case's results, unless it does.
  void require(const char* name, bool right, const char* what) {
    if (!right) printf("%s: WRONG: %s\n", name, what);
    wrong_ += !right;
  }

  void ok(cudaError_t e) {
    if (e == cudaSuccess) return;
    printf("CUDA: %s\n", cudaGetErrorString(e));
    ++wrong_;
  }

  /// Frees the arrays; returns main's exit status.
  int done() {
    ok(cudaGetLastError());
    for (void* p : arrays_) cudaFree(p);
    return wrong_ ? 1 : 0;
  }

 private:
  static bool near(double got, double want, double within) {
    return fabs(got - want) <= within * (fabs(want) > 1 ? fabs(want) : 1);
  }

  const char* only_;
  int wrong_ = 0;
  std::vector<void*> arrays_;
};

// Quantum computers on a classical one: gates on a vector of amplitudes, a run of gates within shared memory,
// the mean of a product of Pauli matrices, and tableaus of stabilisers.
#include <cooperative_groups.h>

#include "zoo.cuh"

template <class Real>
struct Amplitude {
  Real re, im;
};

template <class Real>
__host__ __device__ Amplitude<Real> operator*(Amplitude<Real> a, Amplitude<Real> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class Real>
__host__ __device__ Amplitude<Real> operator+(Amplitude<Real> a, Amplitude<Real> b) {
  return {a.re + b.re, a.im + b.im};
}

template <class Real>
struct Gate {
  Amplitude<Real> m[2][2];
};

/// Index `pair` with a zero put in as bit `qubit`.
__host__ __device__ constexpr unsigned with_zero(unsigned pair, int qubit) {
  return (pair >> qubit) << (qubit + 1) | (pair & ((1u << qubit) - 1));
}

/// A gate on one qubit, where all the control qubits are one.
template <class Real>
__global__ void qu_turn_qubit(const Amplitude<Real>* in, Amplitude<Real>* out, Gate<Real> gate, int qubit,
                              unsigned controls, unsigned pairs) {
  const unsigned pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  const unsigned zero = with_zero(pair, qubit), one = zero | 1u << qubit;
  const Amplitude<Real> a = in[zero], b = in[one];
  const bool act = (zero & controls) == controls;
  out[zero] = act ? gate.m[0][0] * a + gate.m[0][1] * b : a;
  out[one] = act ? gate.m[1][0] * a + gate.m[1][1] * b : b;
}

struct Operation {
  Gate<float> gate;
  int qubit, control;  // control: a qubit, or -1
};
constexpr int low_qubits = 11, most_operations = 24;
__constant__ Operation circuit[most_operations];

/// Gates on the low qubits alone: each block keeps its part of the vector in shared memory.
__global__ void qu_run_circuit(const Amplitude<float>* in, Amplitude<float>* out, int operations) {
  __shared__ Amplitude<float> part[1 << low_qubits];
  const size_t first = size_t(blockIdx.x) << low_qubits;
  for (unsigned i = threadIdx.x; i < 1u << low_qubits; i += blockDim.x) part[i] = in[first + i];
  for (int k = 0; k < operations; ++k) {
    __syncthreads();
    const Operation& o = circuit[k];
    for (unsigned pair = threadIdx.x; pair < 1u << (low_qubits - 1); pair += blockDim.x) {
      const unsigned zero = with_zero(pair, o.qubit), one = zero | 1u << o.qubit;
      if (o.control >= 0 && !(zero >> o.control & 1)) continue;
      const auto a = part[zero], b = part[one];
      part[zero] = o.gate.m[0][0] * a + o.gate.m[0][1] * b;
      part[one] = o.gate.m[1][0] * a + o.gate.m[1][1] * b;
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 1u << low_qubits; i += blockDim.x) out[first + i] = part[i];
}

/// The mean of a string of X and Z: amplitude i meets the one with the bits of X flipped; Z gives the sign.
template <int Block>
__global__ void __launch_bounds__(Block)
    qu_mean_pauli(const double2* state, unsigned flip, unsigned sign, double* mean, unsigned n) {
  namespace cg = cooperative_groups;
  __shared__ double warps[Block / 32];
  double sum = 0;
  for (unsigned i = blockIdx.x * Block + threadIdx.x; i < n; i += gridDim.x * Block) {
    const double2 a = state[i ^ flip], b = state[i];
    const double product = a.x * b.x + a.y * b.y;
    sum += __popc(i & sign) & 1 ? -product : product;
  }
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int d = 16; d; d /= 2) sum += warp.shfl_down(sum, d);
  if (warp.thread_rank() == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  for (int w = 1; w < Block / 32; ++w) sum += warps[w];
  atomicAdd(mean, sum);
}

enum Clifford : unsigned char { hadamard, phase, controlled_not, swap_qubits };
struct Step {
  unsigned char what, a, b, unused;
};

/// A row of a tableau: the bits of X, of Z, and the sign. All rows take the same steps.
struct Row {
  unsigned long long x, z;
  unsigned sign, unused;
};

__host__ __device__ void apply(Row& r, Step s) {
  const unsigned long long xa = r.x >> s.a & 1, za = r.z >> s.a & 1, xb = r.x >> s.b & 1, zb = r.z >> s.b & 1;
  switch (s.what) {
    case hadamard:
      r.sign ^= unsigned(xa & za);
      r.x ^= (xa ^ za) << s.a;
      r.z ^= (xa ^ za) << s.a;
      break;
    case phase:
      r.sign ^= unsigned(xa & za);
      r.z ^= xa << s.a;
      break;
    case controlled_not:
      r.sign ^= unsigned(xa & zb & (xb ^ za ^ 1));
      r.x ^= xa << s.b;
      r.z ^= zb << s.a;
      break;
    default:
      r.x ^= (xa ^ xb) << s.a ^ (xa ^ xb) << s.b;
      r.z ^= (za ^ zb) << s.a ^ (za ^ zb) << s.b;
  }
}

__global__ void qu_evolve_tableaus(const Row* in, Row* out, const Step* step, int steps, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  Row r = in[i];
  for (int k = 0; k < steps; ++k) apply(r, step[k]);
  out[i] = r;
}

static std::vector<Amplitude<float>> random_state(size_t n, unsigned seed) {
  const auto v = random_floats(2 * n, seed, -1, 1);
  std::vector<Amplitude<float>> state(n);
  for (size_t i = 0; i < n; ++i) state[i] = {v[2 * i], v[2 * i + 1]};
  return state;
}

static Gate<float> random_gate(Random& r) {
  const float t = 3 * r.unit(), p = 6 * r.unit();
  return {{{{cosf(t), 0}, {-sinf(t) * cosf(p), -sinf(t) * sinf(p)}},
           {{sinf(t) * cosf(p), -sinf(t) * sinf(p)}, {cosf(t), 0}}}};
}

static void turn_qubit(Zoo& zoo) {
  const int qubits = 20, qubit = 13;
  const unsigned n = 1u << qubits, controls = 1u << 3;
  const auto v = random_doubles(2 * n, 1, -1, 1);
  const Gate<double> gate = {{{{0.6, 0}, {0, 0.8}}, {{0, 0.8}, {0.6, 0}}}};
  using Double = Amplitude<double>;
  Double* out = zoo.zeros<Double>(n);
  const auto* in = (const Double*)zoo.upload(v);
  qu_turn_qubit<double><<<n / 2 / 256, 256>>>(in, out, gate, qubit, controls, n / 2);
  const auto want = [&](size_t i) {
    const unsigned k = unsigned(i / 2), other = k ^ 1u << qubit;
    if (!(k & controls)) return v[i];
    // 0.8i times the other amplitude.
    return 0.6 * v[i] + (i % 2 ? 0.8 * v[2 * other] : -0.8 * v[2 * other + 1]);
  };
  zoo.expect_each("qu_turn_qubit", (const double*)out, 2 * n, 4099, want, 1e-12);
}

static void run_circuit(Zoo& zoo) {
  const int blocks = 150, operations = most_operations;
  const size_t part = 1 << low_qubits, n = blocks * part;
  std::vector<Operation> all(operations);
  Random r{2};
  for (auto& o : all) {
    o.gate = random_gate(r);
    o.qubit = int(r.below(low_qubits));
    o.control = r.below(2) ? (o.qubit + 1 + int(r.below(low_qubits - 1))) % low_qubits : -1;
  }
  zoo.ok(cudaMemcpyToSymbol(circuit, all.data(), operations * sizeof(Operation)));
  auto state = random_state(n, 3);
  auto* out = zoo.zeros<Amplitude<float>>(n);
  qu_run_circuit<<<blocks, 256>>>(zoo.upload(state), out, operations);
  for (const Operation& o : all)
    for (size_t i = 0; i < n; ++i) {
      if (i >> o.qubit & 1 || (o.control >= 0 && !(i >> o.control & 1))) continue;
      const size_t one = i | size_t(1) << o.qubit;
      const auto a = state[i], b = state[one];
      state[i] = o.gate.m[0][0] * a + o.gate.m[0][1] * b;
      state[one] = o.gate.m[1][0] * a + o.gate.m[1][1] * b;
    }
  const auto want = [&](size_t i) { return i % 2 ? state[i / 2].im : state[i / 2].re; };
  zoo.expect_each("qu_run_circuit", (const float*)out, 2 * n, 37, want, 1e-4);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("qu_turn_qubit")) turn_qubit(zoo);
  if (zoo.runs("qu_run_circuit")) run_circuit(zoo);
  if (zoo.runs("qu_mean_pauli")) {
    const unsigned n = 1u << 19, flip = 0x1204, sign = 0x5a081;
    const auto v = random_doubles(2 * n, 4, -0.1, 0.2);
    double want = 0;
    for (unsigned i = 0; i < n; ++i) {
      const unsigned k = i ^ flip;
      const double product = v[2 * k] * v[2 * i] + v[2 * k + 1] * v[2 * i + 1];
      want += __builtin_popcount(i & sign) & 1 ? -product : product;
    }
    double* mean = zoo.zeros<double>(1);
    qu_mean_pauli<256><<<132, 256>>>((const double2*)zoo.upload(v), flip, sign, mean, n);
    zoo.expect("qu_mean_pauli", mean, 1, want, 1e-8);
  }
  if (zoo.runs("qu_evolve_tableaus")) {
    const int rows = 5000, steps = 900;
    const auto bits = random_words(4 * rows, 5);
    std::vector<Row> tableau(rows);
    for (int i = 0; i < rows; ++i)
      tableau[i] = {(unsigned long long)bits[4 * i] << 32 | bits[4 * i + 1],
                    (unsigned long long)bits[4 * i + 2] << 32 | bits[4 * i + 3], 0, 0};
    std::vector<Step> step(steps);
    Random r{6};
    for (auto& s : step) {
      const unsigned a = r.below(64), b = (a + 1 + r.below(63)) % 64;
      s = {(unsigned char)r.below(4), (unsigned char)a, (unsigned char)b, 0};
    }
    Row* out = zoo.zeros<Row>(rows);
    qu_evolve_tableaus<<<(rows + 63) / 64, 64>>>(zoo.upload(tableau), out, zoo.upload(step), steps, rows);
    for (Row& row : tableau)
      for (const Step& s : step) apply(row, s);
    const auto got = zoo.download(out, rows);
    std::vector<unsigned> weight(rows);
    int wrong = 0;
    for (int i = 0; i < rows; ++i) {
      weight[i] = unsigned(__builtin_popcountll(got[i].x | got[i].z)) + got[i].sign;
      wrong += got[i].x != tableau[i].x || got[i].z != tableau[i].z || got[i].sign != tableau[i].sign;
    }
    zoo.show("qu_evolve_tableaus", zoo.upload(weight), rows);
    zoo.require("qu_evolve_tableaus", wrong == 0, "all rows are as the steps make them one by one");
  }
  return zoo.done();
}

// The design of chips: gates simulated level by level, devices stamped into a circuit's equations, mazes in
// which wires are led, and the pull of wires on cells.
#include <queue>

#include "zoo.cuh"

constexpr int words = 16;  // Of 32 test patterns each.

struct Gate {
  int kind, a, b;
};

// The gates of one level, for all patterns. Each reads nets of the levels before.
__global__ void ed_simulate_gates(const Gate* gate, unsigned* net, int first, int gates) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, k = i / words, w = i % words;
  if (k >= gates) return;
  const Gate g = gate[first + k];
  const unsigned a = net[size_t(g.a) * words + w], b = net[size_t(g.b) * words + w];
  unsigned out;
  switch (g.kind) {
    case 0:
      out = a & b;
      break;
    case 1:
      out = ~(a & b);
      break;
    case 2:
      out = a | b;
      break;
    case 3:
      out = ~(a | b);
      break;
    case 4:
      out = a ^ b;
      break;
    case 5:
      out = ~a;
      break;
    default:
      out = (a & 0x55555555u) | (b & 0xaaaaaaaau);
      break;
  }
  net[size_t(first + k) * words + w] = out;
}

enum Kind { resistor, diode, transistor, source };

struct Device {
  int kind, plus, minus, gate;
  double value, size;
};

struct Stamp {
  double current, slope, control;
};

__host__ __device__ inline Stamp stamp_of(const Device& d, double v, double gate_voltage) {
  Stamp s = {0, 1e-12, 0};
  if (d.kind == resistor) {
    s = {v / d.value, 1 / d.value, 0};
  } else if (d.kind == diode) {
    const double heat = 0.02585 * d.size, top = 30 * heat;
    const double e = exp((v < top ? v : top) / heat), saturation = 1e-12 * d.value;
    s.slope += saturation * e / heat;
    s.current = saturation * (e - 1) + (v > top ? s.slope * (v - top) : 0);
    if (v < -5) {  // It breaks through.
      const double back = exp(-(v + 5) / 0.1);
      s.current -= 1e-9 * back;
      s.slope += 1e-8 * back;
    }
  } else if (d.kind == transistor) {
    const bool turned = v < 0;
    const double across = turned ? -v : v, bulk = sqrt(0.6 + across) - sqrt(0.6);
    const double over = gate_voltage - d.value - 0.4 * bulk, mobility = d.size / (1 + 0.25 * fabs(over));
    if (over <= 0) {
      const double e = exp(over / 0.04);
      s.current = 1e-7 * d.size * e * (1 - exp(-across / 0.026));
      s.slope = 1e-7 * d.size * e * exp(-across / 0.026) / 0.026;
      s.control = s.current / 0.04;
    } else if (across < over) {
      s.current = mobility * (over - 0.5 * across) * across;
      s.slope = mobility * (over - across);
      s.control = mobility * across;
    } else {
      s.current = 0.5 * mobility * over * over * (1 + 0.02 * across);
      s.slope = 0.01 * mobility * over * over;
      s.control = mobility * over * (1 + 0.02 * across);
    }
    if (turned) s.current = -s.current;
  } else {
    s = {d.value * tanh(d.size * gate_voltage), 1e-9, 0};
  }
  return s;
}

// Newton's step of a circuit simulator: each device by its own formula, added to the equations of its nodes.
__global__ void ed_stamp_devices(const Device* device, const double* voltage, double* current, double* slope,
                                 int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Device d = device[i];
  const Stamp s = stamp_of(d, voltage[d.plus] - voltage[d.minus], voltage[d.gate] - voltage[d.minus]);
  atomicAdd(&current[d.plus], -s.current);
  atomicAdd(&current[d.minus], s.current);
  atomicAdd(&slope[d.plus], s.slope);
  atomicAdd(&slope[d.minus], s.slope + s.control);
}

constexpr int side = 64, cells = side * side, none = 0xffff;

struct Wire {
  int length, bends;
};

// Lee's way to lead a wire: waves from its start, with a list of the cells that the last one reached; then
// one thread walks back. A block per wire, each with a maze of its own.
__global__ void __launch_bounds__(128)
    ed_route_mazes(const unsigned* walls, const ushort2* ends, Wire* wire) {
  __shared__ unsigned closed[cells / 32];
  __shared__ unsigned short distance[cells], front[2][1024];
  __shared__ int size[2];
  const int t = threadIdx.x, start = ends[blockIdx.x].x, end = ends[blockIdx.x].y;
  closed[t] = walls[blockIdx.x * (cells / 32) + t];
  for (int i = t; i < cells; i += 128) distance[i] = none;
  if (t == 0) {
    size[0] = 1;
    front[0][0] = (unsigned short)start;
  }
  __syncthreads();
  if (t == 0) {
    closed[start / 32] |= 1u << start % 32;
    distance[start] = 0;
  }
  for (int wave = 1;; ++wave) {
    const int now = (wave - 1) & 1;
    if (t == 0) size[!now] = 0;
    __syncthreads();
    const int all = size[now];
    const bool ends_here = all == 0 || distance[end] != none;
    __syncthreads();
    if (ends_here) break;
    for (int k = t; k < 4 * all; k += 128) {
      const int at = front[now][k / 4], x = at % side, y = at / side;
      const int u = x + (k % 4 == 0) - (k % 4 == 1), v = y + (k % 4 == 2) - (k % 4 == 3);
      if (u < 0 || v < 0 || u >= side || v >= side) continue;
      const int next = v * side + u;
      if (atomicOr(&closed[next / 32], 1u << next % 32) >> next % 32 & 1) continue;
      distance[next] = (unsigned short)wave;
      front[!now][atomicAdd(&size[!now], 1)] = (unsigned short)next;
    }
    __syncthreads();
  }
  if (t > 0) return;
  Wire w = {distance[end] == none ? -1 : distance[end], 0};
  for (int at = end, left = w.length, direction = 0; left > 0; --left) {
    const int x = at % side, y = at / side;
    for (int k = direction;; k = (k + 1) % 4) {  // Straight on, where that is possible.
      const int u = x + (k == 0) - (k == 1), v = y + (k == 2) - (k == 3);
      if (u < 0 || v < 0 || u >= side || v >= side || distance[v * side + u] != left - 1) continue;
      w.bends += k != direction;
      direction = k;
      at = v * side + u;
      break;
    }
  }
  wire[blockIdx.x] = w;
}

// How long each wire is, smoothed by exponentials, and how it pulls on the cells at its pins. Most wires have
// few pins, some have many.
__global__ void ed_pull_cells(const int* start, const int* pin, const float2* place, float2* pull,
                              float* length, float sharp, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 low = {1e30f, 1e30f}, high = {-1e30f, -1e30f};
  for (int k = start[i]; k < start[i + 1]; ++k) {
    const float2 p = place[pin[k]];
    low = {fminf(low.x, p.x), fminf(low.y, p.y)};
    high = {fmaxf(high.x, p.x), fmaxf(high.y, p.y)};
  }
  float2 right = {0, 0}, left = {0, 0};
  for (int k = start[i]; k < start[i + 1]; ++k) {
    const float2 p = place[pin[k]];
    right.x += __expf(sharp * (p.x - high.x));
    right.y += __expf(sharp * (p.y - high.y));
    left.x += __expf(sharp * (low.x - p.x));
    left.y += __expf(sharp * (low.y - p.y));
  }
  for (int k = start[i]; k < start[i + 1]; ++k) {
    const float2 p = place[pin[k]];
    atomicAdd(&pull[pin[k]].x,
              __expf(sharp * (p.x - high.x)) / right.x - __expf(sharp * (low.x - p.x)) / left.x);
    atomicAdd(&pull[pin[k]].y,
              __expf(sharp * (p.y - high.y)) / right.y - __expf(sharp * (low.y - p.y)) / left.y);
  }
  length[i] = high.x - low.x + high.y - low.y +
              (__logf(right.x) + __logf(left.x) + __logf(right.y) + __logf(left.y)) / sharp;
}

static void simulate_gates(Zoo& zoo) {
  const int levels = 10, inputs = 600;
  std::vector<Gate> gate(inputs);
  std::vector<int> first{inputs};
  Random r{1};
  for (int level = 0; level < levels; ++level) {
    const int before = int(gate.size()), gates = 500 + int(r.below(3000));
    for (int k = 0; k < gates; ++k) {
      const int near = before - 1 - int(r.below(unsigned(before < 1500 ? before : 1500)));
      gate.push_back({int(r.below(7)), near, int(r.below(before))});
    }
    first.push_back(int(gate.size()));
  }
  auto net = random_words(gate.size() * words, 2);
  for (size_t k = inputs * words; k < net.size(); ++k) net[k] = 0;
  unsigned* value = zoo.upload(net);
  const Gate* list = zoo.upload(gate);
  for (int level = 0; level < levels; ++level) {
    const int gates = first[level + 1] - first[level];
    ed_simulate_gates<<<(gates * words + 127) / 128, 128>>>(list, value, first[level], gates);
  }
  for (size_t k = inputs; k < gate.size(); ++k)
    for (int w = 0; w < words; ++w) {
      const unsigned a = net[size_t(gate[k].a) * words + w], b = net[size_t(gate[k].b) * words + w];
      const unsigned all[7] = {
          a & b, ~(a & b), a | b, ~(a | b), a ^ b, ~a, (a & 0x55555555u) | (b & 0xaaaaaaaau)};
      net[k * words + w] = all[gate[k].kind];
    }
  zoo.expect_each(
      "ed_simulate_gates", value, net.size(), 1, [&](size_t i) { return net[i]; }, 1e-15);
}

static void stamp_devices(Zoo& zoo) {
  const int n = 40000, nodes = 9000;
  const auto voltage = random_doubles(nodes, 3, -1.5, 1.5);
  std::vector<Device> device(n);
  Random r{4};
  for (Device& d : device) {
    d = {r.below(2) ? transistor : int(r.below(4)),
         int(r.below(nodes)),
         int(r.below(nodes)),
         int(r.below(nodes)),
         0.5 + r.unit(),
         1 + r.unit()};
    if (r.below(5) == 0) d.minus = 0;
  }
  std::vector<double> want(2 * nodes);
  for (const Device& d : device) {
    const Stamp s = stamp_of(d, voltage[d.plus] - voltage[d.minus], voltage[d.gate] - voltage[d.minus]);
    want[d.plus] -= s.current;
    want[d.minus] += s.current;
    want[nodes + d.plus] += s.slope;
    want[nodes + d.minus] += s.slope + s.control;
  }
  double* sums = zoo.zeros<double>(2 * nodes);
  ed_stamp_devices<<<(n + 127) / 128, 128>>>(zoo.upload(device), zoo.upload(voltage), sums, sums + nodes, n);
  zoo.expect_each(
      "ed_stamp_devices", sums, 2 * nodes, 1, [&](size_t i) { return want[i]; }, 1e-6);
}

static void route_mazes(Zoo& zoo) {
  const int mazes = 280;
  std::vector<unsigned> walls(mazes * cells / 32);
  std::vector<ushort2> ends(mazes);
  Random r{5};
  for (unsigned& w : walls)
    for (int k = 0; k < 32; ++k) w |= unsigned(r.below(10) < 3) << k;
  std::vector<int> want(mazes);
  for (int m = 0; m < mazes; ++m) {
    unsigned* own = &walls[m * cells / 32];
    auto open = [&](int at) {
      own[at / 32] &= ~(1u << at % 32);
      return (unsigned short)at;
    };
    ends[m] = {open(int(r.below(cells))), open(int(r.below(cells)))};
    std::vector<int> distance(cells, -1);
    std::queue<int> next;
    next.push(ends[m].x);
    for (distance[ends[m].x] = 0; !next.empty(); next.pop()) {
      const int at = next.front(), x = at % side, y = at / side;
      auto visit = [&](bool inside, int to) {
        if (!inside || distance[to] >= 0 || own[to / 32] >> to % 32 & 1) return;
        distance[to] = distance[at] + 1;
        next.push(to);
      };
      visit(x > 0, at - 1);
      visit(x < side - 1, at + 1);
      visit(y > 0, at - side);
      visit(y < side - 1, at + side);
    }
    want[m] = distance[ends[m].y];
  }
  Wire* wire = zoo.zeros<Wire>(mazes);
  ed_route_mazes<<<mazes, 128>>>(zoo.upload(walls), zoo.upload(ends), wire);
  std::vector<int> length;
  bool bends = true;
  for (const Wire& w : zoo.download(wire, mazes)) {
    length.push_back(w.length);
    bends = bends && w.bends >= 0 && w.bends <= (w.length > 0 ? w.length : 0);
  }
  zoo.expect_each(
      "ed_route_mazes", zoo.upload(length), mazes, 1, [&](size_t i) { return want[i]; }, 1e-12);
  zoo.require("ed_route_mazes", bends, "a wire has at most a bend per cell");
}

static void pull_cells(Zoo& zoo) {
  const int nets = 26000, movable = 12000;
  const float sharp = 0.4f;
  std::vector<int> start{0}, pin;
  Random r{6};
  for (int i = 0; i < nets; ++i) {
    const int pins = r.below(60) ? 2 + int(r.below(4) * r.below(4)) : 20 + int(r.below(60));
    const int about = int(r.below(movable));
    for (int k = 0; k < pins; ++k) pin.push_back((about + int(r.below(k ? 900 : 1))) % movable);
    start.push_back(int(pin.size()));
  }
  const auto place = random_floats(2 * movable, 7, 0, 100);
  float *pull = zoo.zeros<float>(2 * movable), *length = zoo.zeros<float>(nets);
  ed_pull_cells<<<(nets + 127) / 128, 128>>>(zoo.upload(start), zoo.upload(pin),
                                             (const float2*)zoo.upload(place), (float2*)pull, length, sharp,
                                             nets);
  std::vector<double> want(2 * movable);
  for (int i = 0; i < nets; ++i)
    for (int axis = 0; axis < 2; ++axis) {
      double right = 0, left = 0;
      for (int k = start[i]; k < start[i + 1]; ++k) {
        right += exp(sharp * place[2 * pin[k] + axis]);
        left += exp(-sharp * place[2 * pin[k] + axis]);
      }
      for (int k = start[i]; k < start[i + 1]; ++k) {
        const double p = place[2 * pin[k] + axis];
        want[2 * pin[k] + axis] += exp(sharp * p) / right - exp(-sharp * p) / left;
      }
    }
  zoo.expect_each(
      "ed_pull_cells", pull, 2 * movable, 1, [&](size_t i) { return want[i]; }, 1e-3);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ed_simulate_gates")) simulate_gates(zoo);
  if (zoo.runs("ed_stamp_devices")) stamp_devices(zoo);
  if (zoo.runs("ed_route_mazes")) route_mazes(zoo);
  if (zoo.runs("ed_pull_cells")) pull_cells(zoo);
  return zoo.done();
}

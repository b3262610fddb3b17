// Bits, searches and chance: cells of an automaton, sudokus, hands of cards, and roots between sure bounds.
#include "zoo.cuh"

__device__ void count_three(unsigned a, unsigned b, unsigned c, unsigned& one, unsigned& two) {
  one = a ^ b ^ c;
  two = (a & b) | (c & (a ^ b));
}

// Conway's life, 32 cells per word: the neighbours of all of them are added up bit by bit.
__global__ void pu_life_words(const unsigned* from, unsigned* to, int words, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words * height) return;
  const int x = i % words, y = i / words, left = x ? x - 1 : words - 1, right = x < words - 1 ? x + 1 : 0;
  const int row[3] = {(y ? y - 1 : height - 1) * words, y * words, (y < height - 1 ? y + 1 : 0) * words};
  unsigned one[3], two[3], here = 0;
#pragma unroll
  for (int r = 0; r < 3; ++r) {
    const unsigned w = from[row[r] + x];
    const unsigned before = w << 1 | from[row[r] + left] >> 31, after = w >> 1 | from[row[r] + right] << 31;
    if (r == 1) {
      here = w;
      one[r] = before ^ after;
      two[r] = before & after;
    } else {
      count_three(before, w, after, one[r], two[r]);
    }
  }
  unsigned ones, carry, twos, fours;
  count_three(one[0], one[1], one[2], ones, carry);
  count_three(two[0], two[1], two[2], twos, fours);
  const unsigned eights = fours | (twos & carry);
  to[i] = (twos ^ carry) & ~eights & (ones | here);
}

// A thread per sudoku: the free cells in order, the digits that are still possible as bits.
__global__ void pu_solve_sudokus(const unsigned char* puzzle, unsigned char* solution, int* tries, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned short row[9] = {}, column[9] = {}, box[9] = {}, left[81];
  unsigned char cell[81], at[81];
  int free_cells = 0;
  for (int c = 0; c < 81; ++c) {
    cell[c] = puzzle[c * n + i];
    const unsigned bit = 1u << cell[c] >> 1;
    if (!cell[c]) {
      at[free_cells++] = (unsigned char)c;
      continue;
    }
    row[c / 9] |= (unsigned short)bit;
    column[c % 9] |= (unsigned short)bit;
    box[c / 27 * 3 + c % 9 / 3] |= (unsigned short)bit;
  }
  int depth = 0, count = 0;
  bool forward = true;
  while (depth >= 0 && depth < free_cells && count < 400) {
    ++count;
    const int c = at[depth], r = c / 9, k = c % 9, b = c / 27 * 3 + c % 9 / 3;
    if (forward) {
      left[depth] = (unsigned short)(511 & ~(row[r] | column[k] | box[b]));
    } else {
      const unsigned short bit = (unsigned short)(1u << cell[c] >> 1);
      row[r] ^= bit;
      column[k] ^= bit;
      box[b] ^= bit;
    }
    const unsigned options = left[depth];
    forward = options != 0;
    if (!forward) {
      --depth;
      continue;
    }
    const unsigned short bit = (unsigned short)(options & (0u - options));
    left[depth] ^= bit;
    cell[c] = (unsigned char)__ffs(bit);
    row[r] |= bit;
    column[k] |= bit;
    box[b] |= bit;
    ++depth;
  }
  for (int c = 0; c < 81; ++c) solution[c * n + i] = cell[c];
  tries[i] = count;
}

// Draws hands of five cards and counts pairs, triples, flushes and the rest.
__global__ void pu_deal_hands(unsigned seed, int hands, unsigned* kinds) {
  __shared__ unsigned count[8];
  if (threadIdx.x < 8) count[threadIdx.x] = 0;
  __syncthreads();
  unsigned s = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u ^ seed;
  for (int h = 0; h < hands; ++h) {
    unsigned long long held = 0;
    while (__popcll(held) < 5) {
      s ^= s << 13;
      s ^= s >> 17;
      s ^= s << 5;
      held |= 1ull << __umulhi(s, 52);
    }
    // Thirteen ranks by four suits.
    const unsigned a = held & 8191, b = held >> 13 & 8191, c = held >> 26 & 8191, d = unsigned(held >> 39);
    const bool flush = !(held & ~0x1fffull) || !(held & ~(0x1fffull << 13)) || !(held & ~(0x1fffull << 26)) ||
                       !(held & ~(0x1fffull << 39));
    const int ranks = __popc(a | b | c | d);
    const unsigned in_three = (a & b & c) | (a & b & d) | (a & c & d) | (b & c & d);
    const int kind = flush ? 0 : ranks == 4 ? 1 : ranks == 3 ? (in_three ? 3 : 2) : ranks == 2 ? 4 : 5;
    atomicAdd(&count[kind], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 8 && count[threadIdx.x]) atomicAdd(&kinds[threadIdx.x], count[threadIdx.x]);
}

struct Range {
  double low, high;
};

__device__ Range product(Range a, Range b) {
  const double l = fmin(fmin(__dmul_rd(a.low, b.low), __dmul_rd(a.low, b.high)),
                        fmin(__dmul_rd(a.high, b.low), __dmul_rd(a.high, b.high)));
  const double h = fmax(fmax(__dmul_ru(a.low, b.low), __dmul_ru(a.low, b.high)),
                        fmax(__dmul_ru(a.high, b.low), __dmul_ru(a.high, b.high)));
  return {l, h};
}

__device__ Range sum(Range a, Range b) { return {__dadd_rd(a.low, b.low), __dadd_ru(a.high, b.high)}; }

// Halves intervals until those that may hold a root of the cubic are short; adds up where they begin.
__global__ void pu_bound_roots(const double* c0, const double* c1, const double* c2, double* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Range a = {c0[i], c0[i]}, b = {c1[i], c1[i]}, c = {c2[i], c2[i]};
  Range stack[32];
  int top = 0;
  double first = 100;
  stack[top++] = {-4, 4};
  while (top) {
    const Range x = stack[--top];
    // ((x + c) * x + b) * x + a
    const Range f = sum(product(sum(product(sum(x, c), x), b), x), a);
    if (f.low > 0 || f.high < 0) continue;
    if (x.high - x.low < 1e-4) {
      first = fmin(first, x.low);
      continue;
    }
    const double middle = 0.5 * (x.low + x.high);
    stack[top++] = {x.low, middle};
    stack[top++] = {middle, x.high};
  }
  found[i] = first;
}

static void solve_sudokus(Zoo& zoo) {
  const int n = 3000;
  std::vector<unsigned char> puzzle(81 * n);
  Random r{2};
  for (int i = 0; i < n; ++i) {
    int digit[9], row[9], column[9];
    for (int k = 0; k < 9; ++k) digit[k] = k + 1, row[k] = column[k] = k;
    for (int k = 8; k; --k) {
      const int other = int(r.below(k + 1)), swap = digit[k];
      digit[k] = digit[other];
      digit[other] = swap;
      const int inside = k / 3 * 3 + int(r.below(3)), swap_row = row[k];
      row[k] = row[inside];
      row[inside] = swap_row;
    }
    for (int c = 0; c < 81; ++c) {
      const int y = row[c / 9], x = column[c % 9];
      puzzle[c * n + i] = (unsigned char)(r.below(100) < 37 ? 0 : digit[(y * 3 + y / 3 + x) % 9]);
    }
  }
  auto* solution = zoo.zeros<unsigned char>(81 * n);
  int* tries = zoo.zeros<int>(n);
  pu_solve_sudokus<<<(n + 63) / 64, 64>>>(zoo.upload(puzzle), solution, tries, n);
  zoo.show("pu_solve_sudokus", tries, n);
  const auto got = zoo.download(solution, 81 * n);
  const auto counts = zoo.download(tries, n);
  int wrong = 0, solved = 0;
  for (int i = 0; i < n; ++i) {
    if (counts[i] == 400) continue;
    ++solved;
    for (int u = 0; u < 9; ++u) {
      unsigned row = 0, column = 0, box = 0;
      for (int k = 0; k < 9; ++k) {
        row |= 1u << got[(9 * u + k) * n + i];
        column |= 1u << got[(9 * k + u) * n + i];
        box |= 1u << got[(u / 3 * 27 + u % 3 * 3 + k / 3 * 9 + k % 3) * n + i];
      }
      wrong += row != 1022 || column != 1022 || box != 1022;
    }
    for (int c = 0; c < 81; ++c) wrong += puzzle[c * n + i] && puzzle[c * n + i] != got[c * n + i];
  }
  zoo.require("pu_solve_sudokus", wrong == 0 && solved > n * 8 / 10,
              "each row, column and box has all digits");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("pu_life_words")) {
    const int words = 48, height = 1100, width = 32 * words, n = words * height;
    const auto start = random_words(n, 1);
    unsigned *a = zoo.upload(start), *b = zoo.zeros<unsigned>(n), *c = zoo.zeros<unsigned>(n),
             *d = zoo.zeros<unsigned>(n);
    const int blocks = (n + 127) / 128;
    pu_life_words<<<blocks, 128>>>(a, b, words, height);
    pu_life_words<<<blocks, 128>>>(b, c, words, height);
    pu_life_words<<<blocks, 128>>>(c, d, words, height);
    zoo.show("pu_life_words", d, n);
    const auto got = zoo.download(d, n);
    int wrong = 0;
    for (int k = 0; k < width * height; k += 1013) {
      // The cells around one after no, one and two generations.
      bool cell[7][7];
      for (int v = 0; v < 7; ++v)
        for (int u = 0; u < 7; ++u) {
          const int x = (k % width + u - 3 + width) % width, y = (k / width + v - 3 + height) % height;
          cell[v][u] = start[y * words + x / 32] >> x % 32 & 1;
        }
      for (int edge = 1; edge <= 3; ++edge) {
        bool next[7][7] = {};
        for (int v = edge; v < 7 - edge; ++v)
          for (int u = edge; u < 7 - edge; ++u) {
            int around = 0;
            for (int q = 0; q < 9; ++q) around += q != 4 && cell[v + q / 3 - 1][u + q % 3 - 1];
            next[v][u] = around == 3 || (around == 2 && cell[v][u]);
          }
        memcpy(cell, next, sizeof cell);
      }
      wrong += cell[3][3] != (got[k / width * words + k % width / 32] >> k % width % 32 & 1);
    }
    zoo.require("pu_life_words", wrong == 0, "three generations later each cell is as counted one by one");
  }
  if (zoo.runs("pu_solve_sudokus")) solve_sudokus(zoo);
  if (zoo.runs("pu_deal_hands")) {
    const int blocks = 130, hands = 14;
    unsigned* kinds = zoo.zeros<unsigned>(8);
    pu_deal_hands<<<blocks, 256>>>(20261127u, hands, kinds);
    const double all = double(blocks) * 256 * hands;
    zoo.expect("pu_deal_hands", kinds, 8, all, 1e-12);
    const auto got = zoo.download(kinds, 8);
    const bool right = fabs(got[1] / all - 0.4226) < 0.005 && fabs(got[2] / all - 0.0475) < 0.003 &&
                       fabs(got[3] / all - 0.0211) < 0.002 && fabs(got[0] / all - 0.00198) < 0.0005;
    zoo.require("pu_deal_hands", right, "the kinds of hands have their chances");
  }
  if (zoo.runs("pu_bound_roots")) {
    const int n = 7000;
    // (x - r)(x^2 + x + q) with q > 1/4 has the one root r.
    const auto root = random_doubles(n, 3, -3, 3), q = random_doubles(n, 4, 1, 2);
    std::vector<double> c0(n), c1(n), c2(n);
    for (int i = 0; i < n; ++i) c0[i] = -root[i] * q[i], c1[i] = q[i] - root[i], c2[i] = 1 - root[i];
    double* found = zoo.zeros<double>(n);
    pu_bound_roots<<<(n + 63) / 64, 64>>>(zoo.upload(c0), zoo.upload(c1), zoo.upload(c2), found, n);
    zoo.show("pu_bound_roots", found, n);
    const auto got = zoo.download(found, n);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += !(got[i] <= root[i] && root[i] - got[i] < 5e-3);
    zoo.require("pu_bound_roots", wrong == 0, "the root is just behind the first interval's begin");
  }
  return zoo.done();
}

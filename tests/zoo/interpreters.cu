// Interpreters: a machine with a stack, formulas as trees, patterns as automata, and small programs that
// evolve.
#include "zoo.cuh"

/* ---- a stack machine -------------------------------------------------------------------------------- */

enum op { PUSH, ADD, SUB, MUL, XOR, SHR, DUP, SWAP, LOAD, STORE, JNZ, HALT };

typedef struct {
  unsigned char code, arg;
} insn;

#define STACK 16
#define MEMORY 8

/* Runs one program on one input; the result is memory cell 0. `fuel` bounds the instructions. */
__host__ __device__ static unsigned run_program(const insn* program, unsigned input, int fuel) {
  unsigned stack[STACK], memory[MEMORY] = {0};
  int sp = 0, pc = 0;
  memory[1] = input;
  while (fuel-- > 0) {
    const insn in = program[pc++];
    switch (in.code) {
      case PUSH:
        stack[sp++] = in.arg;
        break;
      case ADD:
        sp--;
        stack[sp - 1] += stack[sp];
        break;
      case SUB:
        sp--;
        stack[sp - 1] -= stack[sp];
        break;
      case MUL:
        sp--;
        stack[sp - 1] *= stack[sp];
        break;
      case XOR:
        sp--;
        stack[sp - 1] ^= stack[sp];
        break;
      case SHR:
        stack[sp - 1] >>= in.arg;
        break;
      case DUP:
        stack[sp] = stack[sp - 1];
        sp++;
        break;
      case SWAP: {
        const unsigned top = stack[sp - 1];
        stack[sp - 1] = stack[sp - 2];
        stack[sp - 2] = top;
        break;
      }
      case LOAD:
        stack[sp++] = memory[in.arg];
        break;
      case STORE:
        memory[in.arg] = stack[--sp];
        break;
      case JNZ:
        if (stack[--sp] != 0) pc = in.arg;
        break;
      default:
        return memory[0];
    }
  }
  return memory[0];
}

/* Each thread has its own input; eight threads at a time run one of the programs. */
__global__ void vm_run_bytecode(const insn* programs, int length, int count, unsigned* result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = run_program(programs + i / 8 % count * length, i, 4000);
}

/* ---- formulas --------------------------------------------------------------------------------------- */

typedef struct {
  int kind, left,
      right; /* kind: 0 constant, 1 x, 2 y, 3 sum, 4 product, 5 smaller, 6 root of absolute value */
  float value;
} node;

__host__ __device__ static float evaluate(const node* tree, int at, float x, float y) {
  const node n = tree[at];
  if (n.kind == 0) return n.value;
  if (n.kind == 1) return x;
  if (n.kind == 2) return y;
  const float a = evaluate(tree, n.left, x, y);
  if (n.kind == 6) return sqrtf(fabsf(a));
  const float b = evaluate(tree, n.right, x, y);
  return n.kind == 3 ? a + b : n.kind == 4 ? a * b : fminf(a, b);
}

/* A true recursion: the depth of the call stack is the tree's. A block row per formula. */
__global__ void vm_walk_formulas(const node* tree, const int* root, float* value, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width) return;
  const float x = 0.001f * i, y = 1 - x;
  value[blockIdx.y * width + i] = evaluate(tree, root[blockIdx.y], x, y);
}

/* ---- patterns --------------------------------------------------------------------------------------- */

/* Shift-and: bit k of the state says that the pattern's first k + 1 places match; `loop` has the places that
   repeat, `skip` those that may be missing. A thread per line, lines one after the other in memory. */
__global__ void vm_match_lines(const unsigned char* text, const int* start, const unsigned long long* places,
                               unsigned long long loop, unsigned long long skip, unsigned long long last,
                               int* where, int lines) {
  __shared__ unsigned long long has[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) has[i] = places[i];
  __syncthreads();
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  unsigned long long state = 0;
  int found = -1;
  for (int i = start[line]; i < start[line + 1]; ++i) {
    unsigned long long before = state << 1 | 1;
    before |= (before & skip) << 1;
    before |= (before & skip) << 1;
    state = (before | (state & loop)) & has[text[i]];
    if (state & last) {
      found = i - start[line];
      break;
    }
  }
  where[line] = found;
}

/* ---- programs that evolve --------------------------------------------------------------------------- */

#define GENES 12 /* instructions: two bits of operation, two registers of four */
#define TESTS 8

__host__ __device__ static unsigned shuffle_bits(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

/* How many bits of x * x + 3 x over the tests the program gets wrong. */
__host__ __device__ static int errors_of(unsigned long long genes) {
  int wrong = 0;
  for (unsigned t = 0; t < TESTS; ++t) {
    const unsigned x = 3 + 5 * t;
    unsigned r[4] = {x, 1, 2, x};
    unsigned long long left = genes;
    for (int g = 0; g < GENES; ++g, left >>= 5) {
      const int to = int(left >> 2 & 1) * 2 + int(left & 1), from = int(left >> 3 & 3);
      switch (left & 3) {
        case 0:
          r[to] += r[from];
          break;
        case 1:
          r[to] -= r[from];
          break;
        case 2:
          r[to] *= r[from];
          break;
        default:
          r[to] = r[from];
      }
    }
    for (unsigned off = (r[0] ^ (x * x + 3 * x)) & 0xffff; off; off &= off - 1) ++wrong;
  }
  return wrong;
}

__host__ __device__ static unsigned long long child_of(const unsigned long long* genes, const int* wrong,
                                                       int people, unsigned seed) {
  unsigned long long parent[2];
  for (int p = 0; p < 2; ++p) {
    int best = -1;
    for (int k = 0; k < 3; ++k) {
      seed = shuffle_bits(seed + 0x9e3779b9u);
      const int other = int(seed % unsigned(people));
      if (best < 0 || wrong[other] < wrong[best]) best = other;
    }
    parent[p] = genes[best];
  }
  seed = shuffle_bits(seed + 1);
  const unsigned long long mask = (1ull << (seed & 63)) - 1, flip = 1ull << (seed >> 8 & 63);
  const unsigned long long child = (parent[0] & mask) | (parent[1] & ~mask);
  return seed >> 16 & 1 ? child ^ flip : child;
}

/* A block is an island; its people live in shared memory for all generations. */
__global__ void vm_evolve_islands(unsigned long long* best, int* fewest, int generations) {
  __shared__ unsigned long long genes[64];
  __shared__ int wrong[64];
  const int t = threadIdx.x;
  unsigned seed = shuffle_bits(blockIdx.x * 64 + t + 1);
  genes[t] = (unsigned long long)shuffle_bits(seed) << 32 | shuffle_bits(seed + 7);
  for (int g = 0; g < generations; ++g) {
    wrong[t] = errors_of(genes[t]);
    __syncthreads();
    const unsigned long long child = child_of(genes, wrong, 64, seed + unsigned(g) * 64007u);
    __syncthreads();
    genes[t] = child;
  }
  wrong[t] = errors_of(genes[t]);
  __syncthreads();
  if (t == 0) {
    int at = 0;
    for (int k = 1; k < 64; ++k) at = wrong[k] < wrong[at] ? k : at;
    best[blockIdx.x] = genes[at];
    fewest[blockIdx.x] = wrong[at];
  }
}

/* ---- cases ------------------------------------------------------------------------------------------ */

static void run_bytecode(Zoo& zoo) {
  const int length = 32, n = 20000, count = 3;
  /* A sum of squares, steps of a xorshift generator, and Collatz-like halving, each as often as its input
   * says. */
  const insn code[count][length] = {
      {{LOAD, 1},  {PUSH, 31}, {SWAP, 0},  {SHR, 3},  {ADD, 0},  {PUSH, 255}, {SWAP, 0}, {SHR, 5},
       {ADD, 0},   {SHR, 3},   {STORE, 2}, {LOAD, 0}, {LOAD, 2}, {DUP, 0},    {MUL, 0},  {ADD, 0},
       {STORE, 0}, {LOAD, 2},  {PUSH, 1},  {SUB, 0},  {DUP, 0},  {STORE, 2},  {JNZ, 11}, {HALT, 0}},
      {{LOAD, 1}, {PUSH, 77}, {XOR, 0}, {STORE, 0}, {PUSH, 20}, {STORE, 2}, {LOAD, 0},  {DUP, 0},
       {SHR, 7},  {XOR, 0},   {DUP, 0}, {PUSH, 33}, {MUL, 0},   {ADD, 0},   {STORE, 0}, {LOAD, 2},
       {PUSH, 1}, {SUB, 0},   {DUP, 0}, {STORE, 2}, {JNZ, 6},   {HALT, 0}},
      {{LOAD, 1},
       {PUSH, 3},
       {ADD, 0},
       {STORE, 2},
       {LOAD, 0},
       {PUSH, 1},
       {ADD, 0},
       {STORE, 0},
       {LOAD, 2},
       {SHR, 1},
       {DUP, 0},
       {STORE, 2},
       {JNZ, 4},
       {HALT, 0}}};
  unsigned* result = zoo.zeros<unsigned>(n);
  const std::vector<insn> programs(&code[0][0], &code[0][0] + count * length);
  vm_run_bytecode<<<(n + 127) / 128, 128>>>(zoo.upload(programs), length, count, result, n);
  const auto want = [&](size_t i) { return run_program(code[i / 8 % count], unsigned(i), 4000); };
  zoo.expect_each("vm_run_bytecode", result, n, 13, want, 1e-12);
}

static int grow(std::vector<node>& tree, Random& r, int depth) {
  node n = {int(r.below(3)), -1, -1, r.unit()};
  if (depth > 0 && r.below(10) < 9) {
    n.kind = 3 + int(r.below(4));
    n.left = grow(tree, r, depth - 1);
    if (n.kind != 6) n.right = grow(tree, r, depth - 1);
  }
  tree.push_back(n);
  return int(tree.size()) - 1;
}

static void walk_formulas(Zoo& zoo) {
  const int formulas = 40, width = 900;
  std::vector<node> tree;
  std::vector<int> root(formulas);
  Random r{2};
  for (int& x : root) x = grow(tree, r, 5);
  float* value = zoo.zeros<float>(formulas * width);
  vm_walk_formulas<<<dim3((width + 63) / 64, formulas), 64>>>(zoo.upload(tree), zoo.upload(root), value,
                                                              width);
  const auto want = [&](size_t i) {
    const float x = 0.001f * float(i % width);
    return evaluate(tree.data(), root[i / width], x, 1 - x);
  };
  zoo.expect_each("vm_walk_formulas", value, formulas * width, 71, want, 2e-3);
}

/* [a-c]+ d? [e-h] e? [a-d]+ h: a search by trying everything. */
static bool matches_at(const unsigned char* s, const unsigned char* end, int place) {
  static const char *low = "adeeah", *high = "cdhedh", *kind = "+?1?+1";
  if (place == 6) return true;
  if (kind[place] == '?' && matches_at(s, end, place + 1)) return true;
  for (int times = 1; s < end && *s >= low[place] && *s <= high[place]; ++times) {
    ++s;
    if (matches_at(s, end, place + 1)) return true;
    if (kind[place] != '+') break;
  }
  return false;
}

static void match_lines(Zoo& zoo) {
  const int lines = 9000;
  std::vector<int> start(lines + 1);
  std::vector<unsigned char> text;
  Random r{3};
  for (int i = 0; i < lines; ++i) {
    start[i] = int(text.size());
    const unsigned length = 20 + r.below(180);
    for (unsigned k = 0; k < length; ++k) text.push_back((unsigned char)('a' + r.below(20)));
  }
  start[lines] = int(text.size());
  std::vector<unsigned long long> places(256);
  const char *low = "adeeah", *high = "cdhedh";
  for (int k = 0; k < 6; ++k)
    for (int c = low[k]; c <= high[k]; ++c) places[c] |= 1ull << k;
  int* where = zoo.zeros<int>(lines);
  /* Places 0 and 4 repeat; places 1 and 3 may be missing. */
  vm_match_lines<<<(lines + 95) / 96, 96>>>(zoo.upload(text), zoo.upload(start), zoo.upload(places), 1 | 16,
                                            2 | 8, 32, where, lines);
  const auto want = [&](size_t i) {
    /* The first end of a match: the shortest prefix of the line that has one. */
    for (int end = start[i] + 1; end <= start[i + 1]; ++end)
      for (int from = start[i]; from < end; ++from)
        if (matches_at(&text[from], text.data() + end, 0)) return end - 1 - start[i];
    return -1;
  };
  zoo.expect_each("vm_match_lines", where, lines, 41, want, 1e-12);
}

static void evolve_islands(Zoo& zoo) {
  const int islands = 90, generations = 6;
  auto* best = zoo.zeros<unsigned long long>(islands);
  int* fewest = zoo.zeros<int>(islands);
  vm_evolve_islands<<<islands, 64>>>(best, fewest, generations);
  const auto want = [&](size_t island) {
    unsigned long long genes[64], next[64];
    int wrong[64], least = 1 << 30;
    for (int g = 0; g <= generations; ++g) {
      for (int t = 0; t < 64; ++t) {
        const unsigned seed = shuffle_bits(unsigned(island) * 64 + t + 1);
        if (g == 0) genes[t] = (unsigned long long)shuffle_bits(seed) << 32 | shuffle_bits(seed + 7);
        wrong[t] = errors_of(genes[t]);
        if (g == generations && wrong[t] < least) least = wrong[t];
      }
      for (int t = 0; t < 64; ++t)
        next[t] =
            child_of(genes, wrong, 64, shuffle_bits(unsigned(island) * 64 + t + 1) + unsigned(g) * 64007u);
      memcpy(genes, next, sizeof genes);
    }
    return least;
  };
  zoo.expect_each("vm_evolve_islands", fewest, islands, 1, want, 1e-12);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("vm_run_bytecode")) run_bytecode(zoo);
  if (zoo.runs("vm_walk_formulas")) walk_formulas(zoo);
  if (zoo.runs("vm_match_lines")) match_lines(zoo);
  if (zoo.runs("vm_evolve_islands")) evolve_islands(zoo);
  return zoo.done();
}

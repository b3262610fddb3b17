// Minds of a game's opponents: random games of Reversi, a search with cut-offs in Connect Four, distances
// over a map with mud and walls, and a table of positions that were met.
#include "zoo.cuh"

using Board = unsigned long long;
constexpr Board no_left = 0xfefefefefefefefeull, no_right = 0x7f7f7f7f7f7f7f7full;

// One step in the eight directions of an 8 x 8 board.
template <int direction>
__host__ __device__ inline Board step(Board b) {
  switch (direction) {
    case 0:
      return b << 1 & no_left;
    case 1:
      return b >> 1 & no_right;
    case 2:
      return b << 8;
    case 3:
      return b >> 8;
    case 4:
      return b << 9 & no_left;
    case 5:
      return b >> 9 & no_right;
    case 6:
      return b << 7 & no_right;
    default:
      return b >> 7 & no_left;
  }
}

template <int direction>
__host__ __device__ inline Board moves_towards(Board own, Board other) {
  Board line = step<direction>(own) & other;
  for (int k = 0; k < 5; ++k) line |= step<direction>(line) & other;
  return step<direction>(line) & ~(own | other);
}

__host__ __device__ inline Board moves(Board own, Board other) {
  return moves_towards<0>(own, other) | moves_towards<1>(own, other) | moves_towards<2>(own, other) |
         moves_towards<3>(own, other) | moves_towards<4>(own, other) | moves_towards<5>(own, other) |
         moves_towards<6>(own, other) | moves_towards<7>(own, other);
}

template <int direction>
__host__ __device__ inline Board turned_towards(Board own, Board other, Board move) {
  Board line = 0, at = step<direction>(move);
  for (; at & other; at = step<direction>(at)) line |= at;
  return at & own ? line : 0;
}

__host__ __device__ inline Board turned(Board own, Board other, Board move) {
  return turned_towards<0>(own, other, move) | turned_towards<1>(own, other, move) |
         turned_towards<2>(own, other, move) | turned_towards<3>(own, other, move) |
         turned_towards<4>(own, other, move) | turned_towards<5>(own, other, move) |
         turned_towards<6>(own, other, move) | turned_towards<7>(own, other, move);
}

__host__ __device__ inline int ones(Board b) {
  b -= b >> 1 & 0x5555555555555555ull;
  b = (b & 0x3333333333333333ull) + (b >> 2 & 0x3333333333333333ull);
  return int(((b + (b >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull >> 56);
}

/// Plays at random until neither side can move, or for `most` moves.
__host__ __device__ inline void play(Board& own, Board& other, unsigned seed, int most) {
  int passes = 0;
  for (int k = 0; k < most && passes < 2; ++k) {
    Board open = moves(own, other);
    if (open) {
      seed = seed * 1664525u + 1013904223u;
      for (unsigned skip = (seed >> 16) * unsigned(ones(open)) >> 16; skip > 0; --skip) open &= open - 1;
      const Board move = open & (~open + 1), flips = turned(own, other, move);
      own ^= flips | move;
      other ^= flips;
      passes = 0;
    } else {
      ++passes;
    }
    const Board swap = own;
    own = other;
    other = swap;
  }
}

// A random game per thread; those of a block add up how far the first side won.
__global__ void op_play_reversi(const ulonglong2* start, int* lead, int games) {
  const ulonglong2 s = start[blockIdx.x];
  int sum = 0;
  for (int g = threadIdx.x; g < games; g += blockDim.x) {
    Board own = s.x, other = s.y;
    play(own, other, blockIdx.x * 7919u + g, 128);
    sum += ones(own) - ones(other);
  }
  sum = __reduce_add_sync(~0u, sum);
  if (threadIdx.x % 32 == 0) atomicAdd(&lead[blockIdx.x], sum);
}

// Connect Four: seven columns of seven bits, the top one always empty.
__host__ __device__ inline bool four(Board b) {
  const int shifts[4] = {1, 7, 6, 8};
  for (int s : shifts) {
    const Board two = b & b >> s;
    if (two & two >> 2 * s) return true;
  }
  return false;
}

__host__ __device__ inline int worth(Board own, Board other) {
  const Board middle = 0x7full << 21, near = 0x7full << 14 | 0x7full << 28;
  return 3 * ones(own & middle) + ones(own & near) - 3 * ones(other & middle) - ones(other & near);
}

constexpr int plies = 4, won = 1000;

// The worth of a position by a search with alpha and beta, the levels on a stack of the thread's own.
__global__ void op_search_four(const ulonglong2* position, int* result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Board own = position[i].x, other = position[i].y, move[plies];
  short alpha[plies + 1], beta[plies + 1], best[plies + 1];
  signed char column[plies + 1];
  int level = 0, value = 0;
  bool enter = true;
  alpha[0] = -30000;
  beta[0] = 30000;
  while (true) {
    if (enter) {
      if (four(other) || level == plies) {
        value = four(other) ? level - won : worth(own, other);
        enter = false;
      } else {
        best[level] = -30000;
        column[level] = -1;
      }
    }
    if (!enter) {  // A value comes back from one level below.
      if (level == 0) break;
      --level;
      const Board swap = own;
      own = other ^ move[level];
      other = swap;
      value = -value;
      if (value > best[level]) best[level] = short(value);
      if (value > alpha[level]) alpha[level] = short(value);
    }
    int c = column[level] + 1;
    while (c < 7 && ((own | other) >> (7 * c + 5) & 1)) ++c;
    if (c == 7 || alpha[level] >= beta[level]) {
      value = best[level] == -30000 ? 0 : best[level];
      enter = false;
      if (level == 0) break;
      continue;
    }
    column[level] = (signed char)c;
    const Board drop = ((own | other) + (1ull << 7 * c)) & (0x3full << 7 * c);
    move[level] = drop & ~(own | other);
    const Board mine = own | move[level];
    own = other;
    other = mine;
    alpha[level + 1] = short(-beta[level]);
    beta[level + 1] = short(-alpha[level]);
    ++level;
    enter = true;
  }
  result[i] = value;
}

constexpr int map_side = 32, map_cells = map_side * map_side;

// Distances to a goal over a map in which each cell has its price, in one block's shared memory, until no
// cell changes.
__global__ void __launch_bounds__(256)
    op_fill_distances(const unsigned char* price, const int* goal, unsigned short* distance) {
  __shared__ unsigned short from[map_cells], to[map_cells];
  const unsigned char* own = price + blockIdx.x * map_cells;
  unsigned short *a = from, *b = to;
  for (int i = threadIdx.x; i < map_cells; i += 256) a[i] = i == goal[blockIdx.x] ? 0 : 60000;
  __syncthreads();
  for (bool changed = true; changed;) {
    bool here = false;
    for (int i = threadIdx.x; i < map_cells; i += 256) {
      const int x = i % map_side, y = i / map_side, p = own[i];
      int d = a[i];
      if (p < 255) {
        int near = 60000;
        if (x > 0) near = min(near, a[i - 1]);
        if (x < map_side - 1) near = min(near, a[i + 1]);
        if (y > 0) near = min(near, a[i - map_side]);
        if (y < map_side - 1) near = min(near, a[i + map_side]);
        if (near + p < d) d = near + p, here = true;
      }
      b[i] = (unsigned short)d;
    }
    changed = __syncthreads_or(here);
    unsigned short* swap = a;
    a = b;
    b = swap;
  }
  for (int i = threadIdx.x; i < map_cells; i += 256) distance[blockIdx.x * map_cells + i] = a[i];
}

constexpr int points = 19 * 19;

// A warp per board of Go: the exclusive or of its stones' words chooses a place in the table, where the
// deepest search stays.
__global__ void op_store_boards(const unsigned char* board, const uint2* word, const int* depth, Board* table,
                                unsigned places, int n) {
  __shared__ uint2 known[2 * points];
  for (int k = threadIdx.x; k < 2 * points; k += blockDim.x) known[k] = word[k];
  __syncthreads();
  const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < n; i += warps) {
    uint2 h = {0, 0};
    for (int k = lane; k < points; k += 32) {
      const int stone = board[size_t(i) * points + k];
      if (stone) {
        const uint2 w = known[(stone - 1) * points + k];
        h.x ^= w.x;
        h.y ^= w.y;
      }
    }
    h.x = __reduce_xor_sync(~0u, h.x);
    h.y = __reduce_xor_sync(~0u, h.y);
    if (lane == 0) atomicMax(&table[h.x % places], Board(depth[i]) << 56 | Board(h.y) << 24 | unsigned(i));
  }
}

static void play_reversi(Zoo& zoo) {
  const int starts = 66, games = 64;
  std::vector<ulonglong2> start(starts);
  for (int k = 0; k < starts; ++k) {
    Board own = 1ull << 28 | 1ull << 35, other = 1ull << 27 | 1ull << 36;
    play(own, other, 17u * k + 1, 26);
    start[k] = {own, other};
  }
  int* lead = zoo.zeros<int>(starts);
  op_play_reversi<<<starts, games>>>(zoo.upload(start), lead, games);
  const auto want = [&](size_t k) {
    int sum = 0;
    for (int g = 0; g < games; ++g) {
      Board own = start[k].x, other = start[k].y;
      play(own, other, unsigned(k) * 7919u + g, 128);
      sum += ones(own) - ones(other);
    }
    return sum;
  };
  zoo.expect_each("op_play_reversi", lead, starts, 1, want, 1e-12);
}

/// The same by recursion and without cut-offs.
static int searched(Board own, Board other, int level) {
  if (four(other)) return level - won;
  if (level == plies) return worth(own, other);
  int best = -30000;
  for (int c = 0; c < 7; ++c) {
    const Board both = own | other, column = 0x3full << 7 * c;
    const Board drop = (both + (1ull << 7 * c)) & column & ~both;
    if (!drop) continue;
    const int v = -searched(other, own | drop, level + 1);
    best = v > best ? v : best;
  }
  return best == -30000 ? 0 : best;
}

static void search_four(Zoo& zoo) {
  const int n = 6000;
  std::vector<ulonglong2> position;
  Random r{2};
  while (position.size() < n) {
    Board own = 0, other = 0;
    const int stones = 4 + int(r.below(26));
    for (int k = 0; k < stones && !four(other); ++k) {
      const int c = int(r.below(7));
      const Board both = own | other, drop = (both + (1ull << 7 * c)) & (0x3full << 7 * c) & ~both;
      const Board mine = own | drop;
      own = other;
      other = mine;
    }
    if (!four(own) && !four(other)) position.push_back({own, other});
  }
  int* result = zoo.zeros<int>(n);
  op_search_four<<<(n + 63) / 64, 64>>>(zoo.upload(position), result, n);
  zoo.expect_each(
      "op_search_four", result, n, 13, [&](size_t i) { return searched(position[i].x, position[i].y, 0); },
      1e-12);
}

static void fill_distances(Zoo& zoo) {
  const int maps = 150;
  std::vector<unsigned char> price(maps * map_cells);
  std::vector<int> goal(maps);
  Random r{3};
  for (auto& p : price) p = (unsigned char)(r.below(5) ? 1 + r.below(9) : 255);
  for (int m = 0; m < maps; ++m) goal[m] = int(r.below(map_cells));
  auto* distance = zoo.zeros<unsigned short>(price.size());
  op_fill_distances<<<maps, 256>>>(zoo.upload(price), zoo.upload(goal), distance);
  std::vector<int> want(price.size(), 60000);
  for (int m = 0; m < maps; ++m) {
    std::vector<int> open{goal[m]};
    int* d = &want[m * map_cells];
    for (d[goal[m]] = 0; !open.empty();) {
      const int at = open.back();
      open.pop_back();
      const int x = at % map_side, y = at / map_side;
      auto relax = [&](bool inside, int next) {
        if (!inside || price[m * map_cells + next] == 255) return;
        const int v = d[at] + price[m * map_cells + next];
        if (v < d[next]) d[next] = v, open.insert(open.begin(), next);
      };
      relax(x > 0, at - 1);
      relax(x < map_side - 1, at + 1);
      relax(y > 0, at - map_side);
      relax(y < map_side - 1, at + map_side);
    }
  }
  zoo.expect_each(
      "op_fill_distances", distance, want.size(), 1, [&](size_t i) { return want[i]; }, 1e-12);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("op_play_reversi")) play_reversi(zoo);
  if (zoo.runs("op_search_four")) search_four(zoo);
  if (zoo.runs("op_fill_distances")) fill_distances(zoo);
  if (zoo.runs("op_store_boards")) {
    const int n = 16000;
    const unsigned places = 1 << 14;
    const auto word = random_words(4 * points, 4);
    const auto depth = random_ints(n, 5, 30);
    std::vector<unsigned char> board(size_t(n) * points);
    Random r{6};
    for (auto& b : board) b = (unsigned char)(r.below(2) ? 1 + r.below(2) : 0);
    std::vector<Board> want(places);
    for (int i = 0; i < n; ++i) {
      unsigned x = 0, y = 0;
      for (int k = 0; k < points; ++k)
        if (const int stone = board[size_t(i) * points + k]) {
          x ^= word[2 * ((stone - 1) * points + k)];
          y ^= word[2 * ((stone - 1) * points + k) + 1];
        }
      const Board entry = Board(depth[i]) << 56 | Board(y) << 24 | unsigned(i);
      if (entry > want[x % places]) want[x % places] = entry;
    }
    Board* table = zoo.zeros<Board>(places);
    op_store_boards<<<132, 256>>>(zoo.upload(board), (const uint2*)zoo.upload(word), zoo.upload(depth), table,
                                  places, n);
    zoo.expect_each(
        "op_store_boards", table, places, 1, [&](size_t i) { return want[i]; }, 1e-15);
  }
  return zoo.done();
}

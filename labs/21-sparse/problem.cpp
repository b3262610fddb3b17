// Sparse matrix times vector, y = A x, in float. A is square. `options.kind` says where its non-zeros are:
//   banded    columns i - params.reach to i + params.reach of row i
//   uniform   params.shortest to params.longest per row, in random columns
//   power     random rows have rows / 2, rows / 4, rows / 6, ... non-zeros: Zipf's law. Rounded up; down if
//             params.shortest is 0: then half of the rows are empty
// `options.format`: "csr" (the default) or "ell".
// Two kinds are no product: "graph" (distances from a vertex, breadth first) and "stencil" (25 points in
// 3-D).
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::sparse_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 22;

/// Compressed sparse rows: row i has entries start[i] to start[i + 1] - 1 of `column` and `value`.
struct Matrix {
  std::vector<int32_t> start = {0}, column;
  std::vector<float> value;
  int64_t rows() const { return int64_t(start.size()) - 1; }
  int64_t nonzeros() const { return int64_t(column.size()); }
  int64_t length(int64_t row) const { return start[size_t(row) + 1] - start[size_t(row)]; }
};

/// `count` different columns below n, ascending.
std::vector<int32_t> random_columns(int64_t count, int64_t n, Random& random) {
  std::vector<int32_t> chosen;
  if (count > n / 8) {
    for (int64_t c = 0; c < n; ++c)
      if (random.below(n - c) < count - int64_t(chosen.size())) chosen.push_back(int32_t(c));
    return chosen;
  }
  while (int64_t(chosen.size()) < count) {
    while (int64_t(chosen.size()) < count) chosen.push_back(int32_t(random.below(n)));
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  }
  return chosen;
}

std::vector<int32_t> band(int64_t row, int64_t reach, int64_t n) {
  std::vector<int32_t> columns;
  for (int64_t c = std::max<int64_t>(0, row - reach); c <= std::min(n - 1, row + reach); ++c)
    columns.push_back(int32_t(c));
  return columns;
}

/// The numbers 1 to n, shuffled: ranks of the rows by length.
std::vector<int64_t> ranks(int64_t n, Random& random) {
  std::vector<int64_t> rank;
  for (int64_t i = 0; i < n; ++i) {
    rank.push_back(i + 1);
    std::swap(rank.back(), rank[size_t(random.below(i + 1))]);
  }
  return rank;
}

Matrix matrix(const Step& step, int64_t n, Random& random) {
  const std::string kind = step.options.at("kind");
  const auto param = [&](const char* name) { return int64_t(step.params.at(name)); };
  const std::vector<int64_t> rank = kind == "power" ? ranks(n, random) : std::vector<int64_t>();
  Matrix a;
  for (int64_t row = 0; row < n; ++row) {
    std::vector<int32_t> columns;
    if (kind == "banded") {
      columns = band(row, param("reach"), n);
    } else if (kind == "uniform") {
      const int64_t length = param("shortest") + random.below(param("longest") - param("shortest") + 1);
      columns = random_columns(std::min(n, length), n, random);
    } else {
      const int64_t twice = 2 * rank[size_t(row)];
      columns = random_columns((n + (param("shortest") ? twice - 1 : 0)) / twice, n, random);
    }
    a.column.insert(a.column.end(), columns.begin(), columns.end());
    a.start.push_back(int32_t(a.column.size()));
  }
  for (int64_t k = 0; k < a.nonzeros(); ++k) a.value.push_back(random.uniform(-1, 1));
  return a;
}

Buffer ints(const char* name, const std::vector<int32_t>& from) {
  Buffer b;
  b.name = name;
  b.elem = Elem::i32;
  b.shape = {int64_t(from.size())};
  b.data.resize(from.size() * 4);
  if (!from.empty()) std::memcpy(b.data.data(), from.data(), b.data.size());
  return b;
}

Buffer floats(const char* name, const std::vector<float>& from) {
  Buffer b;
  b.name = name;
  b.elem = Elem::f32;
  b.shape = {int64_t(from.size())};
  b.data.resize(from.size() * 4);
  if (!from.empty()) std::memcpy(b.data.data(), from.data(), b.data.size());
  return b;
}

/// ELL: rows padded to `width` entries by zeros in column 0. Entry k of row i is at k * rows + i.
Matrix padded(const Matrix& a, int64_t width) {
  Matrix ell;
  ell.column.resize(size_t(a.rows() * width));
  ell.value.resize(size_t(a.rows() * width));
  for (int64_t i = 0; i < a.rows(); ++i)
    for (int64_t k = 0; k < a.length(i); ++k) {
      const size_t to = size_t(k * a.rows() + i), from = size_t(a.start[size_t(i)] + k);
      ell.column[to] = a.column[from];
      ell.value[to] = a.value[from];
    }
  return ell;
}

/// y = A x, and how far float may be off.
Buffer product(const Matrix& a, std::span<const float> x) {
  std::vector<double> y, tolerance;
  for (int64_t i = 0; i < a.rows(); ++i) {
    double sum = 0, magnitudes = 0;
    for (int32_t k = a.start[size_t(i)]; k < a.start[size_t(i) + 1]; ++k) {
      const double term = double(a.value[size_t(k)]) * x[size_t(a.column[size_t(k)])];
      sum += term;
      magnitudes += std::fabs(term);
    }
    y.push_back(sum);
    tolerance.push_back(std::ldexp(double(a.length(i) + 1) * magnitudes, -24));
  }
  return output_buffer("y", Elem::f32, {a.rows()}, std::move(y), std::move(tolerance));
}

/// Numbers of edges from `source` to each vertex; -1 where no path leads.
std::vector<double> distances(const Matrix& graph, int64_t source) {
  std::vector<double> distance(size_t(graph.rows()), -1.0);
  std::vector<int32_t> queue;
  if (source < graph.rows()) {
    queue.push_back(int32_t(source));
    distance[size_t(source)] = 0;
  }
  for (size_t i = 0; i < queue.size(); ++i)
    for (int32_t k = graph.start[size_t(queue[i])]; k < graph.start[size_t(queue[i]) + 1]; ++k) {
      const int32_t to = graph.column[size_t(k)];
      if (distance[size_t(to)] >= 0) continue;
      distance[size_t(to)] = distance[size_t(queue[i])] + 1;
      queue.push_back(to);
    }
  return distance;
}

/// bfs(first_edge, target, distance, vertices, source): the vertices stand on a line, and each has
/// params.degree edges to vertices at most params.reach away. Their numbers are shuffled.
Instance breadth_first(const Step& step, int64_t vertices, Random& random) {
  const int64_t degree = int64_t(step.params.at("degree")), reach = int64_t(step.params.at("reach"));
  const std::vector<int64_t> number = ranks(vertices, random);  // of the vertex at each place, from 1
  std::vector<int64_t> place(static_cast<size_t>(vertices));
  for (int64_t p = 0; p < vertices; ++p) place[size_t(number[size_t(p)]) - 1] = p;
  Matrix graph;
  for (int64_t v = 0; v < vertices; ++v) {
    for (int64_t e = 0; e < degree; ++e) {
      const int64_t to = place[size_t(v)] - reach + random.below(2 * reach + 1);
      if (to >= 0 && to < vertices) graph.column.push_back(int32_t(number[size_t(to)] - 1));
    }
    graph.start.push_back(int32_t(graph.column.size()));
  }
  const int64_t source = vertices > 0 ? number[0] - 1 : 0;
  std::vector<double> distance = distances(graph, source);
  Instance made;
  made.quantities["levels"] = vertices > 0 ? *std::max_element(distance.begin(), distance.end()) + 1 : 0.0;
  made.buffers = {ints("first_edge", graph.start), ints("target", graph.column),
                  output_buffer("distance", Elem::i32, {vertices}, std::move(distance), {0.0})};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(vertices)),
               Arg::scalar(int32_t(source))};
  made.ideal_bytes = 4 * double(graph.nonzeros()) + 12 * double(vertices);
  made.quantities["vertices"] = double(vertices);
  made.quantities["edges"] = double(graph.nonzeros());
  made.tolerance_note = "0: whole numbers are exact";
  return made;
}

constexpr int64_t kRadius = 4;
constexpr double kWeight[kRadius + 1] = {-7.5, 1.5, -0.375, 0.125, -0.0625};  // exact in float

/// stencil(in, out, nx, ny, nz): out[z][y][x] is the weighted sum of in at the point and at the four points
/// before and behind it in each direction. `in` has a border of four points on all sides.
Instance stencil(const Step& step, const Size& size, Random& random) {
  const int64_t nx = extent(step, size, "nx", 1024), ny = extent(step, size, "ny", 1024),
                nz = extent(step, size, "nz", 1024);
  const int64_t row = nx + 2 * kRadius, plane = row * (ny + 2 * kRadius);
  if (plane * (nz + 2 * kRadius) > int64_t(1) << 28)
    throw Error("the grid is too large for " + step.id() + "; the most is 2^28 points");
  Buffer in = uniform_buffer("in", {nz + 2 * kRadius, ny + 2 * kRadius, row}, random, -1.0f, 1.0f);
  const auto at = in.as<float>();
  std::vector<double> out, tolerance;
  for (int64_t z = 0; z < nz; ++z)
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x) {
        const int64_t centre = (z + kRadius) * plane + (y + kRadius) * row + x + kRadius;
        double sum = kWeight[0] * at[size_t(centre)], magnitudes = std::fabs(sum);
        for (int64_t r = 1; r <= kRadius; ++r)
          for (const int64_t step_to : {int64_t(1), row, plane})
            for (const int64_t offset : {-r * step_to, r * step_to}) {
              const double term = kWeight[r] * at[size_t(centre + offset)];
              sum += term;
              magnitudes += std::fabs(term);
            }
        out.push_back(sum);
        tolerance.push_back(std::ldexp(26 * magnitudes, -24));
      }
  Instance made;
  const double points = double(nx * ny * nz);
  const double border = 2 * double(kRadius) * double(nx * ny + ny * nz + nz * nx);  // without its corners
  made.buffers = {std::move(in),
                  output_buffer("out", Elem::f32, {nz, ny, nx}, std::move(out), std::move(tolerance))};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(nx)), Arg::scalar(int32_t(ny)),
               Arg::scalar(int32_t(nz))};
  made.ideal_bytes = points > 0 ? 4 * (2 * points + border) : 0;
  made.flops = 29 * points;  // the 6 points at a distance are added up, then one product per distance
  made.quantities["points"] = points;
  made.tolerance_note = "26 * 2^-24 * sum |weight x|: 25 terms, in any order";
  return made;
}

class Sparse : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    if (kind == "stencil") return stencil(step, size, random);
    if (kind == "graph") return breadth_first(step, extent(step, size, "vertices", kMost), random);
    const int64_t rows = extent(step, size, "rows", kMost);
    const Matrix a = matrix(step, rows, random);
    int64_t longest = 0;
    for (int64_t i = 0; i < rows; ++i) longest = std::max(longest, a.length(i));
    Buffer x = uniform_buffer("x", {rows}, random, -1.0f, 1.0f);
    Buffer y = product(a, x.as<float>());
    Instance made;
    const double nonzeros = double(a.nonzeros());
    if (step.options.contains("format") && step.options.at("format") == "ell") {
      const Matrix ell = padded(a, longest);
      made.buffers = {ints("col", ell.column), floats("value", ell.value), std::move(x), std::move(y)};
      made.args = {Arg::buf(0),
                   Arg::buf(1),
                   Arg::buf(2),
                   Arg::buf(3),
                   Arg::scalar(int32_t(rows)),
                   Arg::scalar(int32_t(longest))};
      made.ideal_bytes = 8 * double(ell.nonzeros()) + 8 * double(rows);
    } else {
      made.buffers = {ints("row_start", a.start), ints("col", a.column), floats("value", a.value),
                      std::move(x), std::move(y)};
      made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2),
                   Arg::buf(3), Arg::buf(4), Arg::scalar(int32_t(rows))};
      if (kind == "power") made.args.push_back(Arg::scalar(int32_t(a.nonzeros())));
      made.ideal_bytes = 8 * nonzeros + 12 * double(rows) + 4;
    }
    made.flops = 2 * nonzeros;
    made.quantities["rows"] = double(rows);
    made.quantities["nonzeros"] = nonzeros;
    made.quantities["longest"] = double(longest);
    made.tolerance_note = "(L + 1) * 2^-24 * sum |a x|: a row of L terms has L roundings, in any order";
    return made;
  }
};

DOJO_PROBLEM("sparse", Sparse);

}  // namespace
}  // namespace dojo::sparse_problem

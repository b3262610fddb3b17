// Maps, sets and queues with hashes, orders and iterators of the program's own.
#include <cstdio>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct Cell {
  int x, y;
  bool operator==(const Cell& o) const { return x == o.x && y == o.y; }
};
struct CellHash {
  size_t operator()(const Cell& c) const { return size_t(c.x) * 31 + size_t(c.y); }
};
struct Point {
  int x;
  bool operator==(const Point& o) const { return x == o.x; }
};
namespace std {
template <>
struct hash<Point> {
  size_t operator()(const Point& p) const { return size_t(p.x % 2); }  // many meet
};
}  // namespace std

int main() {
  std::map<std::string, int> m{{"a", 1}, {"b", 2}};
  m.insert({"c", 3});
  m.emplace("d", 4);
  if (auto it = m.find("b"); it != m.end()) m.erase(it);
  for (auto& [k, v] : m) printf("%s%d ", k.c_str(), v);
  auto [place, added] = m.try_emplace("a", 5);
  m.insert_or_assign("a", 9);
  printf("%d %d %d %s %s\n", added, place->second, m.lower_bound("b")->second, m.rbegin()->first.c_str(),
         m.upper_bound("c")->first.c_str());
  std::map<int, int, std::greater<int>> down{{1, 1}, {2, 2}};
  printf("%d %d\n", down.begin()->first, down.rbegin()->first);

  std::unordered_map<Cell, int, CellHash> cells;
  for (int i = 0; i < 100; ++i) cells[Cell{i % 10, i / 20}] += i;
  cells.erase(Cell{3, 2});
  int sum = 0;
  for (const auto& [c, v] : cells) sum += v * (c.x + 1);
  printf("%zu %d %d %zu\n", cells.size(), sum, cells.at(Cell{4, 1}), cells.count(Cell{3, 2}));
  std::unordered_map<Point, int> points;
  for (int i = 0; i < 8; ++i) points.emplace(Point{i}, i * i);
  for (auto it = points.begin(); it != points.end();) it = it->first.x % 3 == 0 ? points.erase(it) : ++it;
  printf("%zu %d %d\n", points.size(), points[Point{5}], points.find(Point{3}) == points.end());
  std::unordered_map<int, std::string> names;
  names.reserve(10);
  names[2] = "b";
  names.insert({1, "a"});
  printf("%zu %s\n", names.size(), names.at(1).c_str());

  std::set<int> s{3, 1, 2};
  s.erase(s.begin());
  std::multiset<int> many{1, 1, 2, 1};
  printf("%d %d %d %zu ", *s.begin(), *s.rbegin(), *s.upper_bound(2), many.count(1));
  printf("%zu ", many.erase(1));
  printf("%zu\n", many.size());

  auto later = [](int a, int b) { return a > b; };
  std::priority_queue<int, std::vector<int>, decltype(later)> first(later);
  for (int v : {4, 1, 3}) first.push(v);
  std::priority_queue<std::pair<float, int>> best;
  best.emplace(0.5f, 1);
  best.emplace(0.9f, 2);
  printf("%d %d\n", first.top(), best.top().second);
}

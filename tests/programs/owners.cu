// std::shared_ptr with what else owns and watches, lists that are sorted and spliced, promises and tasks, and
// the words for errors.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Shape {
  virtual double area() const = 0;
  virtual ~Shape() { printf("~"); }
};
struct Circle : Shape {
  double r;
  Circle(double radius) : r(radius) {}
  double area() const override { return 3 * r * r; }
};
struct Tree : std::enable_shared_from_this<Tree> {
  std::weak_ptr<Tree> up;
  std::vector<std::shared_ptr<Tree>> down;
  int v;
  Tree(int x) : v(x) {}
  void add(int x) {
    auto t = std::make_shared<Tree>(x);
    t->up = shared_from_this();
    down.push_back(t);
  }
};

int main() {
  std::shared_ptr<Shape> s = std::make_shared<Circle>(2), t = s;
  std::weak_ptr<Shape> w = s;
  printf("%g %ld %d ", s->area(), s.use_count(), w.expired());
  s.reset();
  t = nullptr;
  printf(" %d %d\n", w.expired(), w.lock() == nullptr);
  std::shared_ptr<int> d(new int(5), [](int* p) {
    printf("deleted %d\n", *p);
    delete p;
  });
  d.reset();
  std::shared_ptr<int[]> three(new int[3]{1, 2, 3});
  auto root = std::make_shared<Tree>(1);
  root->add(2);
  const int above = root->down[0]->up.lock()->v;
  printf("%d %d %ld\n", three[2], above, root.use_count());
  std::unique_ptr<Shape> alone = std::make_unique<Circle>(1);
  std::shared_ptr<Shape> from = std::move(alone);
  printf("%g %d\n", from->area(), alone == nullptr);

  std::list<int> l{3, 1, 2, 3, 1}, more{9, 8};
  l.sort();
  l.unique();
  for (int x : l) printf("%d", x);
  l.sort(std::greater<int>());
  l.remove_if([](int x) { return x == 2; });
  l.splice(l.begin(), more);
  printf(" ");
  for (int x : l) printf("%d", x);
  printf(" %zu %zu\n", l.size(), more.size());

  std::promise<int> promised;
  auto later = promised.get_future();
  std::thread other([&] { promised.set_value(5); });
  printf("%d ", later.get());
  other.join();
  std::packaged_task<int(int)> task([](int x) { return x * x; });
  auto result = task.get_future();
  task(9);
  printf("%d ", result.get());
  auto greeting = std::async(
      std::launch::async, [](std::string name) { return name + "!"; }, std::string("hi"));
  printf("%s\n", greeting.get().c_str());
  std::promise<int> broken;
  try {
    throw std::runtime_error("boom");
  } catch (...) {
    broken.set_exception(std::current_exception());
  }
  try {
    printf("%d\n", broken.get_future().get());
  } catch (const std::exception& e) {
    puts(e.what());
  }
  printf("%d %d %d %d\n", std::divides<>()(7, 2), std::modulus<int>()(7, 4), std::equal_to<>()(2, 2),
         std::bit_or<>()(4, 1));
  errno = ENOENT;
  puts(strerror(errno));
}

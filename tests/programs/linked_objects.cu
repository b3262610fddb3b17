// Classes with virtual functions, new and delete, unique_ptr, qsort with a comparator, string building.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

struct Shape {
  virtual double area() const = 0;
  virtual const char* name() const { return "shape"; }
  virtual ~Shape() { printf("bye %s\n", "shape"); }
};
struct Square : Shape {
  double a;
  explicit Square(double s) : a(s) {}
  double area() const override { return a * a; }
  const char* name() const override { return "square"; }
};
struct Circle : Shape {
  double r;
  explicit Circle(double s) : r(s) {}
  double area() const override { return 3.0 * r * r; }
};

int byValue(const void* a, const void* b) { return *(const int*)b - *(const int*)a; }

int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Square>(3));
  shapes.emplace_back(new Circle(2));
  double sum = 0;
  for (auto& s : shapes) {
    sum += s->area();
    printf("%s %.1f\n", s->name(), s->area());
  }
  int x[] = {4, 1, 9, 7};
  qsort(x, 4, sizeof(int), byValue);
  std::string line = "sorted:";
  for (int v : x) line += " " + std::to_string(v);
  line += std::string(3, '!');
  printf("%s (%zu) %.0f\n", line.c_str(), line.size(), sum);
  int* raw = new int[100];
  raw[99] = 5;
  int last = raw[99];
  delete[] raw;
  return last == 5 ? 0 : 1;
}

// Standard headers beyond the first lessons: list, multimap, complex, threads that run one after the other,
// dates, partitions, and how often a growing vector moves.
#include <errno.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <ctime>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

// A move for each element would be 8000: growth by a factor needs a few, whatever the factor.
template <class F>
bool few_moves(F grow) {
  std::vector<int> v;
  int moves = 0;
  for (int i = 0; i < 8000; ++i) {
    const size_t room = v.capacity();
    grow(v);
    moves += v.capacity() != room;
  }
  return moves > 0 && moves < 40;
}

void partitions() {
  std::vector<std::string> words;
  for (const char* w : {"one", "three", "two", "seven", "six", "eleven"}) words.push_back(w);
  const auto is_short = [](const std::string& w) { return w.size() == 3; };
  const auto middle = std::stable_partition(words.begin(), words.end(), is_short);
  for (const std::string& w : words) printf("%s ", w.c_str());
  std::list<int> numbers{5, 2, 8, 1, 9};
  const auto odd = std::partition(numbers.begin(), numbers.end(), [](int v) { return v % 2 == 0; });
  int sum = 0;
  for (auto i = numbers.begin(); i != odd; ++i) sum += *i;
  printf("%d: even %d\n", int(middle - words.begin()), sum);
  int all[3] = {1, 2, 3};
  const auto positive = [](int v) { return v > 0; };
  printf("%d %d %d\n", int(std::partition(all, all + 3, positive) - all),
         int(std::stable_partition(all, all, positive) - all),
         std::find_if_not(all, all + 3, positive) == all + 3);
}

void growth() {
  const bool by_resize = few_moves([](std::vector<int>& v) { v.resize(v.size() + 16); });
  const bool by_value = few_moves([](std::vector<int>& v) { v.resize(v.size() + 16, 7); });
  const bool by_push = few_moves([](std::vector<int>& v) { v.push_back(1); });
  std::vector<std::string> v(1, "a word that is longer than a short string");
  v.resize(100, v[0]);
  printf("%d %d %d %s\n", by_resize, by_value, by_push, v[99].c_str());
}

int main(int argc, char**) {
  partitions();
  growth();
  if (argc > 9) throw std::bad_alloc();
  std::map<std::string, std::function<int(int)>> table{{"twice", [](int v) { return 2 * v; }},
                                                       {"more", [](int v) { return v + 1; }}};
  const auto copied = table["twice"];
  table["twice"] = table["more"];
  printf("%d %d\n", copied(5), table["twice"](5));
  std::istringstream in("  P3 # comment\n 7");
  std::string word;
  in >> word >> std::ws;
  printf("%s %c\n", word.c_str(), char(in.peek()));
  std::list<int> numbers{3, 1, 2};
  numbers.push_front(7);
  numbers.pop_back();
  numbers.reverse();
  for (int v : numbers) printf("%d ", v);
  std::multimap<int, char> letters;
  letters.insert({3, 'a'});
  letters.emplace(1, 'b');
  letters.emplace(3, 'c');
  for (const auto& l : letters) printf("%d%c ", l.first, l.second);
  printf("%zu\n", letters.count(3));
  std::complex<double> z(1, 2);
  z = 2.0 * z * z + std::complex<double>(0, 1);
  printf("%g %g %.4f\n", z.real(), std::imag(z), std::abs(z));
  std::mutex m;
  int sum = 0;
  std::thread t(
      [&](int by) {
        std::lock_guard<std::mutex> guard(m);
        sum += by;
      },
      5);
  t.join();
  auto later = std::async(
      std::launch::async, [](int a) { return a + 1; }, 4);
  printf("%d %d\n", sum, later.get());
  const time_t day = 1767225600 + 59 * 86400l + 3661;
  char text[64];
  strftime(text, sizeof text, "%d %B %Y %I:%M:%S %p %j %a", localtime(&day));
  puts(text);
  float two = 2;
  double half = 0.5;
  unsigned long three = 3;
  printf("%.4f %g %g\n", pow(two, half), pow(two, three), std::pow(2.0f, 3));
  printf("%ld\n", long(std::chrono::nanoseconds(5000) / std::chrono::microseconds(1)));
  std::cout << std::setiosflags(std::ios::fixed) << std::setprecision(2) << 3.14159 << std::endl;
  std::set<int> s;
  s.emplace(3);
  struct rusage usage;
  struct stat file;
  errno = 0;
  FILE* f = fopen("letters.txt", "w");
  fputs("abc", f);
  fclose(f);
  stat("letters.txt", &file);
  return int(s.size() + file.st_size) - 4 + getrusage(RUSAGE_SELF, &usage) + errno;
}

// iostream and printf formatting side by side.
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

int main() {
  std::cout << 42 << ' ' << -7 << ' ' << 3.14159265 << ' ' << 1e-10 << ' ' << 1234567.0 << ' ' << 100000.0f << '\n';
  std::cout << std::setw(6) << 42 << "|" << std::left << std::setw(6) << "ab" << "|" << std::right << std::setfill('0')
            << std::setw(4) << 7 << std::endl;
  std::cout << std::fixed << std::setprecision(3) << 2.0 / 3 << ' ' << 1e3 << ' ' << std::scientific << 12345.678 << std::endl;
  std::cout << std::hex << 255 << std::dec << ' ' << true << ' ' << std::boolalpha << false << ' ' << 'c' << "\n";
  std::ostringstream o;
  o << "block " << 3 << ", " << 0.5;
  std::string s = o.str();
  std::cout << s << ' ' << s.length() << std::endl;
  printf("%5d|%-5d|%05d|%+d|%x|%X|%o|%u\n", 42, 42, 42, 42, 255, 255, 8, 4000000000u);
  printf("%f %.2f %e %g %10.3f|%-8.1f|\n", 1.5, 2.345, 12345.678, 0.0001, 3.14159, 2.5);
  printf("%s %10s|%-6s|%.2s %c %% %lld %zu %ld\n", "text", "right", "left", "cut", 'x', 1234567890123ll, sizeof(double), -5l);
  char buffer[16];
  int n = snprintf(buffer, sizeof buffer, "%d-%s", 12, "abcdefghijklmnopqrs");
  printf("%s %d %*d\n", buffer, n, 6, 3);
  puts("end");
}

#include "gui/display.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "core/error.hpp"

namespace dojo::gui {

VirtualDisplay::VirtualDisplay(int width, int height) {
  int fds[2];
  if (::pipe(fds) != 0) throw Error("no pipe for Xvfb can be made");
  pid_ = ::fork();
  if (pid_ < 0) {  // kill(-1) would end every process of the user
    for (int fd : fds) ::close(fd);
    throw Error("no process for Xvfb can be started");
  }
  if (pid_ == 0) {
    ::setpgid(0, 0);
    ::close(fds[0]);
    int null = ::open("/dev/null", O_RDWR);
    for (int fd : {0, 1, 2}) ::dup2(null, fd);
    // Xvfb picks a free number itself and writes it to the descriptor: no race between two of us.
    std::string fd = std::to_string(fds[1]),
                screen = std::to_string(width) + "x" + std::to_string(height) + "x24";
    // Without -noreset it starts anew when its last client leaves, and refuses the one that comes meanwhile.
    ::execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", screen.c_str(), "-noreset", "-r",
             "-nolisten", "tcp", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(fds[1]);
  std::string text;
  char c;
  pollfd p{fds[0], POLLIN, 0};
  while (::poll(&p, 1, 20000) > 0) {
    ssize_t n = ::read(fds[0], &c, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || c == '\n') break;
    text += c;
  }
  ::close(fds[0]);
  if (text.empty()) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    throw Error("Xvfb could not be started: apt-get install xvfb libgl1-mesa-dri");
  }
  name_ = ":" + text;
  if (const char* d = std::getenv("DISPLAY")) before_ = d;
  ::setenv("DISPLAY", name_.c_str(), 1);
}

VirtualDisplay::~VirtualDisplay() {
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
  if (before_.empty())
    ::unsetenv("DISPLAY");
  else
    ::setenv("DISPLAY", before_.c_str(), 1);
}

}  // namespace dojo::gui

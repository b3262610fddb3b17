// The packages, made of this build and used where nothing else is installed (scripts/clean-root.sh).
#include <doctest/doctest.h>
#include <unistd.h>

#include "../left_out.hpp"
#include "../unit/shell.hpp"
#include "../whole_suite.hpp"
#include "core/install/user_labs.hpp"
#include "core/paths.hpp"

using namespace dojo;
namespace fs = std::filesystem;
using dojo::needs::left_out_without;
using test::Shell;
using test::TempFolder;

namespace {

bool can_make_roots() {
  return geteuid() == 0 && needs::installed("mmdebstrap") &&
         std::system("unshare --mount --pid --net --fork true 2>/dev/null") == 0;
}

}  // namespace

TEST_CASE("the packages: the .deb serves a minimal Debian 12, the .tar.gz serves any folder") {
  if (left_out_without("root, mmdebstrap and namespaces", can_make_roots())) return;
  if (left_out_without("cpack")) return;
  if (left_out_without("patchelf")) return;
  if (left_out_without("Debian's package servers",
                       std::system("apt-get -qq --print-uris download libc6 2>/dev/null | grep -q http && "
                                   "timeout 60 apt-get -qq update >/dev/null 2>&1") == 0))
    return;
  TempFolder t;
  const fs::path build = program_path().parent_path(), root = source_root();
  const std::string out = (t.path / "packages").string();
  Shell s = test::shell(t, root.string(),
                        "unset WARPDOJO_ROOT; WARPDOJO_BUILD='" + build.string() + "' '" + root.string() +
                            "/scripts/package.sh' '" + out + "'");
  CAPTURE(s.err);
  REQUIRE(s.status == 0);

  // Unpacked elsewhere, with no variable set, it finds what it brought along.
  s = test::shell(t, "/",
                  "unset WARPDOJO_ROOT; cd '" + out + "' && tar xzf *.tar.gz && export HOME='" + out +
                      "/home' && mkdir home && ./warpdojo-*/bin/warpdojo list reduce");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.err.find("the labs are now in " + out + "/home/warpdojo-labs") != std::string::npos);
  CHECK(fs::exists(out + "/home/warpdojo-labs/assets/devices"));
  // Ubuntu 22.04 has glibc 2.35; what is newer may only be needed weakly.
  s = test::shell(t, "/",
                  "cd '" + out +
                      "'/warpdojo-*/ && file=$(find bin lib -type f) && readelf -V $file | "
                      "grep -E 'Name: GLIBC_2\\.(3[6-9]|[4-9][0-9]) ' | grep -v WEAK; readelf -V $file | "
                      "grep -c 'GLIBC_2'");
  CAPTURE(s.out);
  CHECK(test::one_line(s.out));
  CHECK(s.status == 0);

  // A minimal Debian takes minutes to make and to fill: one run of the suite in six does.
  test::Part part("installing the .deb in a clean root");
  if (part.takes("the .deb")) {
    const fs::path nvrtc = cuda_root() / "lib64", nvcc = cuda_root() / "bin" / "nvcc";
    s = test::shell(t, root.string(),
                    "unset WARPDOJO_ROOT; [ ! -e '" + nvrtc.string() + "' ] || export NVRTC='" +
                        nvrtc.string() + "'; [ ! -x '" + nvcc.string() + "' ] || export NVCC='" +
                        nvcc.string() + "'; BASE='" + (build / "clean-root.tar").string() + "' '" +
                        root.string() + "/scripts/clean-root.sh' '" + out + "'/*.deb");
    MESSAGE(s.out);
    CHECK(s.status == 0);
  }
}

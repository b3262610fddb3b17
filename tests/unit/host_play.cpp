#include "host_play.hpp"

#include <doctest/doctest.h>

#include <chrono>

#include "core/compile/own/own_headers.hpp"
#include "simt/device/register.hpp"

namespace dojo::host_test {

namespace {
RunControl control() {
  RunControl c;
  c.max_seconds = 60;
  c.threads = 1;
  return c;
}
}  // namespace

Loaded::Loaded(const std::string& source, const std::string& file, const std::string& standard) {
  static const bool once = (simt::register_simt(), true);
  (void)once;
  CompileRequest r;
  r.file = file;
  r.source = pack({source, own_headers(file, source, {}), {}, {}});
  r.arch = "compute_90";  // as `play` compiles for the H100
  r.program = true;
  r.standard = standard;
  const Compiled c = compile(r);
  for (const Diagnostic& d : c.diagnostics)
    if (d.severity == Severity::error) MESSAGE(d.where.line << ":" << d.where.column << " " << d.message);
  REQUIRE(c.ok);
  device = open_device("simt:h100");
  session = std::make_unique<host::Session>(c, file, *device, control());
}

Played play(const std::string& source, const std::vector<std::string>& args, const std::string& file,
            const std::string& standard) {
  const auto start = std::chrono::steady_clock::now();
  Played out;
  Loaded l(source, file, standard);
  l.session->set_printer([&](std::string_view s) { out.printed += s; });
  std::vector<std::string> argv = {file};
  argv.insert(argv.end(), args.begin(), args.end());
  try {
    out.exit_status = l.session->main(argv).exit_status;
  } catch (const RunStopped& s) {
    out.stopped = true;
    out.findings.push_back(s.why);
  }
  for (auto& d : l.device->take_findings()) out.findings.push_back(std::move(d));
  for (auto& d : l.session->take_findings()) out.findings.push_back(std::move(d));
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace dojo::host_test

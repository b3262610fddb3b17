#include "grade/intake/unpack_child.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/files/descriptor.hpp"
#include "core/paths.hpp"
#include "core/text/error_words.hpp"
#include "grade/row.hpp"
#include "run/worker/enclosed_child.hpp"
#include "run/worker/hex.hpp"

namespace dojo::grade {
namespace {

using Json = nlohmann::json;

constexpr int archive_descriptor = 3;
constexpr uint64_t most_of_one = 64u << 20;
constexpr int longest_s = 120;

/// The layers that this machine has, tried at the first archive.
const run::Sandbox& reader_sandbox() {
  static const run::Sandbox s = run::probe_sandbox(program_path().string(), run::whole_sandbox());
  return s;
}

Unpacked read_by_child(int archive, uint64_t most_bytes) {
  Unpacked out;
  run::EnclosedChild child(reader_sandbox(), run::Enclosed::compiler,
                           {"--unpack", std::to_string(most_bytes)}, archive);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(longest_s);
  uint64_t all = 0;
  while (std::chrono::steady_clock::now() < until) {
    const auto line = child.channel().read(200);
    if (!line && child.channel().ended()) break;
    if (!line || line->empty()) continue;
    try {
      const Json j = Json::parse(*line);
      if (j.contains("end")) {
        for (const Json& n : j.at("notes")) out.notes.push_back(clean_text(n.get<std::string>(), 300));
        for (const Json& o : j.at("others")) out.others.push_back(clean_entry_path(o.get<std::string>()));
        return out;
      }
      Entry e{clean_entry_path(j.at("path").get<std::string>()),
              run::from_hex(j.at("text").get_ref<const std::string&>()), j.at("modified")};
      all += e.text.size();
      if (all > most_bytes + (most_bytes >> 4)) break;  // no child of ours says so much
      if (!e.path.empty()) out.entries.push_back(std::move(e));
    } catch (const Json::exception&) {
      break;
    }
  }
  out.notes.push_back("can't be read to its end (" + child.end() + "); what could be read counts");
  return out;
}

}  // namespace

Unpacked unpack_apart(const std::string& bytes, uint64_t most_bytes) {
  const Descriptor memory{memfd_create("archive", MFD_CLOEXEC)};
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = write(memory.get(), bytes.data() + at, bytes.size() - at);
    if (n <= 0) throw Error("an archive can't be handed to the process that reads it", 71);
    at += size_t(n);
  }
  return read_by_child(memory.get(), std::min(most_of_one, most_bytes));
}

Unpacked unpack_apart(const fs::path& file, uint64_t most_bytes) {
  const Descriptor archive{open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  if (archive.get() < 0) return {{}, {"can't be read"}, {}};
  return read_by_child(archive.get(), most_bytes);
}

int unpack_child_main(const std::string& most_bytes) {
  const auto [in, out] = run::harden_child();
  run::Channel channel(in, out);
  const auto tell = [&](const Json& j) {
    channel.write(j.dump(-1, ' ', false, Json::error_handler_t::replace));
  };
  try {
    fcntl(archive_descriptor, F_SETFD, FD_CLOEXEC);
    run::enclose_as_asked(run::Enclosed::compiler);
    run::watch_memory(uint64_t(4) << 30, [](uint64_t) { _exit(71); });
    std::string bytes;
    char part[65536];
    off_t at = 0;
    for (ssize_t n; (n = pread(archive_descriptor, part, sizeof part, at)) > 0; at += n)
      bytes.append(part, size_t(n));
    const Unpacked all = unpack(bytes, std::strtoull(most_bytes.c_str(), nullptr, 10));
    for (const Entry& e : all.entries)
      tell({{"path", e.path}, {"text", run::to_hex(e.text)}, {"modified", e.modified}});
    tell({{"end", true}, {"notes", all.notes}, {"others", all.others}});
  } catch (const std::exception& e) {
    tell({{"end", true}, {"notes", {error_words(e)}}, {"others", Json::array()}});
  }
  return 0;
}

}  // namespace dojo::grade

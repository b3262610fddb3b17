#include "grade/intake/archive.hpp"

#include <locale.h>

#include <algorithm>
#include <cctype>

#include "core/error.hpp"
#include "grade/intake/layout.hpp"
#include "grade/row.hpp"

#ifdef DOJO_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

namespace dojo::grade {
namespace {

constexpr size_t largest_entry = 4 << 20, largest_inner = 64 << 20, most_entries = 20000;

std::string ending(const fs::path& p) {
  std::string name = p.filename().string();
  for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

bool ends_in(const fs::path& p, std::initializer_list<const char*> any) {
  const std::string name = ending(p);
  return std::any_of(any.begin(), any.end(), [&](const char* e) { return name.ends_with(e); });
}

}  // namespace

bool is_archive(const fs::path& p) { return ends_in(p, {".zip", ".tar", ".tar.gz", ".tgz"}); }
bool is_other_archive(const fs::path& p) { return ends_in(p, {".rar", ".7z", ".tar.xz", ".tar.bz2", ".gz"}); }

std::string clean_entry_path(std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  std::string out;
  for (const auto& part : fs::path(name)) {
    const std::string s = part.string();
    if (s.empty() || s == "." || s == ".." || s == "/" || s.ends_with(":")) continue;
    out += (out.empty() ? "" : "/") + s;
  }
  return out;
}

#ifdef DOJO_LIBARCHIVE

namespace {

std::string said_by(archive* a) {
  const char* words = archive_error_string(a);
  return words ? clean_text(words, 120) : "no reason given";
}

struct Reader {
  archive* a = archive_read_new();
  ~Reader() { archive_read_free(a); }
};

/// In the C locale libarchive has no name for an entry with other letters than ASCII's.
struct Utf8Locale {
  locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t());
  locale_t before = utf8 ? uselocale(utf8) : locale_t();
  Utf8Locale() = default;
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() {
    if (!utf8) return;
    uselocale(before);
    freelocale(utf8);
  }
};

}  // namespace

Unpacked unpack(const std::string& bytes, uint64_t most_bytes) {
  Unpacked out;
  const Utf8Locale names;
  Reader r;
  archive_read_support_format_zip(r.a);
  archive_read_support_format_tar(r.a);
  archive_read_support_filter_gzip(r.a);
  if (archive_read_open_memory(r.a, bytes.data(), bytes.size()) != ARCHIVE_OK) {
    out.notes.push_back("is no archive that can be read (" + said_by(r.a) + "): zip, tar and tar.gz can");
    return out;
  }
  uint64_t all = 0;
  size_t count = 0, nameless = 0;
  archive_entry* e = nullptr;
  for (;;) {
    const int status = archive_read_next_header(r.a, &e);
    if (status == ARCHIVE_EOF) break;
    if (status < ARCHIVE_WARN) {
      out.notes.push_back("is damaged (" + said_by(r.a) + "); what could be read counts");
      break;
    }
    if (++count > most_entries) {
      out.notes.push_back("has more than " + std::to_string(most_entries) + " entries; the rest is not read");
      break;
    }
    const char* name = archive_entry_pathname_utf8(e);
    if (!name) name = archive_entry_pathname(e);
    const std::string path = clean_entry_path(name ? name : "");
    const bool source = source_stem(fs::path(path).filename().string()).has_value(), inner = is_archive(path);
    const bool metadata = fs::path(path).filename() == "submission_metadata.yml";
    nameless += !name;
    if (path.empty()) continue;
    if (!source && !inner && !metadata) {
      if (archive_entry_filetype(e) == AE_IFREG) out.others.push_back(path);
      continue;
    }
    if (archive_entry_filetype(e) != AE_IFREG || archive_entry_hardlink(e)) {
      out.notes.push_back(path + " is a link: links in archives are not followed");
      continue;
    }
    if (archive_entry_is_encrypted(e)) {
      out.notes.push_back(path + " is encrypted");
      continue;
    }
    Entry made{path, {}, int64_t(archive_entry_mtime(e))};
    const size_t most = inner ? largest_inner : largest_entry;
    char part[65536];
    la_ssize_t n = 0;
    while ((n = archive_read_data(r.a, part, sizeof part)) > 0 && made.text.size() <= most &&
           all <= most_bytes) {
      made.text.append(part, size_t(n));
      all += uint64_t(n);
    }
    if (n < 0)
      out.notes.push_back(path + " can't be read (" + said_by(r.a) + ")");
    else if (made.text.size() > most)
      out.notes.push_back(path + " is larger than " + std::to_string(most >> 20) + " MiB");
    else if (all > most_bytes)
      out.notes.push_back("holds more than " + std::to_string(most_bytes >> 20) +
                          " MiB; the rest is not read");
    else
      out.entries.push_back(std::move(made));
    if (all > most_bytes) break;
  }
  if (nameless > 0)
    out.notes.push_back("has entries whose names can't be read (" + std::to_string(nameless) +
                        "): not read. Pack it anew with names of plain letters");
  return out;
}

std::string zip_of(const std::vector<Entry>& entries) {
  size_t room = 65536;  // headers and the directory at the end
  for (const Entry& e : entries) room += e.text.size() + 2 * e.path.size() + 1024;
  std::vector<char> buffer(room);
  size_t used = 0;
  archive* a = archive_write_new();
  archive_write_set_format_zip(a);
  bool fine = archive_write_open_memory(a, buffer.data(), buffer.size(), &used) == ARCHIVE_OK;
  for (const Entry& e : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, e.path.c_str());
    archive_entry_set_size(entry, la_int64_t(e.text.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, time_t(e.modified), 0);
    fine = fine && archive_write_header(a, entry) == ARCHIVE_OK &&
           archive_write_data(a, e.text.data(), e.text.size()) == la_ssize_t(e.text.size());
    archive_entry_free(entry);
  }
  fine = archive_write_close(a) == ARCHIVE_OK && fine;
  archive_write_free(a);
  if (!fine) throw Error("the zip can't be made");
  return {buffer.data(), used};
}

#else

Unpacked unpack(const std::string&, uint64_t) {
  return {{}, {"can't be read: this WarpDojo was built without libarchive (package libarchive-dev)"}, {}};
}
std::string zip_of(const std::vector<Entry>&) {
  throw Error("no zip can be made: this WarpDojo was built without libarchive (package libarchive-dev)");
}

#endif

}  // namespace dojo::grade

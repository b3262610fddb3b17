#include "core/install/user_labs.hpp"
#include "core/files/whole_file.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace dojo {
namespace fs = std::filesystem;
namespace {

constexpr const char* kDelivered = ".delivered";

bool copy_over(const fs::path& from, const fs::path& to) {
  std::error_code ec;
  fs::create_directories(to.parent_path(), ec);
  const fs::path fresh = to.string() + ".new" + std::to_string(getpid());
  if (!fs::copy_file(from, fresh, fs::copy_options::overwrite_existing, ec)) return false;
  // The installed files may be read-only; the copies are for editing.
  fs::permissions(fresh, fs::perms::owner_read | fs::perms::owner_write, fs::perm_options::add, ec);
  fs::rename(fresh, to, ec);
  return !ec;
}

constexpr const char* kOpened = ".opened";  ///< in a folder of links that open_for() made

/// The entries of `installed` but `except` as links in `folder`, set anew when it has moved; so too in
/// folders that open_for() made.
void link_entries(const fs::path& installed, const fs::path& folder, const fs::path& except) {
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(installed, ec)) {
    const fs::path link = folder / e.path().filename();
    std::error_code no;
    if (link.filename() == except || fs::read_symlink(link, no) == e.path()) continue;
    if (fs::exists(fs::symlink_status(link, no)) && !fs::is_symlink(link, no)) {  // the student's own
      if (fs::exists(link / kOpened, no)) link_entries(e.path(), link, {});
      continue;
    }
    fs::remove(link, no);
    fs::create_symlink(e.path(), link, no);
  }
}

/// What lies beside `installed`/labs: reference, assets, ... The labs themselves are copied.
void link_rest(const fs::path& installed, const fs::path& folder) { link_entries(installed, folder, "labs"); }

struct Count {
  int fresh = 0, kept = 0;
  bool complete = true;
};

Count copy_labs(const fs::path& installed, const fs::path& folder) {
  Count n;
  std::error_code ec;
  for (auto it = fs::recursive_directory_iterator(installed / "labs", ec);
       !ec && it != fs::recursive_directory_iterator(); it.increment(ec)) {
    if (!it->is_regular_file()) continue;
    const fs::path below = it->path().lexically_relative(installed);
    const fs::path own = folder / below, delivered = folder / kDelivered / below;
    std::error_code no;
    const std::string now = read_or_empty(it->path());
    const std::string present = read_or_empty(own);
    const bool edited = fs::exists(own, no) && present != read_or_empty(delivered) && present != now;
    if (edited) {
      n.kept += read_or_empty(delivered) != now;
    } else if (!fs::exists(own, no) || present != now) {
      if (!copy_over(it->path(), own)) {
        n.complete = false;
        continue;  // the delivered copy stays old: else the old file would count as edited
      }
      ++n.fresh;
    }
    if (!fs::exists(delivered, no) || read_or_empty(delivered) != now)
      n.complete = copy_over(it->path(), delivered) && n.complete;
  }
  n.complete = n.complete && !ec;
  if (n.complete) n.complete = copy_over(installed / "version", folder / kDelivered / "version");
  return n;
}

}  // namespace

fs::path user_labs_folder() {
  if (const char* v = std::getenv("WARPDOJO_HOME"); v && *v == '/') return v;
  if (const char* home = std::getenv("HOME"); home && *home == '/') return fs::path(home) / "warpdojo-labs";
  return {};
}

bool is_user_labs(const fs::path& folder) {
  std::error_code ec;
  return fs::exists(folder / kDelivered / "version", ec);
}

fs::path delivered_copy(const fs::path& folder, const fs::path& relative_to_folder) {
  return is_user_labs(folder) ? folder / kDelivered / relative_to_folder : fs::path();
}

void open_for(const fs::path& folder, const fs::path& below) {
  if (!is_user_labs(folder)) return;
  fs::path at = folder;
  for (const fs::path& part : below.parent_path()) {
    at /= part;
    std::error_code ec;
    const fs::path installed = fs::read_symlink(at, ec);
    if (ec || !fs::is_directory(installed, ec)) continue;
    fs::remove(at, ec);
    fs::create_directory(at, ec);
    std::ofstream(at / kOpened) << "links to " << installed.string() << ", and files of your own\n";
    link_entries(installed, at, {});
  }
}

fs::path user_labs(const fs::path& installed, const fs::path& folder) {
  std::error_code ec;
  if (folder.empty()) return installed;
  const std::string version = read_or_empty(installed / "version");
  if (is_user_labs(folder)) {
    link_rest(installed, folder);
    if (read_or_empty(folder / kDelivered / "version") == version) return folder;
    const Count n = copy_labs(installed, folder);
    std::fprintf(stderr, "warpdojo: %d lab files in %s are new in this version; %d that you edited stay\n",
                 n.fresh, folder.c_str(), n.kept);
    if (!n.complete)
      std::fprintf(
          stderr,
          "warpdojo: not all of them could be copied. Is the disk full? The next start tries again.\n");
    return folder;
  }
  if (fs::exists(folder, ec) && !fs::is_empty(folder, ec)) {
    std::fprintf(
        stderr,
        "warpdojo: %s is not a copy of the labs, so they are used where they are installed and can't be "
        "edited there. Set WARPDOJO_HOME to another folder.\n",
        folder.c_str());
    return installed;
  }
  // Made beside and renamed: two programs that start at once never see half of it.
  const fs::path fresh = folder.string() + ".new" + std::to_string(getpid());
  const bool copied = copy_labs(installed, fresh).complete;
  if (copied) link_rest(installed, fresh);
  if (copied) fs::rename(fresh, folder, ec);
  const bool made = copied && !ec;
  if (!made) fs::remove_all(fresh, ec);
  if (!is_user_labs(folder)) {
    std::fprintf(stderr, "warpdojo: the labs can't be copied to %s; set WARPDOJO_HOME to a folder of yours\n",
                 folder.c_str());
    return installed;
  }
  if (made) std::fprintf(stderr, "warpdojo: the labs are now in %s; edit them there\n", folder.c_str());
  return folder;
}

}  // namespace dojo

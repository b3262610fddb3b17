#pragma once
// An installed program's labs lie where a student can't write. The first use copies them to a folder of the
// student's; a newer version of the program brings every copied file up to date that the student left as it
// was. Example: 5-sequential.cu edited, lab.toml not: after an upgrade the edit stays, lab.toml is the new
// one.
#include <filesystem>
#include <string>

namespace dojo {

/// $WARPDOJO_HOME, else ~/warpdojo-labs; empty without a home folder.
std::filesystem::path user_labs_folder();
/// Whether a folder was made by user_labs().
bool is_user_labs(const std::filesystem::path& folder);
/// Copies `installed`/labs into `folder`, or brings it up to date, and links the rest of `installed` beside
/// it. One line on standard error says so. Returns `folder`, or `installed` where no copy can be made.
std::filesystem::path user_labs(const std::filesystem::path& installed, const std::filesystem::path& folder);
/// The file as it was delivered, for a file below a folder that user_labs() made; else empty.
std::filesystem::path delivered_copy(const std::filesystem::path& folder,
                                     const std::filesystem::path& relative_to_folder);
/// For a file of the user's own below reference or assets, which are links to what is installed: each such
/// link on the way to `folder`/`below` becomes a folder of links, in which the file has room. Nothing
/// elsewhere.
void open_for(const std::filesystem::path& folder, const std::filesystem::path& below);

}  // namespace dojo

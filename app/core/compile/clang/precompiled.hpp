#pragma once
// The header that clang reads before every student's file, precompiled: read as text, our headers take two
// thirds of a short file's compile. One file per command line lies in the user's cache:
//
//   ~/.cache/warpdojo/headers/0123456789abcdef.pch
//
// The name is a fingerprint of all that the content depends on: the command line (pass, architecture, -O),
// clang itself, and the headers. So a changed header has another name, and no file is ever rewritten. The
// first compilation that may write there makes it. An enclosed compiler only reads (run/sandbox), so no
// submission changes what another one is compiled with.
#include <filesystem>
#include <string>
#include <vector>

namespace dojo::compile_detail {

/// ~/.cache/warpdojo/headers, made for this user alone on first use; empty where that can't be, or where
/// others may write to it.
std::filesystem::path precompiled_folder();

/// Path of `header` precompiled with `words`, a clang -cc1 command line up to what it reads and writes. It is
/// made if it is not there. Empty if it can't be made: -include does the same, slower. `folders` hold the
/// header and all that it includes. Safe from several threads and processes.
std::string precompiled(const std::string& header, const std::vector<std::string>& words,
                        const std::vector<std::string>& folders);

/// Did clang fail because of a precompiled header? `log` is then about no line of any file, or clang crashed.
bool blames_precompiled(int status, const std::string& log);

}  // namespace dojo::compile_detail

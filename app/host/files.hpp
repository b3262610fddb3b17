#pragma once
// The files of an interpreted program. Without a folder they are in memory and end with the run: a program
// can write a file and read it again, and changes nothing on the computer. With a folder (`play --files
// FOLDER`) it reads that folder's files. What it writes is stored there when it closes the file or ends.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace dojo::host {

struct Call;

class Files {
 public:
  struct Stream {
    std::string name;
    std::shared_ptr<std::string> bytes;
    size_t at = 0;
    bool reads = false, writes = false, appends = false;
    bool at_end = false;   ///< a read met the end: feof
    bool changed = false;  ///< differs from what the folder has
  };

  /// Stores the files that are still open.
  ~Files();
  void set_folder(std::string folder) { folder_ = std::move(folder); }
  bool has_folder() const { return !folder_.empty(); }
  /// A handle, or 0 as fopen. `why` says why not, in one sentence.
  uint64_t open(const std::string& name, const std::string& mode, std::string* why);
  /// The open file of a handle, or null.
  Stream* find(uint64_t handle);
  bool flush(uint64_t handle);
  bool close(uint64_t handle);
  bool remove(const std::string& name);
  /// Writes at the stream's position; false when the file would grow past its limit.
  bool write(Stream&, const void* data, size_t n);

  bool standard_input_read = false;  ///< the program was told that it is empty

  /// Bytes that all files together may have.
  static constexpr size_t most_bytes = size_t(256) << 20;

 private:
  /// Absolute path of a name in the folder; empty if it would be outside of it.
  std::string path_of(const std::string& name) const;
  bool store(const Stream&) const;
  /// Bytes that were removed count until the last stream to them is closed, as on a disk.
  void forget(const std::shared_ptr<std::string>& bytes);

  std::string folder_;
  std::map<std::string, std::shared_ptr<std::string>> content_;  ///< by normalised name
  std::map<uint64_t, Stream> open_;
  uint64_t next_ = 16;  ///< 1 to 3 are stdin, stdout, stderr
  size_t total_ = 0;
};

/// Text of the C library, into an open file; handle 0 is standard output.
void put_text(Call&, uint64_t handle, std::string_view);

}  // namespace dojo::host

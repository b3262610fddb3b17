#pragma once
// Recordings: reports saved earlier, from a device that is not in the room. "rec:FILE" replays them.
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

struct Recording {
  std::string date, gpu, driver, commit;  ///< of the machine that recorded
  std::vector<Report> reports;
  /// "H100, driver 580.159, 2026-01-31, commit 1234567"
  std::string note() const;
  /// The same without what stands in brackets behind the commit: which steps came from later ones.
  std::string brief_note() const;
};

/// Whether a file's text names the schema of a recording, or of a single report, in its first 256 bytes.
bool names_recording_schema(const std::string& text);
/// Reads a recording (or a file that holds one report). Throws Error naming the file.
Recording load_recording(const fs::path&);
/// Writes one, atomically. Throws Error when the file can't be written.
void save_recording(const fs::path&, const Recording&);

/// The report of a step in a recording: of this size when `size` is not empty, else the first. Its device
/// says that it is a recording, and of what. Throws Error naming what the recording has.
Report replay(const std::string& device, const Recording&, const std::string& step_id, const Size& size);

/// Makes "rec:FILE" known: lists the files of assets/recordings that name a recording's schema.
void register_recordings();
/// The path that a "rec:FILE" device name means: as given, else below assets/recordings of the checkout.
fs::path recording_path(const std::string& device);

}  // namespace dojo::run

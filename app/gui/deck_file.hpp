#pragma once
// A deck on its way into a file: each slide is drawn as the lecture shows it, in an ImGui context of its own
// without a window, and kept as vectors.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gui/model/session/session.hpp"

struct ImGuiContext;

namespace dojo::gui {

class PdfFile;
class Ui;

class DeckFile {
 public:
  /// Begins Session::exporting, whose runs are there. The session's own slide comes back at the end.
  explicit DeckFile(Session&);
  ~DeckFile();
  /// Draws a slide or a part of one; waits (by doing nothing) while a block is recorded for it. False when
  /// the file is written, or could not be: then the session has a toast that says so.
  bool step();
  size_t slide() const { return at_; }
  const std::string& error() const { return error_; }
  /// A page of a PDF: its slide, and of a source the lines that stand on it (from 1; 0: none).
  struct Page {
    size_t slide = 0;
    int first_line = 0, last_line = 0;
  };
  const std::vector<Page>& pages() const { return pages_; }
  float type() const;  ///< points of the source that was printed last

 private:
  void begin_slide();
  void draw(int frames);
  void keep();
  void keep_page();
  void end();

  Session& s_;
  std::unique_ptr<Ui> ui_;
  ImGuiContext *own_ = nullptr, *before_ = nullptr;
  std::unique_ptr<PdfFile> pdf_;
  std::vector<std::string> pictures_;
  std::vector<Page> pages_;
  size_t at_ = 0;
  bool begun_ = false, over_ = false;
  std::string error_;
  // What the session shows besides.
  Lecture talk_;
  UiState ui_state_;
  SlowMotion motion_;
  std::string step_, motion_step_;
  bool motion_reference_ = false;
};

/// Draws without a window until it is done; waits for recordings. Returns an empty string, or what went
/// wrong.
std::string write_deck(Session&);

/// The same for the command line: a lab's name or a deck (TOML), into FILE.html or FILE.pdf. `say` gets a
/// line for each slide. Throws Error.
void export_deck(const std::filesystem::path& root, const std::string& lab_or_deck,
                 const std::filesystem::path& out, const std::string& device,
                 const std::function<void(const std::string&)>& say);

}  // namespace dojo::gui

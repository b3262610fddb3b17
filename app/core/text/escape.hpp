#pragma once
// Texts inside other languages: markup, a shell's command line.
#include <string>
#include <string_view>

namespace dojo {

/// For HTML, SVG and XML, as text or inside an attribute of either kind of quotes.
std::string escape_markup(std::string_view);

/// A word of a POSIX shell that stands for exactly this text: it's as 'it'\''s'.
std::string shell_word(std::string_view);

/// A code point in UTF-8, 1 to 4 bytes, behind what the text holds.
void append_utf8(std::string& text, char32_t);

/// RFC 4648, section 4, with padding. from_base64 stops at the padding and throws Error at other characters.
std::string to_base64(std::string_view bytes);
std::string from_base64(std::string_view text);

}  // namespace dojo

#include "fiducial/findings/report_words.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "fiducial/base/ascii.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_word = WordTable::longest_word;

// Words after which a capital is a name ("with Covid", "the Schmorl"), and which have a capital only where a
// sentence begins.
constexpr std::string_view joining_words[] = {
    "no",      "not",  "of",   "the",   "in",   "with",    "and",   "or",   "for",  "a",    "an",
    "to",      "by",   "on",   "at",    "from", "as",      "is",    "are",  "was",  "were", "than",
    "without", "this", "that", "which", "into", "between", "under", "over", "both", "due",  "be"};

bool is_joining_word(std::string_view small) {
  return std::find(std::begin(joining_words), std::end(joining_words), small) != std::end(joining_words);
}

// Spaces that are not in ASCII, and the apostrophe.
constexpr std::string_view passed_over[] = {"\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\xAF", "\xE2\x80\x8B",
                                            "\xE2\x80\x99"};

bool is_word_letter(char c) { return is_letter(c) || is_wide(c); }

struct Sign {
  std::string_view bytes;
  WordRole role;
};

constexpr Sign wide_signs[] = {
    {"\xE2\x80\xA2", WordRole::stop},                                    // bullet
    {"\xC2\xB7", WordRole::stop},                                        // middle dot
    {"\xE2\x80\x9C", WordRole::stop},                                    // quotes
    {"\xE2\x80\x9D", WordRole::stop}, {"\xE2\x80\x93", WordRole::join},  // dashes
    {"\xE2\x80\x94", WordRole::join},
};

// Crosses and empty boxes, before or behind what they deny.
constexpr std::string_view crosses[] = {"\xE2\x98\x90", "\xE2\x96\xA1", "\xE2\x9C\x97",
                                        "\xE2\x9C\x98", "\xE2\x9C\x95", "\xE2\x9D\x8C"};

WordRole role_of_sign(char c) {
  switch (c) {
    case '-':
    case '/':
      return WordRole::join;
    case ',':
      return WordRole::conjunction;
    case '(':
    case '[':
      return WordRole::open;
    case ')':
    case ']':
      return WordRole::close;
    case '?':
      return WordRole::question;
    case ':':
    case '=':
    case '|':
      return WordRole::pause;
    case '.':
    case ';':
    case '!':
    case '"':
    case '*':
      return WordRole::stop;
    default:
      return WordRole::other;
  }
}

class WordReader {
 public:
  WordReader(std::string_view text, const Lexicon& lexicon, std::vector<ReportWord>& words)
      : text_(text), lexicon_(lexicon), words_(words) {}

  void read() {
    words_.clear();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_space(c)) {
        pass_space();
      } else if (is_digit(c)) {
        read_number();
      } else if (is_wide(c) && read_wide_sign()) {
        continue;
      } else if (is_word_letter(c)) {
        read_word();
      } else {
        read_sign();
      }
    }
  }

 private:
  char after(std::size_t offset) const { return at_ + offset < text_.size() ? text_[at_ + offset] : ' '; }

  void add(std::size_t end, WordId id, WordRole role) {
    words_.push_back({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end), id, role});
    at_ = end;
  }

  // Lists arrive without signs: "Cyst of the liver Hernia  Nodules". A capitalised word after a small one
  // that is no joining word, after two spaces or after a number of a list begins a new item.
  void begin_item_at_capital() {
    if (words_.empty() || words_.back().role == WordRole::stop || !is_capital(text_[at_])) return;
    const bool joining = is_capitalised_joining_word();
    if ((!is_small(after(1)) && !joining) || is_name()) return;
    const ReportWord& last = words_.back();
    const bool wide_gap = at_ - last.end >= 2;
    const bool word_before = at_ > last.end && last.role == WordRole::word && is_small(text_[last.begin]) &&
                             !is_joining_word(text_.substr(last.begin, last.size()));
    // "Ca" is short for a tumour.
    const bool begins = is_small(after(2)) || joining;
    if ((begins && (wide_gap || word_before)) || follows_item_number()) end_item();
  }

  // "no findings suggesting Covid-19": a name has its capital everywhere.
  bool is_name() const {
    constexpr std::string_view names[] = {"Covid", "Schmorl", "Bochdalek", "Morgagni", "Kerley", "Hodgkin"};
    const std::string_view rest = text_.substr(at_);
    return std::any_of(std::begin(names), std::end(names),
                       [rest](std::string_view name) { return rest.starts_with(name); });
  }

  // "No", "In" and "A", but not "IN".
  bool is_capitalised_joining_word() const {
    std::array<char, 8> small{static_cast<char>(text_[at_] - 'A' + 'a')};
    std::size_t size = 1;
    for (; is_small(after(size)); ++size) {
      if (size == small.size()) return false;
      small[size] = after(size);
    }
    return !is_letter(after(size)) && is_joining_word({small.data(), size});
  }

  // "1-Nodules 2-Hernia": a number after a space, and a dash.
  bool follows_item_number() const {
    if (words_.size() < 2 || words_.back().role != WordRole::join || words_.back().end != at_) return false;
    const ReportWord& number = words_[words_.size() - 2];
    return number.role == WordRole::number && number.end == words_.back().begin &&
           (number.begin == 0 || is_space(text_[number.begin - 1]));
  }

  void end_item() { add(at_, unknown_word, WordRole::stop); }

  // A line that begins with a capital, a digit or a dash is an item of its own.
  void pass_space() {
    bool new_line = false;
    for (; at_ < text_.size() && is_space(text_[at_]); ++at_) new_line = new_line || text_[at_] == '\n';
    if (!new_line || at_ >= text_.size()) return;
    if (answers_colon()) return end_item();
    if (goes_on_after_break()) return;
    const char c = text_[at_];
    if (is_capital(c) || is_digit(c) || c == '-') end_item();
  }

  // "Effusion: none" is an item of its own, whatever the next line begins with; "Effusion: no" is one if the
  // next line has an answer too.
  bool answers_colon() const {
    constexpr std::size_t longest_reply = 3;
    std::size_t words = 0;
    while (words < words_.size() && words_[words_.size() - 1 - words].role == WordRole::word) ++words;
    if (words == 0 || words > longest_reply || words == words_.size() ||
        words_[words_.size() - 1 - words].role != WordRole::pause)
      return false;
    const std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
    return !goes_on_after_break() || line.find(':') != std::string_view::npos;
  }

  // "nodules in the" and "effusion," have not ended where their line does.
  bool goes_on_after_break() const {
    if (words_.empty()) return false;
    const ReportWord& last = words_.back();
    return last.role == WordRole::conjunction ||
           (last.role == WordRole::word && is_joining_word(text_.substr(last.begin, last.size())));
  }

  void read_number() {
    std::size_t end = at_;
    while (end < text_.size() &&
           (is_digit(text_[end]) || ((text_[end] == '.' || text_[end] == ',') && end + 1 < text_.size() &&
                                     is_digit(text_[end + 1])))) {
      ++end;
    }
    add(end, unknown_word, WordRole::number);
  }

  bool read_wide_sign() {
    for (const std::string_view bytes : passed_over) {
      if (!text_.substr(at_).starts_with(bytes)) continue;
      at_ += bytes.size();
      return true;
    }
    for (const std::string_view cross : crosses) {
      if (!text_.substr(at_).starts_with(cross)) continue;
      add_cross(cross.size());
      return true;
    }
    for (const Sign& sign : wide_signs) {
      if (!text_.substr(at_).starts_with(sign.bytes)) continue;
      add(at_ + sign.bytes.size(), sign.role == WordRole::join ? Lexicon::joining_sign : unknown_word,
          sign.role);
      return true;
    }
    return false;
  }

  void add_cross(std::size_t size) {
    const bool leads = words_.empty() || words_.back().role == WordRole::stop ||
                       words_.back().role == WordRole::pause || words_.back().role == WordRole::join;
    add(at_ + size, lexicon_.word(leads ? "no" : "none"), WordRole::word);
  }

  void read_word() {
    begin_item_at_capital();
    std::array<char, longest_word> lower;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    std::size_t size = 0;
    std::uint64_t hash = 0;
    std::size_t end = at_;
    for (; end < text_.size() && is_word_letter(text_[end]) && !(is_wide(text_[end]) && sign_at(end));
         ++end) {
      const char c = text_[end];
      if (size == longest_word) continue;
      lower[size] = is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c;
      hash = WordTable::hash_with(hash, lower[size++]);
    }
    const std::string_view word(lower.data(), size);
    if (names_lobe(end)) return read_lobe();
    if (names_side(end)) return add(end, lexicon_.word(text_[at_] == 'R' ? "right" : "left"), WordRole::word);
    if (names_vertebra(end)) return add(end, lexicon_.word("vertebra"), WordRole::word);
    const bool joins = word == "and" || word == "or";
    const WordId id = end - at_ > longest_word ? unknown_word : lexicon_.word(word, hash);
    add(end, id, joins ? WordRole::conjunction : WordRole::word);
  }

  // "RUL", "RML", "RLL", "LUL" and "LLL", each letter a word: the right upper lobe.
  bool names_lobe(std::size_t end) const {
    if (end - at_ != 3 || text_[at_ + 2] != 'L') return false;
    const char side = text_[at_];
    const char level = text_[at_ + 1];
    return (side == 'R' || side == 'L') && (level == 'U' || level == 'L' || (level == 'M' && side == 'R'));
  }

  // "R effusion"
  bool names_side(std::size_t end) const {
    const bool is_letter_of_side = end - at_ == 1 && (text_[at_] == 'R' || text_[at_] == 'L');
    return is_letter_of_side && after(1) == ' ' && is_letter(after(2)) && is_letter(after(3));
  }

  // "of T9", "at L1": the letter stands for the vertebra, the number is read by itself.
  bool names_vertebra(std::size_t end) const {
    constexpr std::size_t vertebrae[] = {7, 12, 5};
    if (end - at_ != 1 || !is_digit(after(1)) || words_.empty()) return false;
    const std::size_t region = std::string_view("CTL").find(text_[at_]);
    const ReportWord& last = words_.back();
    const bool follows_link =
        last.role == WordRole::word && is_joining_word(text_.substr(last.begin, last.size()));
    if (region == std::string_view::npos || !follows_link) return false;
    std::size_t number = 0;
    std::size_t at = end;
    for (; at < text_.size() && is_digit(text_[at]) && at < end + 2; ++at)
      number = 10 * number + static_cast<std::size_t>(text_[at] - '0');
    const bool ends = at == text_.size() || !(is_digit(text_[at]) || is_letter(text_[at]));
    return ends && number >= 1 && number <= vertebrae[region];
  }

  void read_lobe() {
    const char level = text_[at_ + 1];
    add(at_ + 1, lexicon_.word(text_[at_] == 'R' ? "right" : "left"), WordRole::word);
    add(at_ + 1, lexicon_.word(level == 'U' ? "upper" : (level == 'M' ? "middle" : "lower")), WordRole::word);
    add(at_ + 1, lexicon_.word("lobe"), WordRole::word);
  }

  // Whether a text in small letters stands here in any.
  bool stands_here(std::string_view small) const {
    const std::string_view here = text_.substr(at_, small.size());
    return std::equal(here.begin(), here.end(), small.begin(), small.end(), [](char a, char b) {
      return (is_capital(a) ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
  }

  // "[x] yes [ ] no" says yes, "[ ] present [x] absent" none.
  bool read_answer_boxes() {
    if (text_[at_] != '[') return false;
    constexpr std::pair<std::string_view, std::string_view> answers[] = {
        {"yes", "no"}, {"present", "absent"}, {"positive", "negative"}};
    for (const auto& [agrees, denies] : answers) {
      const std::string ticked_yes = "[x] " + std::string(agrees), empty_yes = "[ ] " + std::string(agrees);
      const std::string ticked_no = "[x] " + std::string(denies), empty_no = "[ ] " + std::string(denies);
      for (const std::string& yes : {ticked_yes + " " + empty_no, empty_no + " " + ticked_yes, ticked_yes}) {
        if (!stands_here(yes)) continue;
        at_ += yes.size();
        return true;
      }
      for (const std::string& no : {ticked_no + " " + empty_yes, empty_yes + " " + ticked_no, ticked_no}) {
        if (!stands_here(no)) continue;
        add(at_ + no.size(), lexicon_.word("none"), WordRole::word);
        return true;
      }
    }
    return false;
  }

  bool sign_at(std::size_t at) const {
    const std::string_view rest = text_.substr(at);
    const auto begins = [rest](std::string_view bytes) { return rest.starts_with(bytes); };
    return std::any_of(std::begin(passed_over), std::end(passed_over), begins) ||
           std::any_of(std::begin(crosses), std::end(crosses), begins) ||
           std::any_of(std::begin(wide_signs), std::end(wide_signs),
                       [&begins](const Sign& sign) { return begins(sign.bytes); });
  }

  void read_sign() {
    constexpr std::string_view minus =
        "(-)";  // "Pleural effusion (-)": a list of what is there and what is not
    if (text_.substr(at_).starts_with(minus)) {
      add(at_ + minus.size(), lexicon_.word("none"), WordRole::word);
      return;
    }
    if (text_[at_] == '\'') {
      ++at_;
      return;
    }
    if (read_answer_boxes()) return;
    constexpr std::string_view empty_box = "[ ]";
    if (text_.substr(at_).starts_with(empty_box)) return add_cross(empty_box.size());
    constexpr std::string_view leader = "...";  // "Effusion ...... none"
    if (text_.substr(at_).starts_with(leader)) {
      return add(std::min(text_.find_first_not_of('.', at_), text_.size()), unknown_word, WordRole::pause);
    }
    WordRole role = role_of_sign(text_[at_]);
    // "5.mm" and "e.g": no sentence begins with a small letter and without a space.
    if (text_[at_] == '.' && is_small(after(1))) role = WordRole::other;
    add(at_ + 1, role == WordRole::join ? Lexicon::joining_sign : unknown_word, role);
  }

  std::string_view text_;
  const Lexicon& lexicon_;
  std::vector<ReportWord>& words_;
  std::size_t at_ = 0;
};

}  // namespace

void read_words(std::string_view text, const Lexicon& lexicon, std::vector<ReportWord>& words) {
  WordReader(text, lexicon, words).read();
}

}  // namespace fiducial

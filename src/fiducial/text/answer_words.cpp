#include "fiducial/text/answer_words.h"

#include <algorithm>
#include <map>

namespace fiducial {

namespace {

struct RoleWords {
  AnswerRole role;
  std::string_view words;
};

constexpr RoleWords role_words[] = {
#define FIDUCIAL_ANSWER_WORDS(role, words) {AnswerRole::role, words},
#include "fiducial/text/answer_words.def"
#undef FIDUCIAL_ANSWER_WORDS
};

using RoleByWord = std::map<std::string_view, AnswerRole>;

// The later line wins where a word stands in two.
RoleByWord roles_by_word() {
  RoleByWord out;
  for (const RoleWords& each : role_words) {
    std::string_view rest = each.words;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      out[rest.substr(0, end)] = each.role;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return out;
}

const RoleByWord& lexicon() {
  static const RoleByWord out = roles_by_word();
  return out;
}

bool is_listed(std::string_view word, std::string_view list) {
  for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

AnswerRole answer_role(std::string_view words) {
  const auto found = lexicon().find(words);
  return found == lexicon().end() ? AnswerRole::other : found->second;
}

RolePrefix answer_role_prefix(std::string_view text) {
  constexpr std::size_t longest_word = 48;
  for (std::size_t bytes = std::min(text.size(), longest_word); bytes > 1; --bytes) {
    if (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) continue;
    const auto found = lexicon().find(text.substr(0, bytes));
    if (found != lexicon().end()) return {found->second, bytes};
  }
  return {};
}

bool follows_letter_in_name(std::string_view word) {
  return is_listed(word,
                   "cell cells symptom symptoms line lines dimer dimers mode wave waves hepatitis ring rings "
                   "streptococcus "
                   "streptococci virus toxin sign lymphocyte lymphocytes vitamin reactive type antigen arm "
                   "scan level levels");
}

bool is_species(std::string_view word) {
  if (word.size() < 4) return false;
  if (word.ends_with("ii") || word.ends_with("ae") || word.ends_with("nsis")) return true;
  return is_listed(
      word,
      "coli difficile albicans aureus neoformans jejuni immitis fumigatus histolytica granulosus "
      "multilocularis "
      "trachomatis psittaci perfringens tetani botulinum faecalis cepacia abortus melitensis anthracis "
      "cereus "
      "fragilis auris glabrata canis lumbricoides felis hominis corrodens vermicularis dispar tropicalis "
      "parapsilosis krusei pertussis faecium septicum diphtheriae terreus flavus niger");
}

}  // namespace fiducial

#include "fiducial/text/wordnet.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

struct Ending {
  std::string_view from;
  std::string_view to;
};

// What may be taken off a word to find its base form, by part of speech (WordNet's morphy).
std::span<const Ending> endings(std::size_t speech) {
  static constexpr std::array<Ending, 9> nouns{{{"s", ""},
                                                {"ses", "s"},
                                                {"ves", "f"},
                                                {"xes", "x"},
                                                {"zes", "z"},
                                                {"ches", "ch"},
                                                {"shes", "sh"},
                                                {"men", "man"},
                                                {"ies", "y"}}};
  static constexpr std::array<Ending, 8> verbs{
      {{"s", ""}, {"ies", "y"}, {"es", "e"}, {"es", ""}, {"ed", "e"}, {"ed", ""}, {"ing", "e"}, {"ing", ""}}};
  static constexpr std::array<Ending, 4> adjectives{{{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}}};
  if (speech == 0) return nouns;
  if (speech == 1) return verbs;
  return speech == 2 ? std::span<const Ending>(adjectives) : std::span<const Ending>();
}

template <typename Visit>
Outcome for_each_wordnet_line(std::string_view text, Visit visit) {
  std::uint64_t number = 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    FIDUCIAL_TRY_DONE(visit(text.substr(0, end), number));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
  }
  return done();
}

Error broken_line(std::uint64_t line, std::string message) {
  return {ErrorCode::invalid_data, std::move(message), Place{.line = line}};
}

// The last synset_count fields of an index line are where the meanings stand.
Result<std::vector<std::size_t>> index_offsets(const std::vector<std::string_view>& fields,
                                               std::uint64_t line) {
  const auto count = fields.size() > 2 ? parse_integer(fields[2]) : std::nullopt;
  if (!count || *count < 1 || static_cast<std::uint64_t>(*count) + 6 > fields.size()) {
    return broken_line(line, "expected a word, its part of speech and at least one meaning");
  }
  std::vector<std::size_t> out;
  for (std::size_t i = fields.size() - static_cast<std::size_t>(*count); i < fields.size(); ++i) {
    const auto offset = parse_integer(fields[i]);
    if (!offset || *offset < 0) return broken_line(line, "\"" + std::string(fields[i]) + "\" is no offset");
    out.push_back(static_cast<std::size_t>(*offset));
  }
  return out;
}

}  // namespace

Result<WordNet::Part> WordNet::parse_part(WordNetFiles files) {
  Part out;
  FIDUCIAL_TRY_DONE(
      for_each_wordnet_line(files.index, [&](std::string_view text, std::uint64_t line) -> Outcome {
        if (text.empty() || text[0] == ' ') return done();  // the licence
        const auto fields = white_space_words(text);
        FIDUCIAL_TRY(std::vector<std::size_t> offsets, index_offsets(fields, line));
        for (const std::size_t offset : offsets) {
          if (offset >= files.data.size())
            return broken_line(line, "a meaning lies beyond the end of the data");
        }
        out.meanings[std::string(fields[0])] = std::move(offsets);
        return done();
      }));
  FIDUCIAL_TRY_DONE(
      for_each_wordnet_line(files.exceptions, [&](std::string_view text, std::uint64_t) -> Outcome {
        const auto fields = white_space_words(text);
        for (std::size_t i = 1; i < fields.size(); ++i)
          out.exceptions[std::string(fields[0])].emplace_back(fields[i]);
        return done();
      }));
  out.data = std::move(files.data);
  return out;
}

Result<WordNet> WordNet::parse(std::array<WordNetFiles, 4> parts) {
  WordNet out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    FIDUCIAL_TRY(out.parts_[i], parse_part(std::move(parts[i])));
  }
  return out;
}

Result<WordNet> WordNet::open(const Path& folder) {
  constexpr std::array<const char*, 4> names{"noun", "verb", "adj", "adv"};
  if (folder == "auto") return open_usual();
  WordNet out;
  Sha256 hash;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = names[i];
    WordNetFiles files;
    FIDUCIAL_TRY(files.index, read_text_file(folder / ("index." + name)));
    FIDUCIAL_TRY(files.data, read_text_file(folder / ("data." + name)));
    FIDUCIAL_TRY(files.exceptions, read_text_file(folder / (name + ".exc")));
    for (const std::string* text : {&files.index, &files.data, &files.exceptions})
      hash.update(as_bytes(*text));
    FIDUCIAL_TRY(out.parts_[i], parse_part(std::move(files)).in_file((folder / ("index." + name)).string()));
  }
  out.digest_ = hash.digest();
  return out;
}

Result<WordNet> WordNet::open_usual() {
  const Path folder = "/usr/share/wordnet";
  if (is_folder(folder)) return open(folder);
  return Error(ErrorCode::unavailable,
               "no WordNet in " + folder.string() + "; Debian's package wordnet-base puts it there");
}

std::vector<std::string> WordNet::base_forms(const Part& part, std::size_t speech, const std::string& word) {
  const auto known = [&part](const std::vector<std::string>& forms) {
    std::vector<std::string> out;
    for (const std::string& form : forms) {
      const bool listed = part.meanings.find(form) != part.meanings.end();
      if (listed && std::find(out.begin(), out.end(), form) == out.end()) out.push_back(form);
    }
    return out;
  };
  std::vector<std::string> first{word};
  if (const auto irregular = part.exceptions.find(word); irregular != part.exceptions.end()) {
    first.insert(first.end(), irregular->second.begin(), irregular->second.end());
    return known(first);
  }
  for (const Ending& ending : endings(speech)) {
    if (!word.ends_with(ending.from)) continue;
    first.push_back(word.substr(0, word.size() - ending.from.size()).append(ending.to));
  }
  return known(first);
}

void WordNet::append_words(const Part& part, std::size_t offset, std::vector<std::string>& out) {
  const std::string_view rest = std::string_view(part.data).substr(offset);
  const std::string_view line = rest.substr(0, rest.find('\n'));
  const auto fields = white_space_words(line.substr(0, line.find('|')));
  if (fields.size() < 4) return;
  unsigned count = 0;  // in hexadecimal
  std::from_chars(fields[3].data(), fields[3].data() + fields[3].size(), count, 16);
  for (std::size_t i = 0; i < count && 4 + 2 * i < fields.size(); ++i) {
    std::string_view word = fields[4 + 2 * i];
    word = word.substr(0, word.find('('));  // "(a)", "(p)": where an adjective may stand
    if (word.find('_') == std::string_view::npos) out.emplace_back(word);
  }
}

std::vector<std::string> WordNet::of(const std::string& word) const {
  std::vector<std::string> out;
  for (std::size_t speech = 0; speech < parts_.size(); ++speech) {
    const Part& part = parts_[speech];
    for (const std::string& form : base_forms(part, speech, word)) {
      for (const std::size_t offset : part.meanings.find(form)->second) append_words(part, offset, out);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace fiducial

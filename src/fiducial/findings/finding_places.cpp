#include "fiducial/findings/finding_places.h"

#include <algorithm>
#include <map>
#include <optional>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/findings/phrase_pattern.h"

namespace fiducial {

std::string_view embedded_paths();

const ConceptRules& path_rules() {
  static const ConceptRules rules = [] {
    Result<ConceptRules> parsed = ConceptRules::parse(embedded_paths(), "path", Lexicon::chest_ct());
    FIDUCIAL_ASSERT(parsed.ok());
    return std::move(parsed).value();
  }();
  return rules;
}

namespace {

// The paths that a name of the rules stands for: itself, or one a number ("rib N for rib 1..12").
struct PathPattern {
  std::string name;    // with N where the number stands
  std::string series;  // "rib", "c", "t", "l"; "": no number
  int first = 0;
  int last = 0;

  std::string with(int number) const {
    std::string out;
    for (const char c : name) out += c == 'N' ? decimal(number) : std::string(1, c);
    return out;
  }
};

PathPattern pattern_of(const std::string& name) {
  constexpr std::string_view marker = " for ";
  const std::size_t at = name.find(marker);
  if (at == std::string::npos) return {.name = name, .series = ""};
  const std::string_view rest = std::string_view(name).substr(at + marker.size());
  const std::size_t space = rest.find(' ');
  const std::size_t dots = rest.find("..");
  FIDUCIAL_ASSERT(space != std::string_view::npos && dots != std::string_view::npos && space < dots);
  const auto first = parse_integer(rest.substr(space + 1, dots - space - 1));
  const auto last = parse_integer(rest.substr(dots + 2));
  FIDUCIAL_ASSERT(first.has_value() && last.has_value());
  return {.name = name.substr(0, at),
          .series = std::string(rest.substr(0, space)),
          .first = static_cast<int>(*first),
          .last = static_cast<int>(*last)};
}

const std::vector<PathPattern>& path_patterns() {
  static const std::vector<PathPattern> patterns = [] {
    std::vector<PathPattern> out;
    for (const std::string& name : path_rules().names()) out.push_back(pattern_of(name));
    return out;
  }();
  return patterns;
}

// The known paths by number, and what a name of the rules stands for.
class PathTable {
 public:
  PathTable() {
    const std::vector<std::string>& paths = known_paths();
    std::map<std::string_view, std::vector<std::uint32_t>> by_node;
    for (std::uint32_t i = 0; i < paths.size(); ++i) {
      by_node[node_of(paths[i])].push_back(i);
      std::vector<std::uint32_t> above;
      for (const std::string& each : with_ancestors(paths[i])) {
        if (each != paths[i]) above.push_back(number_of(each));
      }
      above_.push_back(std::move(above));
    }
    for (const PathPattern& pattern : path_patterns()) {
      std::vector<std::vector<std::uint32_t>> each;
      for (int number = pattern.first; number <= pattern.last; ++number) {
        const std::uint32_t path = number_of(pattern.with(number));
        each.push_back(same_node(path, by_node.at(node_of(paths[path]))));
      }
      by_name_.push_back(std::move(each));
    }
  }

  // Every path that leads to what a name stands for, with a number where it has one.
  const std::vector<std::uint32_t>& paths_to(std::size_t name, int number) const {
    return by_name_[name][static_cast<std::size_t>(number - path_patterns()[name].first)];
  }

  // The names of those that no other one goes on from; sorted.
  std::vector<std::string> deepest_of(std::vector<std::uint32_t> paths) const {
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    std::vector<std::string> out;
    for (const std::uint32_t path : paths) {
      const bool goes_on = std::any_of(paths.begin(), paths.end(), [&](std::uint32_t other) {
        return other > path &&
               std::find(above_[other].begin(), above_[other].end(), path) != above_[other].end();
      });
      if (!goes_on) out.push_back(known_paths()[path]);
    }
    return out;
  }

 private:
  static std::uint32_t number_of(const std::string& path) {
    const std::vector<std::string>& paths = known_paths();
    return static_cast<std::uint32_t>(std::lower_bound(paths.begin(), paths.end(), path) - paths.begin());
  }

  // "lung" and "lung/lung" end alike, but one leads to the other.
  static std::vector<std::uint32_t> same_node(std::uint32_t path, const std::vector<std::uint32_t>& others) {
    const std::string& name = known_paths()[path];
    std::vector<std::uint32_t> out;
    for (const std::uint32_t other : others) {
      const std::string& named = known_paths()[other];
      if (!name.starts_with(named + "/") && !named.starts_with(name + "/")) out.push_back(other);
    }
    return out;
  }

  std::vector<std::vector<std::uint32_t>> above_;                 // by path
  std::vector<std::vector<std::vector<std::uint32_t>>> by_name_;  // by name and number
};

const PathTable& path_table() {
  static const PathTable table;
  return table;
}

// A number that counts structures: of a rib, or of a vertebra of a level.
struct CountedLevel {
  std::string series;
  int number = 0;
};

std::string level_before(std::string_view text, std::size_t at) {
  if (at == 0 || (at > 1 && (is_letter(text[at - 2]) || is_digit(text[at - 2])))) return "";
  switch (text[at - 1]) {
    case 'c':
    case 'C':
      return "c";
    case 't':
    case 'T':
    case 'd':
    case 'D':  // dorsal
      return "t";
    case 'l':
    case 'L':
      return "l";
    default:
      return "";
  }
}

bool is_ordinal(std::string_view text, std::size_t end) {
  constexpr std::string_view endings[] = {"st", "nd", "rd", "th"};
  const std::string_view rest = text.substr(end);
  return std::any_of(std::begin(endings), std::end(endings), [rest](std::string_view ending) {
    return rest.starts_with(ending) && (rest.size() == ending.size() || !is_letter(rest[ending.size()]));
  });
}

// Whether only a dash, and the letters of an ordinal or a level, stand between two numbers.
bool is_dash_between(std::string_view between) {
  const std::size_t dash = between.find('-');
  return dash != std::string_view::npos && between.size() <= 4 &&
         std::all_of(between.begin(), between.end(), [](char c) { return c == '-' || is_letter(c); });
}

// Ordinals count what the words around them name: ribs, or the vertebrae of a level.
std::string ordinal_series(const ConceptSet& places, const Lexicon& lexicon) {
  const auto names = [&](std::string_view name) { return places[lexicon.required_concept(name)]; };
  if (names("rib")) return "rib";
  if (names("thoracic_vertebra")) return "t";
  if (names("lumbar_vertebra")) return "l";
  return names("cervical_vertebra") ? "c" : "";
}

std::vector<CountedLevel> counted_levels(const std::vector<NumberMention>& numbers, const ConceptSet& places,
                                         std::string_view text) {
  constexpr int most = 12;
  const Lexicon& lexicon = path_rules().lexicon();
  const bool counts = places[lexicon.required_concept("rib")] || places[lexicon.required_concept("vertebra")];
  std::vector<CountedLevel> out;
  std::size_t end_before = std::string_view::npos;
  for (std::size_t i = 0; counts && i < numbers.size(); ++i) {
    const auto value = parse_integer(numbers[i].span.of(text));
    const bool continues = !out.empty() && end_before < numbers[i].span.begin &&
                           is_dash_between(text.substr(end_before, numbers[i].span.begin - end_before));
    end_before = numbers[i].span.end;
    if (!value || *value < 1 || *value > most) continue;
    const int number = static_cast<int>(*value);
    std::string series = level_before(text, numbers[i].span.begin);
    const bool opens_range = i + 1 < numbers.size() && is_ordinal(text, numbers[i + 1].span.end) &&
                             is_dash_between(text.substr(end_before, numbers[i + 1].span.begin - end_before));
    if (series.empty() && (is_ordinal(text, end_before) || opens_range))
      series = ordinal_series(places, lexicon);
    if (series.empty() && continues) series = out.back().series;
    if (series.empty()) continue;
    // "T10-T12" and "2nd-5th": those between as well.
    for (int next = continues && out.back().series == series ? out.back().number + 1 : number; next < number;
         ++next) {
      out.push_back({series, next});
    }
    out.push_back({series, number});
  }
  return out;
}

}  // namespace

std::vector<std::string> with_ancestors(const std::string& path) {
  std::vector<std::string> out;
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
    out.push_back(path.substr(0, at));
  }
  out.push_back(path);
  return out;
}

const std::vector<std::string>& known_paths() {
  static const std::vector<std::string> paths = [] {
    std::vector<std::string> out;
    for (const PathPattern& pattern : path_patterns()) {
      for (int number = pattern.first; number <= pattern.last; ++number) {
        for (std::string& each : with_ancestors(pattern.with(number))) out.push_back(std::move(each));
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }();
  return paths;
}

std::vector<std::string> deepest(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    const bool goes_on = std::any_of(paths.begin(), paths.end(), [&path](const std::string& other) {
      return other.size() > path.size() && other[path.size()] == '/' && other.starts_with(path);
    });
    if (!goes_on) out.push_back(path);
  }
  return out;
}

std::string shared_path(const std::vector<std::string>& paths) {
  if (paths.empty()) return "";
  const bool is_one = std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
    return node_of(path) == node_of(paths[0]);
  });
  if (is_one) return paths.front();
  std::vector<std::string> shared = with_ancestors(paths.front());
  for (const std::string& path : paths) {
    const std::vector<std::string> lineage = with_ancestors(path);
    const auto [end, ignored] = std::mismatch(shared.begin(), shared.end(), lineage.begin(), lineage.end());
    shared.erase(end, shared.end());
  }
  return shared.empty() ? "" : shared.back();
}

std::string_view node_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

FindingPlacer::FindingPlacer()
    : rules_(path_rules()),
      sides_(required_concepts(rules_.lexicon(), {"left", "right", "bilateral"})),
      vague_(
          required_concepts(rules_.lexicon(), {"enlargement", "increase", "density", "soft_tissue", "nodular",
                                               "fluid", "lesion", "thickening", "cardiothoracic_ratio"})) {
  placing_ = concepts_of_kind(rules_.lexicon(), ConceptKind::anatomy) | sides_;
}

bool FindingPlacer::is_finding(const Mention& mention) const {
  const ConceptKind kind = rules_.lexicon().concepts()[mention.what].kind;
  return kind == ConceptKind::disorder || (kind == ConceptKind::finding && !vague_[mention.what]);
}

FindingPlacer::Stretch FindingPlacer::stretch_of(const Mention& finding, const Clause& clause,
                                                 const ClauseReader& reader) const {
  constexpr std::uint32_t no_end = ~std::uint32_t{0};
  Stretch stretch{.preface_end = no_end, .begin = finding.part, .end = no_end};
  for (const Mention& mention : reader.mentions(clause)) {
    if (!is_finding(mention)) continue;
    stretch.preface_end = std::min(stretch.preface_end, mention.part);
    if (mention.part > finding.part) stretch.end = std::min(stretch.end, mention.part);
  }
  return stretch;
}

bool FindingPlacer::is_placed(const Stretch& stretch, const Clause& clause,
                              const ClauseReader& reader) const {
  const std::span<const Mention> mentions = reader.mentions(clause);
  return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
    return placing_[mention.what] && stretch.holds(mention.part);
  });
}

std::vector<FindingPlacer::Group> FindingPlacer::groups_in(const Clause& clause, const Stretch& stretch,
                                                           const ClauseReader& reader) const {
  const Lexicon& lexicon = rules_.lexicon();
  std::vector<Group> groups(1);
  Group part;  // that is being read
  std::uint32_t number = 0;
  const std::span<const NumberMention> numbers = reader.numbers(clause);
  std::size_t next = 0;  // of the numbers
  const auto close_part = [&] {
    for (; next < numbers.size() && numbers[next].part <= number; ++next) {
      if (stretch.holds(numbers[next].part)) part.numbers.push_back(numbers[next]);
    }
    const bool new_side = (part.concepts & sides_).any() && (groups.back().concepts & sides_).any();
    if (new_side) groups.emplace_back();
    groups.back().concepts |= part.concepts;
    groups.back().numbers.insert(groups.back().numbers.end(), part.numbers.begin(), part.numbers.end());
    part = {};
  };
  for (const Mention& mention : reader.mentions(clause)) {
    if (mention.part != number) close_part();
    number = mention.part;
    if (stretch.holds(mention.part) && placing_[mention.what])
      add_with_whole(part.concepts, mention.what, lexicon);
  }
  number = ~std::uint32_t{0};  // and the numbers after the last mention
  close_part();
  // "the left and right kidneys": a side alone has the place of the next one.
  for (std::size_t i = groups.size() - 1; i-- > 0;) {
    if ((groups[i].concepts & ~sides_).none()) groups[i].concepts |= groups[i + 1].concepts & ~sides_;
  }
  return groups;
}

FindingPlace FindingPlacer::place_of(const Mention& finding, const Clause& clause, const ClauseReader& reader,
                                     std::string_view text) const {
  const Stretch own = stretch_of(finding, clause, reader);
  const bool is_told = clause.opening.any() || is_placed(own, clause, reader);
  return place_in(clause, {.said = own, .placed = is_told ? own : whole_clause}, reader, text);
}

std::vector<std::string> FindingPlacer::paths_beside(const TextSpan& words, const Clause& clause,
                                                     const ClauseReader& reader,
                                                     std::string_view text) const {
  for (const NumberMention& number : reader.numbers(clause)) {
    if (number.span.begin < words.begin || number.span.end > words.end) continue;
    const std::span<const Mention> mentions = reader.mentions(clause);
    const bool placed = std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
      return mention.part == number.part && placing_[mention.what] && !sides_[mention.what];
    });
    if (!placed) return {};
    const Stretch part{.preface_end = 0, .begin = number.part, .end = number.part + 1};
    return place_in(clause, {.said = part, .placed = part}, reader, text).paths;
  }
  return {};
}

std::vector<std::string> FindingPlacer::paths_of(const Clause& clause, const ClauseReader& reader,
                                                 std::string_view text) const {
  return place_in(clause, {.said = whole_clause, .placed = whole_clause}, reader, text).paths;
}

// What a clause does not say itself its sentence may have opened with, or spoken of before.
ConceptSet FindingPlacer::where_is(ConceptSet named, const Clause& clause) const {
  const ConceptSet opening = clause.opening & ~sides_;
  const bool continues = opening.none() || (named & ~sides_).none() || (named & opening).any();
  if ((named & ~sides_).none()) {
    if (opening.any()) {
      named |= opening;
    } else if ((clause.concepts & placing_ & ~sides_).none()) {
      named |= clause.known & placing_ & ~sides_;
    }
  }
  if ((named & sides_).none() && continues) named |= clause.opening & sides_;
  return named;
}

FindingPlace FindingPlacer::place_in(const Clause& clause, const Scope& scope, const ClauseReader& reader,
                                     std::string_view text) const {
  const Lexicon& lexicon = rules_.lexicon();
  ConceptSet said;  // what is found, for rules that know a place by it
  for (const Mention& mention : reader.mentions(clause)) {
    if (!placing_[mention.what] && scope.said.holds(mention.part))
      add_with_whole(said, mention.what, lexicon);
  }
  FindingPlace place;
  std::vector<std::uint32_t> paths;
  const auto add = [&paths](std::size_t name, int number) {
    const std::vector<std::uint32_t>& found = path_table().paths_to(name, number);
    paths.insert(paths.end(), found.begin(), found.end());
  };
  for (const Group& group : groups_in(clause, scope.placed, reader)) {
    const ConceptSet where = where_is(group.concepts, clause);
    place.concepts |= where;
    const std::vector<CountedLevel> levels = counted_levels(group.numbers, where, text);
    const ConceptSet here = where | said;
    for (const ConceptRules::Rule& rule : rules_.rules()) {
      if (!here[rule.subject] || !rule.holds(here, here)) continue;
      const PathPattern& pattern = path_patterns()[rule.name];
      if (pattern.series.empty()) add(rule.name, 0);
      for (const CountedLevel& level : levels) {
        const bool fits =
            level.series == pattern.series && level.number >= pattern.first && level.number <= pattern.last;
        if (fits) add(rule.name, level.number);
      }
    }
  }
  place.paths = path_table().deepest_of(std::move(paths));
  return place;
}

}  // namespace fiducial

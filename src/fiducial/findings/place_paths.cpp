#include "fiducial/findings/place_paths.h"

#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"

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

std::uint32_t number_of(const std::string& path) {
  const std::vector<std::string>& paths = known_paths();
  return static_cast<std::uint32_t>(std::lower_bound(paths.begin(), paths.end(), path) - paths.begin());
}

// "lung" and "lung/lung" end alike, but one leads to the other.
std::vector<std::uint32_t> same_node(std::uint32_t path, const std::vector<std::uint32_t>& others) {
  const std::string& name = known_paths()[path];
  std::vector<std::uint32_t> out;
  for (const std::uint32_t other : others) {
    const std::string& named = known_paths()[other];
    if (!name.starts_with(named + "/") && !named.starts_with(name + "/")) out.push_back(other);
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

std::string PathPattern::with(int number) const {
  std::string out;
  for (const char c : name) out += c == 'N' ? decimal(number) : std::string(1, c);
  return out;
}

PathTable::PathTable(const std::vector<PathPattern>& patterns) : patterns_(patterns) {
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
  for (const PathPattern& pattern : patterns_) {
    std::vector<std::vector<std::uint32_t>> each;
    for (int number = pattern.first; number <= pattern.last; ++number) {
      const std::uint32_t path = number_of(pattern.with(number));
      each.push_back(same_node(path, by_node.at(node_of(paths[path]))));
    }
    by_name_.push_back(std::move(each));
  }
}

const PathTable& PathTable::chest_ct() {
  static const PathTable table(path_patterns());
  return table;
}

const std::vector<std::uint32_t>& PathTable::paths_to(std::size_t name, int number) const {
  return by_name_[name][static_cast<std::size_t>(number - patterns_[name].first)];
}

std::vector<std::string> PathTable::deepest_of(std::vector<std::uint32_t> paths) const {
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

}  // namespace fiducial

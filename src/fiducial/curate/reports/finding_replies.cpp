#include "fiducial/curate/reports/finding_replies.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/reports/reply_polarity.h"
#include "fiducial/curate/reports/reply_words.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/findings/phrase_pattern.h"

namespace fiducial {

namespace {

using SentencesByCode = std::map<std::string, const StandardSentence*>;

SentencesByCode sentences_by_code(const StandardReport& report) {
  SentencesByCode out;
  for (const auto& section : report.sections) {
    for (const StandardSentence& sentence : section) out[sentence.code] = &sentence;
  }
  for (const StandardSentence& sentence : report.impressions) out[sentence.code] = &sentence;
  return out;
}

// What a text has that its source has not, a measurement or a side; nothing is "".
std::string gained_by(std::string_view source, std::string_view text) {
  const std::set<std::string> known = sizes_in(source);
  for (const std::string& size : sizes_in(text)) {
    if (!known.contains(size)) return size;
  }
  return side_beyond(sides_in(text), sides_in(source));
}

ItemStatus gained_status(const std::string& key, const std::string& gained) {
  return rejected("not_preserved", key + ": gained " + gained);
}

// One finding of a reply against the sentences it says it is from.
ItemStatus check_finding(const std::string& key, const FindingPhrase& finding,
                         const SentencesByCode& sentences, ReplyPolarity& polarity) {
  std::string source;
  std::string words;
  for (const std::string& code : finding.sources) {
    const auto found = sentences.find(code);
    if (found == sentences.end()) return rejected("unknown_source", key + ": there is no sentence " + code);
    source += found->second->text + " ";
    words += found->second->original() + ".\n";
  }
  if (source.empty()) return rejected("unknown_source", key + ": no sentence is named");
  const std::string gained = gained_by(source, finding.text);
  if (!gained.empty()) return gained_status(key, gained);
  ItemStatus status = polarity.check_finding(polarity.read(words), finding.text, finding.abnormal);
  if (status.is_failure()) status.detail = key + ": " + status.detail;
  return status;
}

NamedSides united(const NamedSides& a, const NamedSides& b) {
  return {.left = a.left || b.left,
          .right = a.right || b.right,
          .left_word = a.left_word || b.left_word,
          .right_word = a.right_word || b.right_word};
}

// Findings of a reply by the sentences they are from: what one of the rules must be found again in.
class SaidFindings {
 public:
  explicit SaidFindings(const std::vector<FindingPhrase>& said) : said_(said) {
    for (std::size_t i = 0; i < said.size(); ++i) {
      for (const std::string& code : said[i].sources) by_source_[code].insert(i);
    }
  }

  ItemStatus check(const FindingPhrase& by_rules) {
    std::set<std::size_t> candidates;
    for (const std::string& code : by_rules.sources) {
      const auto found = by_source_.find(code);
      if (found != by_source_.end()) candidates.insert(found->second.begin(), found->second.end());
    }
    if (candidates.empty())
      return rejected("lost_sentence",
                      "nothing is drawn from " + by_rules.sources.front() + ": " + by_rules.text);
    std::set<std::string> sizes;
    for (const std::size_t i : candidates) sizes.merge(sizes_in(said_[i].text));
    for (const std::string& size : sizes_in(by_rules.text)) {
      if (!sizes.contains(size)) return rejected("not_preserved", "lost " + size + " of " + by_rules.text);
    }
    return check_sides(by_rules, candidates);
  }

 private:
  // The side must be in the finding that is most like it, or be told of another that is as much so.
  ItemStatus check_sides(const FindingPhrase& by_rules, const std::set<std::size_t>& candidates) {
    const NamedSides wanted = sides_in(by_rules.text);
    if (!wanted.any()) return {};
    const Topics topics = topics_.of(by_rules.text);
    double most = -1.0;
    NamedSides said;
    for (const std::size_t i : candidates) {
      const double like = likeness(topics, topics_.of(said_[i].text));
      const NamedSides here = sides_in(said_[i].text);
      if (like > most) said = here;
      if (like == most) said = united(said, here);
      most = std::max(most, like);
    }
    const std::string lost = side_beyond(wanted, said);
    if (lost.empty()) return {};
    return said.any() && !side_beyond(said, wanted).empty()
               ? rejected("changed_side", by_rules.text + ": is said of the other side")
               : rejected("not_preserved", "lost " + lost + " of " + by_rules.text);
  }

  const std::vector<FindingPhrase>& said_;
  std::map<std::string, std::set<std::size_t>> by_source_;
  TopicReader topics_;
};

const std::string& text_at(const Json& list, std::size_t index) {
  return *(*list.as_array())[index].as_string();
}

const std::string& member_text(const Json& object, const char* name) {
  return *object.find(name)->as_string();
}

ItemStatus check_numbers(const Json& reply) {
  std::size_t number = 0;
  for (const auto& [key, finding] : *reply.as_object()) {
    const std::string expected = "S" + decimal(++number);
    if (key == expected) continue;
    const bool is_number =
        key.size() > 1 && key.front() == 'S' && key.find_first_not_of("0123456789", 1) == std::string::npos;
    return is_number ? rejected("missing_key", "expected " + expected + ", found " + key)
                     : rejected("extra_key", "there is no \"" + key + "\"");
  }
  return {};
}

bool share_a_word(const Topics& a, const Topics& b) { return likeness(a, b) > 0.0; }

// One is the other, or holds it.
bool are_related(const std::string& a, const std::string& b) {
  const std::string& shorter = a.size() < b.size() ? a : b;
  const std::string& longer = a.size() < b.size() ? b : a;
  return longer.starts_with(shorter) && (longer.size() == shorter.size() || longer[shorter.size()] == '/');
}

// A reply's findings beside those of the rules.
class GroundingCheck {
 public:
  GroundingCheck(const std::vector<GroundedFinding>& said, const std::vector<GroundedFinding>& by_rules)
      : said_(said), by_rules_(by_rules) {
    for (const GroundedFinding& finding : said) said_names_.push_back(topics_.of(finding.name));
    for (const GroundedFinding& finding : by_rules) rule_names_.push_back(topics_.of(finding.name));
  }

  // Everything the rules find is answered, in its words or of its place.
  ItemStatus check_nothing_lost() const {
    std::set<std::string> sizes;
    for (const GroundedFinding& finding : said_) {
      for (const Measurement& size : finding.sizes) sizes.insert(measurement_text(size));
    }
    for (std::size_t i = 0; i < by_rules_.size(); ++i) {
      const GroundedFinding& finding = by_rules_[i];
      if (!finding.present || !finding.certain) continue;
      for (const Measurement& size : finding.sizes) {
        if (!sizes.contains(measurement_text(size)))
          return rejected("not_preserved", "lost " + measurement_text(size) + " of " + finding.name);
      }
      if (!is_answered(i)) return rejected("lost_sentence", "nothing is said of " + finding.name);
    }
    return {};
  }

  // Nothing lies on one side that the rules see on the other alone.
  ItemStatus check_sides() const {
    for (std::size_t i = 0; i < said_.size(); ++i) {
      std::vector<std::string> known;
      std::vector<std::string> written;
      for (std::size_t k = 0; k < by_rules_.size(); ++k) {
        if (is_same(i, k)) known.insert(known.end(), by_rules_[k].paths.begin(), by_rules_[k].paths.end());
      }
      for (std::size_t k = 0; k < said_.size(); ++k) {
        if (said_[k].present == said_[i].present && share_a_word(said_names_[i], said_names_[k]))
          written.insert(written.end(), said_[k].paths.begin(), said_[k].paths.end());
      }
      ItemStatus status = check_mirrored(said_[i].name, written, known);
      if (status.is_failure()) return status;
    }
    return {};
  }

  // No size is told of a place that has another one, and not of the place that has it.
  ItemStatus check_sizes() const {
    for (std::size_t i = 0; i < said_.size(); ++i) {
      for (const Measurement& size : said_[i].sizes) {
        const std::string text = measurement_text(size);
        if (is_moved(i, text))
          return rejected("not_preserved", text + " of " + said_[i].name + " belongs to another place");
      }
    }
    return {};
  }

 private:
  bool is_moved(std::size_t said, const std::string& size) const {
    bool is_elsewhere = false;
    bool has_other = false;
    for (std::size_t k = 0; k < by_rules_.size(); ++k) {
      const GroundedFinding& known = by_rules_[k];
      if (!is_same(said, k) || known.sizes.empty()) continue;
      const bool has_it =
          std::any_of(known.sizes.begin(), known.sizes.end(),
                      [&size](const Measurement& each) { return measurement_text(each) == size; });
      const bool is_here = lies_beside(said_[said].paths, known);
      if (has_it && (is_here || known.paths.empty())) return false;
      is_elsewhere = is_elsewhere || has_it;
      has_other = has_other || is_here;
    }
    return is_elsewhere && has_other;
  }

  // Whether what the rules measured is in one of some places, or about it.
  static bool lies_beside(const std::vector<std::string>& paths, const GroundedFinding& measured) {
    const std::vector<std::string> known =
        measured.size_path.empty() ? measured.paths : std::vector<std::string>{measured.size_path};
    return std::any_of(paths.begin(), paths.end(), [&known](const std::string& path) {
      return std::any_of(known.begin(), known.end(),
                         [&path](const std::string& other) { return are_related(path, other); });
    });
  }

  bool is_same(std::size_t said, std::size_t rule) const {
    return said_[said].present == by_rules_[rule].present &&
           share_a_word(said_names_[said], rule_names_[rule]);
  }

  bool is_answered(std::size_t rule) const {
    for (std::size_t i = 0; i < said_.size(); ++i) {
      if (share_a_word(said_names_[i], rule_names_[rule])) return true;
      for (const std::string& path : said_[i].paths) {
        for (const std::string& other : by_rules_[rule].paths) {
          if (are_related(path, other)) return true;
        }
      }
    }
    return false;
  }

  const std::vector<GroundedFinding>& said_;
  const std::vector<GroundedFinding>& by_rules_;
  std::vector<Topics> said_names_;
  std::vector<Topics> rule_names_;
  TopicReader topics_;
};

// No finding is stated that the report denies, and none denied that it states.
ItemStatus check_polarity(const Json& reply, const std::vector<GroundedFinding>& said,
                          const ReportSectionsText& texts) {
  ReplyPolarity polarity;
  const PolarityRecord report = polarity.read(texts);
  for (const GroundedFinding& finding : said) {
    ItemStatus status = polarity.check_finding(report, finding.name, finding.present);
    if (status.is_failure()) return status;
  }
  for (const Json& disorder : *reply.find("disorders")->as_array()) {
    ItemStatus status = polarity.check_finding(report, *disorder.as_string(), true);
    if (status.is_failure()) return status;
  }
  return {};
}

ItemStatus check_answers(const std::vector<GroundedFinding>& said, const ReportSectionsText& texts) {
  std::set<std::string> known = sizes_in(texts.findings);
  known.merge(sizes_in(texts.impressions));
  std::map<std::pair<std::string, std::string>, bool> answers;
  for (const GroundedFinding& finding : said) {
    for (const Measurement& size : finding.sizes) {
      if (!known.contains(measurement_text(size))) return gained_status(finding.name, measurement_text(size));
    }
    for (const std::string& path : finding.paths) {
      const auto [answer, is_new] = answers.emplace(std::pair(finding.name, path), finding.present);
      if (!is_new && answer->second != finding.present)
        return rejected("contradiction", finding.name + " is both stated and denied of " + path);
    }
  }
  return {};
}

}  // namespace

ModelRequest finding_request(const StandardReport& report) {
  Json::Object user;
  for (const auto& section : report.sections) {
    for (const StandardSentence& sentence : section) user.emplace_back(sentence.code, sentence.text);
  }
  for (const StandardSentence& sentence : report.impressions) user.emplace_back(sentence.code, sentence.text);
  const Json flag = enum_schema({"Y", "N"});
  const Json finding = Json::object({{"type", "array"},
                                     {"prefixItems", Json::array({text_schema(), text_schema(), flag, flag})},
                                     {"minItems", 4},
                                     {"maxItems", 4}});
  return request_in_words_of("findings", user,
                             Json::object({{"type", "object"},
                                           {"propertyNames", Json::object({{"pattern", "^S[1-9][0-9]*$"}})},
                                           {"additionalProperties", finding}}));
}

ItemStatus check_findings(const Json& reply, const StandardReport& report,
                          const std::vector<FindingPhrase>& by_rules) {
  ItemStatus status = check_numbers(reply);
  if (status.is_failure()) return status;
  const SentencesByCode sentences = sentences_by_code(report);
  const std::vector<FindingPhrase> said = phrases_of(reply);
  ReplyPolarity polarity;
  for (std::size_t i = 0; i < said.size(); ++i) {
    status = check_finding("S" + decimal(i + 1), said[i], sentences, polarity);
    if (status.is_failure()) return status;
  }
  SaidFindings findings(said);
  for (const FindingPhrase& phrase : by_rules) {
    if (!phrase.abnormal) continue;
    status = findings.check(phrase);
    if (status.is_failure()) return status;
  }
  return {};
}

std::vector<FindingPhrase> phrases_of(const Json& reply) {
  std::vector<FindingPhrase> out;
  for (const auto& [key, finding] : *reply.as_object()) {
    FindingPhrase phrase{.text = text_at(finding, 0), .sources = {}, .spans = {}};
    for (const std::string_view code : split_trimmed(text_at(finding, 1), ','))
      phrase.sources.emplace_back(code);
    phrase.abnormal = text_at(finding, 2) == "Y";
    phrase.speaks_of_prior = text_at(finding, 3) == "Y";
    out.push_back(std::move(phrase));
  }
  return out;
}

bool agree_on_sentences(const std::vector<FindingPhrase>& said, const std::vector<FindingPhrase>& by_rules) {
  const auto sources = [](const std::vector<FindingPhrase>& phrases, bool abnormal) {
    std::multiset<std::string> out;
    for (const FindingPhrase& phrase : phrases) {
      if (phrase.abnormal == abnormal) out.insert(phrase.sources.begin(), phrase.sources.end());
    }
    return out;
  };
  const std::multiset<std::string> denied = sources(said, false);
  const std::multiset<std::string> to_deny = sources(by_rules, false);
  return sources(said, true) == sources(by_rules, true) &&
         std::includes(denied.begin(), denied.end(), to_deny.begin(), to_deny.end());
}

ModelRequest grounding_request(const ReportSectionsText& texts) {
  const Json user = Json::object(
      {{"Findings", std::string(texts.findings)}, {"Impressions", std::string(texts.impressions)}});
  const Json finding = exact_object_schema({{"finding", text_schema()},
                                            {"anatomy", list_schema(enum_schema(known_paths()))},
                                            {"present", enum_schema({"Y", "N"})},
                                            {"size", text_schema()}});
  return request_in_words_of(
      "vqa", user,
      exact_object_schema({{"findings", list_schema(finding)}, {"disorders", list_schema(text_schema())}}));
}

ItemStatus check_grounding(const Json& reply, const ReportSectionsText& texts,
                           const std::vector<GroundedFinding>& by_rules) {
  const std::vector<GroundedFinding> said = grounded_findings_of(reply);
  ItemStatus status = check_answers(said, texts);
  if (!status.is_failure()) status = check_polarity(reply, said, texts);
  if (status.is_failure()) return status;
  const GroundingCheck check(said, by_rules);
  status = check.check_sides();
  if (!status.is_failure()) status = check.check_sizes();
  return status.is_failure() ? status : check.check_nothing_lost();
}

std::vector<GroundedFinding> grounded_findings_of(const Json& reply) {
  std::vector<GroundedFinding> out;
  for (const Json& finding : *reply.find("findings")->as_array()) {
    GroundedFinding each{.name = member_text(finding, "finding"),
                         .present = member_text(finding, "present") == "Y",
                         .paths = deepest(strings_of(*finding.find("anatomy"))),
                         .sizes = find_measurements(member_text(finding, "size"))};
    each.size_path = shared_path(each.paths);
    out.push_back(std::move(each));
  }
  return out;
}

bool agree_on_names(const std::vector<GroundedFinding>& a, const std::vector<GroundedFinding>& b) {
  const auto named = [](const std::vector<GroundedFinding>& findings) {
    std::set<std::pair<std::string, bool>> out;
    for (const GroundedFinding& finding : findings) out.emplace(finding.name, finding.present);
    return out;
  };
  return named(a) == named(b);
}

}  // namespace fiducial

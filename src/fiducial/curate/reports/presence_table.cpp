#include "fiducial/curate/reports/presence_table.h"

#include <algorithm>
#include <array>
#include <functional>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/reports/finding_replies.h"
#include "fiducial/findings/report_grounding.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

constexpr double highest_blind_accuracy = 0.60;
constexpr std::size_t longest_memory_line = std::size_t{1} << 30;

// The places that a finding is asked of: where it is, and above it where it is stated. A region is written
// twice (lung, lung/lung) and asked of once.
std::vector<std::string> asked_paths(const GroundedFinding& finding) {
  if (!finding.present) return finding.paths;
  std::vector<std::string> out;
  for (const std::string& path : finding.paths) {
    const std::vector<std::string> lineage = with_ancestors(path);
    for (std::size_t i = 0; i < lineage.size(); ++i) {
      if (i + 1 == lineage.size() || node_of(lineage[i]) != node_of(lineage[i + 1]))
        out.push_back(lineage[i]);
    }
  }
  return out;
}

Result<AnswerWords> recall_words(const Json::Array& parts) {
  std::array<std::uint32_t, 4> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    FIDUCIAL_TRY(const std::int64_t number, expect_integer(parts[i + 1], "/1"));
    numbers[i] = static_cast<std::uint32_t>(number);
  }
  return AnswerWords{numbers[0], numbers[1], numbers[2], numbers[3] != 0};
}

}  // namespace

// One question a finding and path, unless the report says both, there or in a part of it; and one more of
// what it states in more words. What is remembered is JSON: for each finding its name and its words, and each
// of its paths with 1 or 0.
Outcome PresenceTable::add(const Report& report) {
  volumes_.push_back(report.volume);
  remembered_ = "[";
  asked_.clear();
  for (const GroundedFinding& finding : report.findings) {
    PathAnswers answers;
    for (std::string& path : asked_paths(finding)) {
      if (!finding.certain) continue;
      const PlaceFindings& here = report.places.at(path);
      const bool stated = here.states(finding.name);
      if (stated && here.denies(finding.name)) {
        if (asked_.emplace(path, finding.name).second) ++contradictions_;
        continue;
      }
      answers.emplace_back(std::move(path), stated);
    }
    const AnswerWords words = report.text.answer_words(finding.evidence);
    collect(finding, finding.name, answers, words);
    for (const std::string& term : {std::cref(finding.term), std::cref(finding.many)}) {
      if (!finding.present || term.empty()) continue;
      pool_.describe(term, finding.name);
      collect(finding, term, answers, words);
    }
  }
  asked_.clear();  // it views the findings
  return remember(remembered_ + "]");
}

Outcome PresenceTable::pass(const std::string& volume) {
  volumes_.push_back(volume);
  return remember("[]");
}

// The questions about a finding by one of its names, for the pool and for what is remembered.
void PresenceTable::collect(const GroundedFinding& finding, std::string_view name, const PathAnswers& answers,
                            const AnswerWords& words) {
  const auto volume = static_cast<std::uint32_t>(volumes_.size() - 1);
  remembered_ += remembered_.size() > 1 ? ",[" : "[";
  append_json_text(remembered_,
                   name == finding.name ? finding.name : std::string(name) + "\n" + finding.name);
  for (const std::uint32_t number : {words.sentence, words.begin, words.end, std::uint32_t{words.is_judged}})
    remembered_ += "," + decimal(number);
  pool_.mention(volume, name);
  for (const auto& [path, stated] : answers) {
    if (!asked_.emplace(path, name).second) continue;
    pool_.add(volume, path, name, stated, words);
    remembered_ += ',';
    append_json_text(remembered_, path);
    remembered_ += stated ? ",1" : ",0";
  }
  remembered_ += ']';
}

Outcome PresenceTable::remember(std::string_view findings) {
  std::string line = "[";
  append_json_text(line, volumes_.back());
  line += ',';
  line += findings;
  return memory_.write(line + "]\n");
}

Outcome PresenceTable::recall(const Path& memory) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(memory));
  LineReader lines(*file, longest_memory_line);
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next());
    if (!line) return done();
    FIDUCIAL_TRY(const Json report, parse_json(*line));
    FIDUCIAL_TRY(const Json::Array* parts, expect_array(report, ""));
    if (parts->size() != 2) return invalid_data("expected a volume and its findings");
    FIDUCIAL_TRY(std::string volume, expect_string((*parts)[0], "/0"));
    volumes_.push_back(std::move(volume));
    FIDUCIAL_TRY_DONE(recall_findings((*parts)[1]));
  }
}

Outcome PresenceTable::recall_findings(const Json& findings) {
  FIDUCIAL_TRY(const Json::Array* list, expect_array(findings, "/1"));
  const auto volume = static_cast<std::uint32_t>(volumes_.size() - 1);
  for (const Json& finding : *list) {
    FIDUCIAL_TRY(const Json::Array* parts, expect_array(finding, "/1"));
    if (parts->size() < 5 || parts->size() % 2 != 1)
      return invalid_data("expected a finding with its words, and paths with answers");
    FIDUCIAL_TRY(const std::string name, expect_string((*parts)[0], "/1"));
    FIDUCIAL_TRY(const AnswerWords words, recall_words(*parts));
    const std::size_t end = name.find('\n');
    const std::string_view said = std::string_view(name).substr(0, end);
    if (end != std::string::npos) pool_.describe(said, std::string_view(name).substr(end + 1));
    pool_.mention(volume, said);
    for (std::size_t i = 5; i < parts->size(); i += 2) {
      FIDUCIAL_TRY(const std::string path, expect_string((*parts)[i], "/1"));
      FIDUCIAL_TRY(const std::int64_t stated, expect_integer((*parts)[i + 1], "/1"));
      pool_.add(volume, path, said, stated != 0, words);
    }
  }
  return done();
}

std::vector<PresenceQuestion> PresenceTable::silent(PythonRandom& random) const {
  return pool_.silent(static_cast<std::uint32_t>(volumes_.size()), random);
}

Outcome PresenceTable::write(const PresenceQuestion& question, const char* basis, const Tables& tables,
                             PythonRandom& random) const {
  const std::string& path = pool_.name(question.path);
  const std::string& finding = pool_.name(question.finding);
  const std::string& volume = volumes_[question.volume];
  const char* answer = question.present ? "Yes." : "No.";
  std::vector<SourceSpan> sources;
  if (question.words.end > question.words.begin)
    sources.push_back({(question.words.is_judged ? "I" : "F") + decimal(question.words.sentence),
                       {question.words.begin, question.words.end}});
  FIDUCIAL_TRY_DONE(
      tables.table.write(csv_row_of({volume, path, finding, answer, basis, sources_text(sources)})));
  const std::string& known = pool_.name(pool_.finding_of(question.finding));
  const AskedQuestion asked{.family = "presence",
                            .finding = known,
                            .term = known == finding ? std::string_view{} : finding,
                            .path = path,
                            .answer = answer,
                            .basis = basis,
                            .accepted = {},
                            .sources = std::move(sources)};
  const std::vector<std::string>& words = question_templates().at(asked.family);
  const std::string text = filled_question(words[random.below(words.size())], finding, node_of(path));
  return tables.questions.write(question_head(volume, asked.family, text) +
                                question_tail(asked, tables.columns));
}

// What presence questions came to, in a line.
std::string PresenceTable::told(const std::vector<PresenceQuestion>& balanced) const {
  std::string kept =
      "presence: " + decimal(balanced.size()) + " of " + decimal(pool_.all().size()) + " questions kept";
  if (pool_.all().empty()) return kept;
  const BlindAccuracy before = blind_accuracy(pool_.all());
  const std::string was = fixed(std::max(before.by_finding, before.by_finding_and_region), 4);
  if (balanced.empty()) {
    return kept + ": no finding is both stated and denied of one region, so balance was not reached; " +
           "before balancing the best guess without the image is right in " + was + " of them";
  }
  const BlindAccuracy after = blind_accuracy(balanced);
  const double guessed = std::max({after.by_finding, after.by_finding_and_region, after.by_majority});
  return kept + "; the best guess without the image is right in " + fixed(guessed, 4) + " of them, in " +
         was + " before balancing" + (guessed > highest_blind_accuracy ? "; balance was not reached" : "");
}

Json PresenceTable::summary(const std::vector<PresenceQuestion>& balanced) const {
  const auto accuracy_json = [](const std::vector<PresenceQuestion>& questions) {
    const BlindAccuracy blind = blind_accuracy(questions);
    const auto share = [&questions](double value) { return questions.empty() ? Json() : Json(value); };
    return Json::object({{"questions", static_cast<std::int64_t>(questions.size())},
                         {"blind_by_finding", share(blind.by_finding)},
                         {"blind_by_finding_and_region", share(blind.by_finding_and_region)},
                         {"blind_by_majority", share(blind.by_majority)}});
  };
  return Json::object({{"told", told(balanced)},
                       {"presence_before_balancing", accuracy_json(pool_.all())},
                       {"presence", accuracy_json(balanced)}});
}

}  // namespace fiducial

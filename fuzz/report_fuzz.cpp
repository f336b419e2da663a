// Everything that reads report text, on any text: sentences give it back, evidence lies inside it.
#include <string>

#include "fiducial/findings/finding_phrases.h"
#include "fiducial/findings/report_grounding.h"
#include "fiducial/findings/report_labels.h"
#include "fiducial/findings/report_language.h"
#include "fiducial/findings/report_polarity.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

std::string joined(std::string_view text, const std::vector<Sentence>& sentences) {
  std::string out;
  for (const Sentence& sentence : sentences) {
    require(sentence.content.begin >= sentence.span.begin && sentence.content.end <= sentence.span.end);
    require(sentence.content.begin <= sentence.content.end);
    out += sentence.span.of(text);
  }
  return out;
}

// What is drawn from a report points into it, and standard words lose nothing.
void draw_findings(std::string_view text) {
  static FactReader facts;
  static ReportStandardiser standardiser;
  static FindingExtractor extractor;
  static ReportGrounder grounder;
  for (const Fact& fact : facts.read(text)) {
    require(fact.clause.begin <= fact.evidence.begin && fact.evidence.end <= fact.clause.end);
    for (const Measurement& size : fact.sizes) {
      require(size.span.begin >= fact.clause.begin && size.span.end <= fact.clause.end);
    }
  }
  const StandardReport report = standardiser.standardise(text, text);
  for (const FindingPhrase& phrase : extractor.extract(report)) require(!phrase.sources.empty());
  for (const GroundedFinding& finding : grounder.findings(text)) require(!finding.name.empty());
}

// What is stated and denied points into the text, and a text without a word says nothing.
void read_polarity(std::string_view text) {
  static PolarityReader reader;
  const PolarityRecord record = reader.read(text);
  for (const ClausePolarity& clause : record.clauses()) {
    require(clause.span.begin <= clause.span.end && clause.span.end <= text.size());
    for (const FindingPolarity& each : clause.findings)
      require(clause.span.begin <= each.evidence.begin && each.evidence.end <= clause.span.end);
  }
  require(!turned_finding(record, record));
  LanguageProbe probe;
  probe.add(text);
  if (probe.result() == Legibility::empty) require(record.stated().none() && record.denied().none());
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  static ReportLabeller labeller;
  static ReportDivider divider;
  const std::string_view text = as_text(fuzz::view(bytes, size));
  for (const SentenceRule rule : {SentenceRule::clinical, SentenceRule::published}) {
    const std::vector<Sentence> sentences = split_sentences(text, rule);
    fuzz::require(fuzz::joined(text, sentences) == text);
    fuzz::require(divider.divide(text, sentences).size() == sentences.size());
  }
  std::vector<bool> raised(labeller.rules().names().size());
  for (const LabelEvidence& why : labeller.evidence(text)) {
    fuzz::require(why.finding.begin < why.finding.end && why.finding.end <= size);
    fuzz::require(why.clause.begin <= why.finding.begin && why.finding.end <= why.clause.end);
    raised[why.label] = true;
  }
  fuzz::require(labeller.labels(text) == raised);
  for (const Measurement& each : find_measurements(text)) {
    fuzz::require(each.span.begin < each.span.end && each.span.end <= size && each.arity >= 1 &&
                  each.arity <= 3);
  }
  fuzz::draw_findings(text);
  fuzz::read_polarity(text);
  return 0;
}

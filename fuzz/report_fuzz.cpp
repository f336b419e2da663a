// Everything that reads report text, on any text: sentences give it back, evidence lies inside it.
#include <string>

#include "fiducial/findings/measurements.h"
#include "fiducial/findings/report_labels.h"
#include "fiducial/findings/sentence_regions.h"

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
  return 0;
}

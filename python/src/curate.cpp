#include "curate.h"

#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/findings/report_labels.h"
#include "fiducial/findings/sentence_regions.h"

#include "long_call.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

nb::typed<nb::list, nb::typed<nb::dict, nb::str, int>> label_reports(const std::vector<std::string>& texts) {
  const std::vector<std::string>& names = ct_rate_label_rules().names();
  std::vector<std::vector<bool>> raised(texts.size());
  short_call([&] {
    ReportLabeller labeller;
    for (std::size_t i = 0; i < texts.size(); ++i) raised[i] = labeller.labels(texts[i]);
  });
  nb::typed<nb::list, nb::typed<nb::dict, nb::str, int>> out;
  for (const std::vector<bool>& flags : raised) {
    nb::dict row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i].c_str()] = static_cast<int>(flags[i]);
    out.append(row);
  }
  return out;
}

nb::list label_evidence(const std::string& report) {
  ReportLabeller labeller;
  nb::list out;
  for (const LabelEvidence& why : labeller.evidence(report)) {
    nb::dict row;
    row["label"] = labeller.rules().names()[why.label];
    row["rule"] = labeller.rules().rules()[why.rule].text;
    row["begin"] = why.finding.begin;
    row["end"] = why.finding.end;
    out.append(row);
  }
  return out;
}

nb::list divide_report(const std::string& findings) {
  ReportDivider divider;
  const std::vector<Sentence> sentences = split_sentences(findings, SentenceRule::published);
  const std::vector<SentenceRegions> answers = divider.divide(findings, sentences);
  nb::list out;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    nb::list regions;
    for (const std::size_t region : answers[i].regions) regions.append(divider.rules().names()[region]);
    nb::dict row;
    row["sentence"] = std::string(sentences[i].content.of(findings));
    row["regions"] = regions;
    out.append(row);
  }
  return out;
}

std::vector<std::string> report_sentences(const std::string& report) {
  std::vector<std::string> out;
  for (const Sentence& sentence : split_sentences(report)) out.emplace_back(sentence.span.of(report));
  return out;
}

}  // namespace

void define_curate(nb::module_& module) {
  module.def("label_reports", label_reports, nb::arg("texts"));
  module.def("label_evidence", label_evidence, nb::arg("report"));
  module.def("divide_report", divide_report, nb::arg("findings"));
  module.def("report_sentences", report_sentences, nb::arg("report"));
}

}  // namespace fiducial::python

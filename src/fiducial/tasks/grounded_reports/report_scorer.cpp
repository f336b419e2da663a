#include "fiducial/tasks/grounded_reports/report_scorer.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/metrics/dice_formula.h"
#include "fiducial/spatial/overlap.h"
#include "fiducial/tasks/grounded_reports/mask_places.h"

namespace fiducial {

namespace {

// The masks of a case's sentences; none where they cannot be compared.
struct SentenceMasks {
  std::vector<LabelMap> channels;
};

std::vector<std::vector<double>> dice_table(const std::vector<GroundedSentence>& reference,
                                            const SentenceMasks& truth,
                                            const std::vector<GroundedSentence>& prediction,
                                            const SentenceMasks& predicted) {
  std::vector<std::vector<double>> out(reference.size(), std::vector<double>(prediction.size()));
  for (std::size_t r = 0; r < reference.size(); ++r) {
    const auto wanted = static_cast<std::size_t>(reference[r].channel.value_or(-1));
    if (wanted >= truth.channels.size()) continue;
    const Mask mask = truth.channels[wanted].foreground();
    for (std::size_t p = 0; p < prediction.size(); ++p) {
      const auto said = static_cast<std::size_t>(prediction[p].channel.value_or(-1));
      if (said >= predicted.channels.size()) continue;
      const Result<Overlap> shared = overlap(mask, predicted.channels[said].foreground());
      if (!shared.ok() || shared->reference + shared->prediction == 0) continue;
      out[r][p] = exact_dice(*shared);
    }
  }
  return out;
}

// Scores cases one by one; safe from several threads.
class OneReportScorer {
 public:
  OneReportScorer(const GroundedReports& reports, const PredictionFiles& files,
                  const GroundedDataset* dataset, OrganMasks* organs)
      : reports_(reports), files_(files), dataset_(dataset), organs_(organs) {}

  Result<GroundedReportScore> score(const ReferenceReport& reference, const GroundedCase* entry) const {
    GroundedReportScore out;
    const auto found = reports_.by_case.find(reference.name);
    out.is_missing = found == reports_.by_case.end();
    if (out.is_missing)
      out.remarks.push_back({reference.name, "missing", "no report", Remark::Kind::failure});
    const std::vector<GroundedSentence> nothing;
    const std::vector<GroundedSentence>& said = out.is_missing ? nothing : found->second;
    FactFinder finder;
    const std::vector<ReportFact> wanted_facts = finder.facts(reference.sentences);
    const std::vector<ReportFact> said_facts = finder.facts(said);
    std::vector<std::vector<double>> dice;
    SentenceMasks truth;
    if (entry != nullptr) {
      FIDUCIAL_TRY(truth, read_truth(*entry, out));
    }
    const SentenceMasks predicted = entry != nullptr || organs_ != nullptr
                                        ? read_prediction(reference.name, truth, said, out)
                                        : SentenceMasks{};
    if (entry != nullptr) dice = dice_table(reference.sentences, truth, said, predicted);
    std::vector<bool> has_fact(reference.sentences.size());
    for (const ReportFact& fact : wanted_facts) has_fact[fact.sentence] = true;
    out.without_facts = std::count(has_fact.begin(), has_fact.end(), false);
    out.reference_facts = static_cast<double>(wanted_facts.size());
    out.predicted_facts = static_cast<double>(said_facts.size());
    const std::vector<FactMatch> matches = match_facts(wanted_facts, said_facts, dice);
    const PlacedReport placed{said, said_facts, predicted};
    const std::vector<ReportFact> no_facts;
    const std::vector<ReportFact>& held_against = entry != nullptr ? no_facts : wanted_facts;
    FIDUCIAL_TRY(const CaseMasks organs, organs_of(reference.name, matches, placed, held_against));
    out.organs = organs.digest();
    for (const FactMatch& match : matches) {
      const ReportFact& fact = said_facts[match.prediction];
      const LabelMap* mask = organs.empty() ? nullptr : placed.mask_of(fact);
      out.matched += 1;
      out.aligned += match.shares_region ? aligned_share(mask, fact, organs) : 0;
      if (entry != nullptr) {
        out.measured += 1;
        out.dice += match.dice;
        out.grounded += match.dice >= least_grounded_dice ? 1 : 0;
        continue;
      }
      const auto fit = mask == nullptr
                           ? std::nullopt
                           : fit_to_places(mask->foreground(), wanted_facts[match.reference], organs);
      out.measured += fit ? 1 : 0;
      out.dice += fit ? fit->dice : 0;
      out.grounded += (fit ? fit->is_in_place() : match.shares_region) ? 1 : 0;
    }
    return out;
  }

 private:
  // What a report says, and where.
  struct PlacedReport {
    const std::vector<GroundedSentence>& sentences;
    const std::vector<ReportFact>& facts;
    const SentenceMasks& masks;

    const LabelMap* mask_of(const ReportFact& fact) const {
      const auto channel = static_cast<std::size_t>(sentences[fact.sentence].channel.value_or(-1));
      return channel < masks.channels.size() ? &masks.channels[channel] : nullptr;
    }
  };

  // A matched fact is aligned as far as its mask lies in the places it names, or wholly where there is no
  // mask of it or of these places; and not at all where it names no region of the reference.
  static double aligned_share(const LabelMap* mask, const ReportFact& fact, const CaseMasks& organs) {
    const auto fit = mask == nullptr ? std::nullopt : fit_to_places(mask->foreground(), fact, organs);
    return fit ? fit->share : 1;
  }

  // Masks of the places that matched facts with a mask name, and of those of the reference they are held
  // against.
  Result<CaseMasks> organs_of(const std::string& name, const std::vector<FactMatch>& matches,
                              const PlacedReport& said, const std::vector<ReportFact>& held_against) const {
    std::vector<std::string> wanted;
    for (const FactMatch& match : matches) {
      const ReportFact& fact = said.facts[match.prediction];
      if (said.mask_of(fact) == nullptr) continue;
      if (match.shares_region) {
        for (const std::string& place : fact.places) wanted.emplace_back(node_of(place));
      }
      if (held_against.empty()) continue;
      for (const std::string& place : held_against[match.reference].places)
        wanted.emplace_back(node_of(place));
    }
    if (organs_ == nullptr || wanted.empty()) return CaseMasks();
    const CaseBudget of_references{CaseLimits{}};
    return organs_->read(name, wanted).context("reading organ masks of " + name);
  }

  Result<SentenceMasks> read_truth(const GroundedCase& entry, GroundedReportScore& out) const {
    const CaseBudget of_references{CaseLimits{}};  // limits are for what was handed in
    FIDUCIAL_TRY(StoredFile stored, dataset_->open_mask(entry));
    MaskRead read = read_mask_file(std::move(stored), std::nullopt);
    const std::string name = dataset_->mask_name(entry);
    FIDUCIAL_TRY(MaskFile mask, std::move(read.mask).in_file((dataset_->folder() / name).string()));
    out.reference_files.push_back({name, *read.digest});
    return SentenceMasks{std::move(mask.channels)};
  }

  // A mask that cannot be used is told of, and counts as none.
  SentenceMasks read_prediction(const std::string& name, const SentenceMasks& truth,
                                const std::vector<GroundedSentence>& said, GroundedReportScore& out) const {
    const bool has_masks =
        std::any_of(said.begin(), said.end(), [](const auto& each) { return each.channel.has_value(); });
    if (!has_masks) return {};
    const auto refuse = [&](const std::string& why) {
      out.remarks.push_back({name, "mask_unusable", why});
      return SentenceMasks{};
    };
    if (!files_.has(name)) return refuse("sentences name channels, but there is no mask file of the case");
    Result<StoredFile> stored = files_.open_file(name);
    if (!stored.ok()) return refuse(stored.error().message());
    MaskRead read = read_mask_file(*std::move(stored), std::nullopt);
    if (read.digest) out.prediction_files.push_back({name, *read.digest});
    if (!read.mask.ok()) return refuse(read.mask.error().message());
    if (read.mask->values.fractional > 0 || read.mask->values.not_finite > 0)
      return refuse("values are not integers; expected a mask, found probabilities");
    if (!truth.channels.empty() && read.mask->shape.extent != truth.channels.front().extent())
      return refuse(
          "the mask lies on another grid than the reference; \"fiducial resample\" with --like its CT brings "
          "it "
          "there");
    for (const GroundedSentence& sentence : said) {
      if (sentence.channel.value_or(0) >= read.mask->shape.channels) {
        out.remarks.push_back({name, "mask_unusable",
                               "channel " + decimal(*sentence.channel) + " of " +
                                   decimal(read.mask->shape.channels) + " is not there"});
      }
    }
    return {std::move(read.mask->channels)};
  }

  const GroundedReports& reports_;
  const PredictionFiles& files_;
  const GroundedDataset* dataset_;
  OrganMasks* organs_;
};

Json digest_json(const HashedFile& file) {
  return Json::object({{"file", file.name}, {"sha256", file.digest.hex()}});
}

Json files_json(const std::vector<HashedFile>& files) {
  Json out{Json::Array{}};
  for (const HashedFile& file : files) out.push(digest_json(file));
  return out;
}

Result<Digest> digest_at(const Json& value, const char* key) {
  FIDUCIAL_TRY(const Json* hex, required_field(value, key, ""));
  FIDUCIAL_TRY(const std::string text, expect_string(*hex, std::string("/") + key));
  const auto digest = parse_digest(text);
  if (!digest) return at_pointer(std::string("/") + key, "expected 64 hexadecimal digits");
  return *digest;
}

Result<std::vector<HashedFile>> parse_files(const Json& value, const char* key) {
  FIDUCIAL_TRY(const Json* list, required_field(value, key, ""));
  FIDUCIAL_TRY(const Json::Array* items, expect_array(*list, std::string("/") + key));
  std::vector<HashedFile> out;
  for (const Json& item : *items) {
    FIDUCIAL_TRY(const Json* name, required_field(item, "file", ""));
    HashedFile file;
    FIDUCIAL_TRY(file.name, expect_string(*name, "/file"));
    FIDUCIAL_TRY(file.digest, digest_at(item, "sha256"));
    out.push_back(std::move(file));
  }
  return out;
}

using ScoreNumber = std::pair<const char*, double GroundedReportScore::*>;
constexpr ScoreNumber score_numbers[] = {{"reference_facts", &GroundedReportScore::reference_facts},
                                         {"predicted_facts", &GroundedReportScore::predicted_facts},
                                         {"matched", &GroundedReportScore::matched},
                                         {"grounded", &GroundedReportScore::grounded},
                                         {"aligned", &GroundedReportScore::aligned},
                                         {"dice", &GroundedReportScore::dice},
                                         {"measured", &GroundedReportScore::measured}};

}  // namespace

Json to_json(const GroundedReportScore& score) {
  Json out = Json::object({{"case", score.name}});
  for (const auto& [key, member] : score_numbers) out.set(key, score.*member);
  out.set("missing", score.is_missing).set("without_facts", score.without_facts);
  out.set("reference_files", files_json(score.reference_files));
  out.set("prediction_files", files_json(score.prediction_files));
  if (score.organs) out.set("organs", score.organs->hex());
  Json remarks{Json::Array{}};
  for (const Remark& each : score.remarks)
    remarks.push(Json::array({each.code, each.text, each.kind == Remark::Kind::failure}));
  return out.set("remarks", std::move(remarks));
}

Result<GroundedReportScore> parse_report_score(const Json& value) {
  GroundedReportScore out;
  FIDUCIAL_TRY(const Json* name, required_field(value, "case", ""));
  FIDUCIAL_TRY(out.name, expect_string(*name, "/case"));
  for (const auto& [key, member] : score_numbers) {
    FIDUCIAL_TRY(const Json* number, required_field(value, key, ""));
    if (!number->as_number()) return at_pointer(std::string("/") + key, "expected a number");
    out.*member = *number->as_number();
  }
  FIDUCIAL_TRY(const Json* missing, required_field(value, "missing", ""));
  out.is_missing = missing->as_bool() != nullptr && *missing->as_bool();
  FIDUCIAL_TRY(const Json* without, required_field(value, "without_facts", ""));
  FIDUCIAL_TRY(out.without_facts, expect_integer(*without, "/without_facts"));
  FIDUCIAL_TRY(out.reference_files, parse_files(value, "reference_files"));
  FIDUCIAL_TRY(out.prediction_files, parse_files(value, "prediction_files"));
  if (value.find("organs") != nullptr) {
    FIDUCIAL_TRY(out.organs, digest_at(value, "organs"));
  }
  FIDUCIAL_TRY(const Json* remarks, required_field(value, "remarks", ""));
  FIDUCIAL_TRY(const Json::Array* items, expect_array(*remarks, "/remarks"));
  for (const Json& item : *items) {
    FIDUCIAL_TRY(const Json::Array* parts, expect_array(item, "/remarks"));
    if (parts->size() != 3 || (*parts)[2].as_bool() == nullptr)
      return at_pointer("/remarks", "expected a code, a text and whether it is a failure");
    FIDUCIAL_TRY(const std::string code, expect_string((*parts)[0], "/remarks"));
    FIDUCIAL_TRY(const std::string text, expect_string((*parts)[1], "/remarks"));
    const auto kind = *(*parts)[2].as_bool() ? Remark::Kind::failure : Remark::Kind::oddity;
    out.remarks.push_back({out.name, code, text, kind});
  }
  return out;
}

Result<GroundedReportScore> ReportScorer::score(std::size_t at) const {
  const GroundedCase* entry = references_.cases.empty() ? nullptr : &references_.cases[at];
  const auto scored = [&](const PredictionFiles& files) {
    return OneReportScorer(reports_, files, references_.dataset.get(), organs_)
        .score(references_.reports[at], entry);
  };
  const CaseBudget budget(limits_);
  FIDUCIAL_TRY(GroundedReportScore out, scored(files_));
  if (const auto why = budget.overdrawn()) {
    // As if there were no mask; the remark on that is replaced by the reason.
    std::vector<HashedFile> read = std::move(out.prediction_files);
    FIDUCIAL_TRY(out, scored(PredictionFiles::none()));
    out.prediction_files = std::move(read);
    std::erase_if(out.remarks, [](const Remark& remark) { return remark.code == "mask_unusable"; });
    out.remarks.push_back({references_.reports[at].name, "mask_unusable", *why});
  }
  out.name = references_.reports[at].name;
  return out;
}

bool ReportScorer::still_true(const GroundedReportScore& earlier, std::size_t at) const {
  const std::string& name = references_.reports[at].name;
  const auto digest_now = [](Result<StoredFile> file) -> std::optional<Digest> {
    if (!file.ok()) return std::nullopt;
    const Result<Digest> digest = HashingStream(std::move(file->bytes)).finish();
    return digest.ok() ? std::optional(*digest) : std::nullopt;
  };
  if (earlier.organs || organs_ != nullptr) return false;  // they are several files: read again
  for (const HashedFile& file : earlier.reference_files) {
    if (references_.cases.empty() ||
        digest_now(references_.dataset->open_mask(references_.cases[at])) != file.digest)
      return false;
  }
  if (earlier.prediction_files.empty()) return !files_.has(name);
  return files_.has(name) && digest_now(files_.open_file(name)) == earlier.prediction_files.front().digest;
}

}  // namespace fiducial

#include "fiducial/tasks/diagnosis/sample_accuracy.h"

#include <algorithm>
#include <cmath>
#include <system_error>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/medthinkvqa/answer_predictions.h"
#include "fiducial/eval/inputs/reply_cleanup.h"
#include "fiducial/text/answer_extraction.h"

namespace fiducial {

Result<Json> sample_accuracy(const Path& predictions, const std::vector<DiagnosisCase>& cases) {
  Json each = Json::Array{};
  double sum = 0;
  double squares = 0;
  const double all = std::max<double>(1, static_cast<double>(cases.size()));
  for (std::size_t number = 1;; ++number) {
    const Path file = predictions / "samples" / (decimal(number) + ".jsonl");
    if (!is_file(file)) break;
    std::error_code ignored;
    if (std::filesystem::file_size(file, ignored) == 0) {  // every question of the sample failed
      each.push(0.0);
      continue;
    }
    FIDUCIAL_TRY(const AnswerPredictions sample, read_answer_predictions(file));
    double right = 0;
    for (const DiagnosisCase& entry : cases) {
      const auto found = sample.by_number.find(entry.number);
      if (found == sample.by_number.end() || !found->second.reply) continue;
      const std::string said = cleaned_reply(*found->second.reply, Scorer::strict);
      right += extract_answer(said, entry.options).letter == entry.key ? 1 : 0;
    }
    each.push(right / all);
    sum += right / all;
    squares += right / all * (right / all);
  }
  const auto samples = static_cast<double>(each.as_array()->size());
  if (samples < 1) return Json();
  const double mean = sum / samples;
  const double variance = samples < 2 ? 0 : std::max(0.0, (squares - samples * mean * mean) / (samples - 1));
  return Json::object({{"each", std::move(each)}, {"mean", mean}, {"sd", std::sqrt(variance)}});
}

}  // namespace fiducial

// bench_rows STAGE FOLDER: reading the rows of diagnostic cases, and scoring texts, called through the
// library.
//
//   jsonl     every row of FOLDER/jsonl/train.jsonl, checked, on all cores; jsonl_1_thread on one,
//             jsonl_hashed with the hash of the file
//   parquet   every row of FOLDER/parquet/train.parquet
//   rouge     ROUGE-1, 2 and L (and Lsum) of all pairs of FOLDER/references.txt and predictions.txt, on one
//   thread values    no timing: prints the number of rows and images of both files, and the mean F1 values of
//   the texts

#include <string_view>

#include "fiducial/datasets/medthinkvqa/dataset.h"
#include "fiducial/text/rouge.h"

#include "repetitions.h"

namespace fiducial::bench {

namespace {

struct RowCounts {
  std::int64_t rows = 0;
  std::int64_t images = 0;
};

struct Reading {
  bool is_parquet = false;
  bool with_digest = false;
  int threads = 0;
};

Result<RowCounts> read(const Path& folder, const Reading& how) {
  const auto [is_parquet, with_digest, threads] = how;
  const std::string file = is_parquet ? "train.parquet" : "train.jsonl";
  RowCounts out;
  const auto visit = [&out](Result<medthinkvqa::RawRow> row) -> Outcome {
    FIDUCIAL_TRY(const medthinkvqa::RawRow whole, std::move(row));
    ++out.rows;
    out.images += static_cast<std::int64_t>(whole.slots.size());
    return done();
  };
  FIDUCIAL_TRY_DONE(medthinkvqa::read_rows(folder, {"train", file, is_parquet},
                                           {.with_digest = with_digest, .threads = threads}, visit));
  return out;
}

int time_rows(const Path& folder, const Reading& how) {
  return answer_repetitions([&]() -> std::optional<Took> {
    bool good = false;
    const Took took = timed([&] { good = read(folder, how).ok(); });
    return good ? std::optional(took) : std::nullopt;
  });
}

std::vector<std::string> lines_of(const Path& file) {
  const std::string text = read_text_file(file).value();
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

RougeScores mean_rouge(const std::vector<std::string>& references,
                       const std::vector<std::string>& predictions) {
  RougeWords words(Stemming::none);
  RougeScores sums;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const RougeScores scores = rouge(words, references[i], predictions[i]);
    sums.rouge_1.f1 += scores.rouge_1.f1;
    sums.rouge_2.f1 += scores.rouge_2.f1;
    sums.rouge_l.f1 += scores.rouge_l.f1;
  }
  const auto count = static_cast<double>(references.size());
  for (RougeScore* score : {&sums.rouge_1, &sums.rouge_2, &sums.rouge_l}) score->f1 /= count;
  return sums;
}

int time_rouge(const Path& folder) {
  const auto references = lines_of(folder / "references.txt");
  const auto predictions = lines_of(folder / "predictions.txt");
  return answer_repetitions(
      [&]() -> std::optional<Took> { return timed([&] { keep(mean_rouge(references, predictions)); }); });
}

int print_values(const Path& folder) {
  for (const bool is_parquet : {false, true}) {
    const auto counts = read(folder / (is_parquet ? "parquet" : "jsonl"), {.is_parquet = is_parquet});
    if (!counts.ok()) return 1;
    std::puts((decimal(counts->rows) + " " + decimal(counts->images)).c_str());
  }
  const RougeScores means =
      mean_rouge(lines_of(folder / "references.txt"), lines_of(folder / "predictions.txt"));
  std::puts((shortest(means.rouge_1.f1) + " " + shortest(means.rouge_2.f1) + " " + shortest(means.rouge_l.f1))
                .c_str());
  return 0;
}

}  // namespace

}  // namespace fiducial::bench

int main(int argc, char** argv) {
  using namespace fiducial::bench;
  const std::string_view stage = argc == 3 ? argv[1] : "";
  const fiducial::Path folder = argc == 3 ? argv[2] : "";
  if (stage == "jsonl") return time_rows(folder / "jsonl", {});
  if (stage == "jsonl_1_thread") return time_rows(folder / "jsonl", {.threads = 1});
  if (stage == "jsonl_hashed") return time_rows(folder / "jsonl", {.with_digest = true});
  if (stage == "parquet") return time_rows(folder / "parquet", {.is_parquet = true});
  if (stage == "rouge") return time_rouge(folder);
  if (stage == "values") return print_values(folder);
  std::fputs("usage: bench_rows jsonl|jsonl_1_thread|jsonl_hashed|parquet|rouge|values FOLDER\n", stderr);
  return 2;
}

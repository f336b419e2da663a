// Leaderboards as people keep them: any CSV as a board of masks or of answers, any JSON as a board or a
// benchmark.json.
#include "fiducial/board/answer_board.h"
#include "fiducial/board/leaderboard.h"
#include "fiducial/table/csv.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  constexpr std::int64_t cases = 720;
  const std::string_view text = as_text(fuzz::view(bytes, size));
  if (const Result<CsvTable> table = parse_csv(text); table.ok()) {
    if (const auto boards = leaderboards_from_csv(*table, {}); boards.ok()) {
      for (const Leaderboard& board : *boards) {
        for (const std::string& measure : board.measures) {
          const Result<RankedBoard> ranks = ranked(board, {.measure = measure});
          fuzz::require(ranks.ok() && ranks->entries.size() == board.entries.size());
        }
      }
    }
    (void)answer_board_from_csv(*table, cases).ok();
  }
  if (const Result<Json> document = parse_json(text); document.ok()) {
    (void)parse_benchmark_json(*document, cases).ok();
    (void)parse_answer_board(*document).ok();
  }
  return 0;
}

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"

namespace fiducial {

struct DatasetAdapter;

// What a dataset knows of itself for its card. A field is named by its section and key, "data.size", and says
// where it comes from.
struct CardFacts {
  struct Field {
    std::string name;
    Json value;
    std::string origin;
  };
  struct Alert {
    std::string field;
    std::string text;
  };

  std::vector<Field> fields;
  std::vector<Alert> alerts;
  std::vector<std::string> metrics;          // ids of those that answers are scored by
  std::vector<std::string> limitations;      // a sentence each
  std::vector<std::string> baselines;        // likewise
  std::vector<std::string> volumes;          // names by which metadata knows the cases
  std::map<std::string, std::string> risks;  // rule of risks, and what made it fire

  void set(std::string_view field, Json value, std::string origin);
  void alert(std::string_view field, std::string text);
};

// Languages of texts, by the share that holds English function words.
class LanguageGuess {
 public:
  void add(std::string_view text);
  void fill(CardFacts& facts, const std::string& file) const;

 private:
  std::int64_t texts_ = 0;
  std::int64_t english_ = 0;
};

// The facts of a folder as its layout gives them, or those that can be had of any: name, sizes of splits and
// languages.
Result<CardFacts> card_facts(const DatasetAdapter& adapter, const Path& folder);

}  // namespace fiducial

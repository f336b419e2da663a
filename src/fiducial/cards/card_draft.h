#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

// A card in the making. Every field that is set says where it comes from; a field that nobody set is "N/A",
// or an empty list, with an alert.
class CardDraft {
 public:
  // A field is named by its section and key: "data.size".
  void set(std::string_view field, Json value, std::string origin);
  void alert(std::string_view field, std::string text);
  // Empty where nobody set the field.
  std::string_view origin(std::string_view field) const;
  bool has(std::string_view field) const { return values_.contains(std::string(field)); }

  Json card() const;

 private:
  struct Value {
    Json value;
    std::string origin;
  };
  std::map<std::string, Value> values_;
  std::map<std::string, std::vector<std::string>> alerts_;
};

}  // namespace fiducial

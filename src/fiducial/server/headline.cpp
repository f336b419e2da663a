#include "fiducial/server/headline.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/tasks/all_tasks.h"

namespace fiducial {

Headline headline_of(const Json& summary) {
  const Json::Object* slots = find_object(summary, "metrics");
  if (slots == nullptr || slots->empty()) return {};
  if (const Result<const Task*> task = find_task(text_at(summary, "task")); task.ok()) {
    for (const std::string& slot : (*task)->headline) {
      const Json* value = summary.find("metrics")->find(slot);
      if (value != nullptr && value->find("value") != nullptr && !value->find("value")->is_null())
        return {slot, value};
    }
  }
  return {slots->front().first, &slots->front().second};
}

}  // namespace fiducial

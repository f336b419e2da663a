#include "fiducial/chat/background_flush.h"

#include <utility>

namespace fiducial {

Result<std::unique_ptr<BackgroundFlush>> BackgroundFlush::open(const Path& file) {
  FIDUCIAL_TRY(OpenFile opened, OpenFile::open(file).in_file(file.string()));
  return std::unique_ptr<BackgroundFlush>(new BackgroundFlush(std::move(opened)));
}

BackgroundFlush::BackgroundFlush(OpenFile file) : file_(std::move(file)), thread_([this] { work(); }) {}

BackgroundFlush::~BackgroundFlush() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BackgroundFlush::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_wanted_ || ends_; });
    if (!is_wanted_) return;
    lock.unlock();
    const Outcome flushed = file_.flush();
    lock.lock();
    if (!flushed.ok()) failure_ = flushed.error();
    is_wanted_ = false;
    changed_.notify_all();
  }
}

Result<bool> BackgroundFlush::begin() {
  {
    const std::scoped_lock lock(mutex_);
    if (failure_) return *failure_;
    if (is_wanted_) return false;
    is_wanted_ = true;
  }
  changed_.notify_all();
  return true;
}

Outcome BackgroundFlush::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !is_wanted_; });
  return failure_ ? Outcome(*failure_) : done();
}

}  // namespace fiducial

// Where does the content of a message come from? From a source that is asked for the next piece when there is
// room for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "quell/base/units.h"
#include "quell/connection/slice.h"
#include "quell/http3/fields.h"

namespace quell::http3 {

class BodySource {
 public:
  enum class State : std::uint8_t {
    more,     // ask again when there is room
    end,      // `slice` is the last
    waiting,  // nothing now: ask again after resume()
    failed,   // the content cannot be completed: the stream is reset
  };
  struct Piece {
    Slice slice;
    State state = State::more;
  };

  virtual ~BodySource() = default;
  // At most `max` bytes, which is positive. Empty with `more` counts as `waiting`.
  virtual Piece next(std::size_t max) = 0;
  // What content-length should say; nothing when it is not known before.
  virtual std::optional<ByteCount> size() const { return std::nullopt; }
  // Asked once, after the end.
  virtual Fields trailers() { return {}; }
};
using BodyPtr = std::unique_ptr<BodySource>;

// Bytes that lie in memory; `trailers` follow them.
class MemoryBody final : public BodySource {
 public:
  explicit MemoryBody(std::vector<std::uint8_t> data, Fields trailers = {});
  explicit MemoryBody(std::string_view text);
  Piece next(std::size_t max) override;
  std::optional<ByteCount> size() const override { return data_.bytes.size(); }
  Fields trailers() override { return std::move(trailers_); }

 private:
  Slice data_;
  std::size_t sent_ = 0;
  Fields trailers_;
};

// `size` bytes that depend on their offset only, from `offset` on. Nothing is allocated or copied: all slices
// are views of one static block.
class GeneratedBody final : public BodySource {
 public:
  explicit GeneratedBody(ByteCount size, ByteCount offset = 0) : left_(size), size_(size), offset_(offset) {}
  Piece next(std::size_t max) override;
  std::optional<ByteCount> size() const override { return size_; }

 private:
  ByteCount left_;
  ByteCount size_;
  ByteCount offset_;
};
// The byte at `offset` of what GeneratedBody makes, for those who check.
std::uint8_t generated_byte(ByteCount offset);

}  // namespace quell::http3

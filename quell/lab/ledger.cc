#include "quell/lab/ledger.h"

#include <algorithm>
#include <variant>

#include "quell/wire/frame_reader.h"

namespace quell::lab {

void Ledger::on_sent(const trace::Packet& packet, TimePoint now) {
  Book& book = spaces_[index(space_of(packet.type))];
  if (book.entries.empty()) book.entries.restart_at(packet.number);
  while (book.entries.end() < packet.number)
    book.entries.push_back() = Entry{};  // a skipped number (RFC 9000 §21.4)
  book.entries.push_back() = Entry{.state = Entry::State::outstanding,
                                   .size = packet.size,
                                   .sent_at = now,
                                   .ordinal = sent_++,
                                   .is_in_flight = packet.is_in_flight};
  if (packet.is_in_flight) book.in_flight += packet.size;
}

void Ledger::settle(Book& book, Entry& entry) {
  if (entry.is_in_flight) book.in_flight -= entry.size;
  entry.state = Entry::State::settled;
}

Ledger::Heard Ledger::on_received(const trace::Packet& packet) {
  Heard heard;
  acked_.clear();
  if (packet.type == PacketType::zero_rtt) return heard;
  Book& book = spaces_[index(space_of(packet.type))];
  Reader payload{packet.payload};
  while (!payload.empty()) {
    const auto frame = read_frame(payload, packet.type);
    if (!frame) break;
    if (const auto* ack = std::get_if<AckFrame>(&*frame)) on_ack(book, *ack, heard);
    heard.is_ack_eliciting = heard.is_ack_eliciting || is_ack_eliciting(*frame);
  }
  heard.packets = acked_;
  return heard;
}

// RFC 9000 §13.1: the whole frame counts for nothing if it acknowledges a packet that was never sent.
bool Ledger::is_possible(const Book& book, const AckFrame& ack) {
  if (ack.largest >= book.entries.end()) return false;
  AckRanges ranges{ack};
  while (const auto range = ranges.next()) {
    if (range->largest < book.entries.first()) break;
    for (PacketNumber n = std::max(range->smallest, book.entries.first()); n <= range->largest; ++n) {
      if (book.entries[n].state == Entry::State::skipped) return false;
    }
  }
  return true;
}

void Ledger::on_ack(Book& book, const AckFrame& ack, Heard& heard) {
  if (!is_possible(book, ack)) return;
  AckRanges ranges{ack};
  while (const auto range = ranges.next()) {
    if (range->largest < book.entries.first()) break;
    const PacketNumber first = std::max(range->smallest, book.entries.first());
    for (PacketNumber n = first; n <= range->largest; ++n) {
      Entry& entry = book.entries[n];
      if (entry.state != Entry::State::outstanding) continue;
      if (entry.is_in_flight) {
        heard.acked_bytes += entry.size;
        acked_.push_back({entry.ordinal, entry.size});
      }
      heard.newest_sent_at = std::max(heard.newest_sent_at.value_or(entry.sent_at), entry.sent_at);
      settle(book, entry);
    }
  }
  while (is_front_done(book)) book.entries.pop_front();
}

// A number that was left out is kept until the packet behind it has left flight: that long an ACK may claim
// it.
bool Ledger::is_front_done(const Book& book) {
  if (book.entries.empty()) return false;
  const PacketNumber first = book.entries.first();
  if (book.entries[first].state != Entry::State::skipped) {
    return book.entries[first].state == Entry::State::settled;
  }
  return book.entries.contains(first + 1) && book.entries[first + 1].state == Entry::State::settled;
}

Ledger::Lost Ledger::on_lost(const trace::PacketLost& lost) {
  Book& book = spaces_[index(lost.space)];
  if (!book.entries.contains(lost.number)) return {};
  Entry& entry = book.entries[lost.number];
  const Lost result{entry.sent_at, entry.ordinal,
                    entry.state == Entry::State::outstanding && entry.is_in_flight};
  if (entry.state == Entry::State::outstanding) settle(book, entry);
  return result;
}

void Ledger::on_confirmed() {
  confirmed_ = true;
  for (const Space space : {Space::initial, Space::handshake}) spaces_[index(space)] = Book{};
}

ByteCount Ledger::in_flight() const {
  ByteCount total = 0;
  for (const Book& book : spaces_) total += book.in_flight;
  return total;
}

}  // namespace quell::lab

// Where does nghttp3 call us? Here only, and each call becomes a method or a value.
#include "quell/http3/session.h"

namespace quell::http3 {

struct Session::Callbacks {
  static Session& self(void* user) { return *static_cast<Session*>(user); }
  static StreamId id_of(std::int64_t id) { return static_cast<StreamId>(id); }

  static int recv_data(nghttp3_conn*, std::int64_t id, const std::uint8_t* data, std::size_t size, void* user,
                       void*) {
    self(user).on_content(id_of(id), Bytes{data, size});
    return 0;
  }
  static int deferred_consume(nghttp3_conn*, std::int64_t id, std::size_t, void* user, void*) {
    self(user).on_unblocked(id_of(id));
    return 0;
  }
  static int begin_section(nghttp3_conn*, std::int64_t id, void* user, void*) {
    self(user).on_section_begin(id_of(id));
    return 0;
  }
  static int recv_field(nghttp3_conn*, std::int64_t id, std::int32_t, nghttp3_rcbuf* name,
                        nghttp3_rcbuf* value, std::uint8_t, void* user, void*) {
    self(user).on_section_field(id_of(id), to_field(name, value));
    return 0;
  }
  static int end_headers(nghttp3_conn*, std::int64_t id, int, void* user, void*) {
    self(user).on_section_end(id_of(id), false);
    return 0;
  }
  static int end_trailers(nghttp3_conn*, std::int64_t id, int, void* user, void*) {
    self(user).on_section_end(id_of(id), true);
    return 0;
  }
  static int end_stream(nghttp3_conn*, std::int64_t id, void* user, void*) {
    self(user).on_message_end(id_of(id));
    return 0;
  }
  // nghttp3 asks for these when a request comes after our GOAWAY (both, and one abort does both), and for
  // unidirectional streams of unknown type.
  static int stop_sending(nghttp3_conn*, std::int64_t id, std::uint64_t code, void* user, void*) {
    self(user).aborts_.push_back({id_of(id), static_cast<ErrorCode>(code)});
    return 0;
  }
  static int reset_stream(nghttp3_conn*, std::int64_t id, std::uint64_t code, void* user, void*) {
    Session& session = self(user);
    const bool is_aborted = !session.aborts_.empty() && session.aborts_.back().stream == id_of(id);
    if (!is_aborted) session.aborts_.push_back({id_of(id), static_cast<ErrorCode>(code)});
    return 0;
  }
  static int shutdown(nghttp3_conn*, std::int64_t id, void* user) {
    self(user).events_.push_back(GoawayReceived{static_cast<std::uint64_t>(id)});
    return 0;
  }
  static nghttp3_ssize read_data(nghttp3_conn*, std::int64_t id, nghttp3_vec* out, std::size_t,
                                 std::uint32_t* flags, void* user, void*) {
    return self(user).lend_content(id_of(id), *out, *flags);
  }
};

const nghttp3_callbacks& Session::callbacks() {
  static const nghttp3_callbacks table{
      .acked_stream_data = nullptr,
      .stream_close = nullptr,
      .recv_data = Callbacks::recv_data,
      .deferred_consume = Callbacks::deferred_consume,
      .begin_headers = Callbacks::begin_section,
      .recv_header = Callbacks::recv_field,
      .end_headers = Callbacks::end_headers,
      .begin_trailers = Callbacks::begin_section,
      .recv_trailer = Callbacks::recv_field,
      .end_trailers = Callbacks::end_trailers,
      .stop_sending = Callbacks::stop_sending,
      .end_stream = Callbacks::end_stream,
      .reset_stream = Callbacks::reset_stream,
      .shutdown = Callbacks::shutdown,
  };
  return table;
}

nghttp3_data_reader Session::content_reader() {
  return {Callbacks::read_data};
}

}  // namespace quell::http3

#include "quell/http3/nghttp3_glue.h"

namespace quell::http3 {
namespace {

// nghttp3 does not write through these pointers.
std::uint8_t* bytes_of(const std::string& text) {
  return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(text.data()));
}

std::string to_text(nghttp3_rcbuf* buffer) {
  const nghttp3_vec view = nghttp3_rcbuf_get_buf(buffer);
  return {reinterpret_cast<const char*>(view.base), view.len};
}

}  // namespace

std::vector<nghttp3_nv> to_name_values(const Fields& fields) {
  std::vector<nghttp3_nv> out;
  out.reserve(fields.size());
  for (const Field& field : fields) {
    const std::uint8_t flags = field.is_sensitive ? NGHTTP3_NV_FLAG_NEVER_INDEX : NGHTTP3_NV_FLAG_NONE;
    out.push_back(
        {bytes_of(field.name), bytes_of(field.value), field.name.size(), field.value.size(), flags});
  }
  return out;
}

Field to_field(nghttp3_rcbuf* name, nghttp3_rcbuf* value) {
  return {to_text(name), to_text(value)};
}

ErrorCode to_error_code(int library_error) {
  return static_cast<ErrorCode>(nghttp3_err_infer_quic_app_error_code(library_error));
}

bool is_message_error(int library_error) {
  return library_error == NGHTTP3_ERR_MALFORMED_HTTP_HEADER ||
         library_error == NGHTTP3_ERR_MALFORMED_HTTP_MESSAGING;
}

}  // namespace quell::http3

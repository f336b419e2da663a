#include "fiducial/chat/endpoint.h"

#include <algorithm>
#include <cstdlib>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& each : out) each = is_capital(each) ? static_cast<char>(each - 'A' + 'a') : each;
  return out;
}

// The host of "host:port" or "[::1]:port".
Result<std::string> host_of(std::string_view authority) {
  std::string_view host = authority;
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return bad_usage("the endpoint's host has no closing ]");
    host = authority.substr(1, end - 1);
    port = authority.substr(end + 1);
    if (port.starts_with(':')) port.remove_prefix(1);
  } else if (const std::size_t colon = authority.find(':'); colon != std::string_view::npos) {
    host = authority.substr(0, colon);
    port = authority.substr(colon + 1);
  }
  const auto number = port.empty() ? std::optional<std::uint64_t>(1) : parse_unsigned(port);
  if (host.empty() || !number || *number == 0 || *number > 65535)
    return bad_usage("the endpoint \"" + std::string(authority) + "\" is no host with a port");
  return in_small_letters(host);
}

bool has_odd_character(std::string_view url) {
  return std::any_of(url.begin(), url.end(), [](char each) {
    return static_cast<unsigned char>(each) <= ' ' || static_cast<unsigned char>(each) >= 127 || each == '\\';
  });
}

bool is_this_machine(std::string_view host) {
  return host == "localhost" || host == "::1" ||
         (host.starts_with("127.") && std::count(host.begin(), host.end(), '.') == 3 &&
          host.find_first_not_of("0123456789.") == std::string_view::npos);
}

// Hosts that speak another vendor's language have keys of their own, and must not be shown that vendor's.
std::vector<std::string> usual_key_names(const std::string& host, const Vendor& vendor) {
  struct Host {
    const char* end;
    const char* variable;
  };
  for (const Host& each :
       {Host{".azure.com", "AZURE_OPENAI_API_KEY"}, Host{"openrouter.ai", "OPENROUTER_API_KEY"},
        Host{"api.mistral.ai", "MISTRAL_API_KEY"}, Host{"api.deepseek.com", "DEEPSEEK_API_KEY"},
        Host{"api.together.xyz", "TOGETHER_API_KEY"}, Host{"api.groq.com", "GROQ_API_KEY"},
        Host{"api.fireworks.ai", "FIREWORKS_API_KEY"}, Host{"api.x.ai", "XAI_API_KEY"},
        Host{"router.huggingface.co", "HF_TOKEN"}}) {
    if (host.ends_with(each.end)) return {each.variable};
  }
  return vendor.key_names;
}

Result<std::string> checked_key(std::string_view text, const std::string& source) {
  const std::string key(trimmed(text));
  if (key.empty()) return bad_usage(source + " holds no key");
  if (has_odd_character(key)) return bad_usage(source + " holds something that is no key");
  return key;
}

}  // namespace

Result<Endpoint> Endpoint::parse(const std::string& url) {
  const std::string lower = in_small_letters(url.substr(0, 8));
  const bool is_secure = lower.starts_with("https://");
  if (!is_secure && !lower.starts_with("http://"))
    return bad_usage("--endpoint: expected a URL such as http://127.0.0.1:8000/v1");
  const std::string_view rest = std::string_view(url).substr(is_secure ? 8 : 7);
  if (rest.find_first_of("?#@") != std::string_view::npos || has_odd_character(rest))
    return bad_usage(
        "--endpoint: a URL without user, key, query and blanks goes here; keys come from the "
        "environment or --key-file");
  Endpoint out;
  FIDUCIAL_TRY(out.host_, host_of(rest.substr(0, rest.find('/'))));
  out.base_ = url;
  while (out.base_.ends_with('/')) out.base_.pop_back();
  for (const char* call : {"/chat/completions", "/completions", "/responses", "/messages"}) {
    if (out.base_.ends_with(call))
      return bad_usage("--endpoint: give the base of the URL, " +
                       out.base_.substr(0, out.base_.size() - std::string_view(call).size()) +
                       ": each request adds its own path");
  }
  if (!is_secure && !out.is_loopback())
    return Error(ErrorCode::refused,
                 "plain http would show the cases and the key to everyone between here and " + out.host_ +
                     "; use https");
  return out;
}

bool Endpoint::is_loopback() const { return is_this_machine(host_); }

std::string Endpoint::usual_vendor() const {
  if (host_ == "api.openai.com" || host_.ends_with(".openai.azure.com")) return "openai";
  if (host_ == "api.anthropic.com") return "anthropic";
  if (host_ == "generativelanguage.googleapis.com") return "gemini";
  return "compatible";
}

Result<std::string> read_key(const KeySource& source, const Vendor& vendor, const Endpoint& endpoint) {
  if (!source.file.empty()) {
    FIDUCIAL_TRY(const std::string text, read_text_file(source.file, 1 << 16));
    return checked_key(text, source.file.string());
  }
  std::vector<std::string> names = usual_key_names(endpoint.host(), vendor);
  if (!source.variable.empty()) names = {source.variable};
  for (const std::string& name : names) {
    const char* value = std::getenv(name.c_str());
    // A usual key is for its vendor, not for whatever runs on this machine.
    const bool is_meant = !source.variable.empty() || !endpoint.is_loopback();
    if (value != nullptr && is_meant) return checked_key(value, "the environment variable " + name);
  }
  if (!source.variable.empty()) return bad_usage("the environment has no " + source.variable);
  if (endpoint.is_loopback()) return std::string();
  return bad_usage("no key for " + endpoint.host() + ": set " + joined(names, " or ") +
                   " in the environment, or give --key-env NAME or --key-file FILE");
}

Outcome allow_egress(const Endpoint& endpoint, const std::vector<std::string>& allowed_hosts) {
  if (endpoint.is_loopback()) return done();
  const bool is_allowed =
      std::any_of(allowed_hosts.begin(), allowed_hosts.end(),
                  [&endpoint](const std::string& host) { return in_small_letters(host) == endpoint.host(); });
  if (is_allowed) return done();
  return Error(ErrorCode::refused, "cases would leave this machine for " + endpoint.host() +
                                       "; --allow-remote " + endpoint.host() + " allows it");
}

}  // namespace fiducial

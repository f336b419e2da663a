#!/usr/bin/env python3
"""Requests and replies against the vendors' own types: the SDKs of OpenAI, Anthropic and Google ask the stand-in, which
must take what they send, and their models must take what it answers, in every form a script can give it.

usage: sdk_shapes.py SCRIPTED_ENDPOINT
"""

import base64
import pathlib
import sys
import tempfile

from scripted import Checks, Endpoint, TESTS

sys.path.insert(0, str(TESTS))
from fixtures import medthink  # noqa: E402

try:
    import anthropic
    import openai
    from google import genai
    from google.genai import errors as genai_errors
    from google.genai import types as genai_types
    from vendor_shapes import body_problems
except ImportError as absent:
    print(f"skipped: {absent}; requirements/test.txt has the packages")
    sys.exit(77)

SCHEMA = {"type": "object", "properties": {"answer": {"enum": ["A", "B", "C", "D", "E"], "type": "string"},
                                           "explanation": {"type": "string"}},
          "required": ["answer", "explanation"], "additionalProperties": False}
PICTURES = [medthink.jpeg_bytes(seed) for seed in range(3)]
SCRIPT = {"rules": [{"contains": "please decline", "do": "refusal"},
                    {"contains": "please think", "do": "reply", "reasoning": "The wall is thick."},
                    {"contains": "please be short", "do": "reply", "finish": "length"},
                    {"contains": "no model", "do": "unknown_model"},
                    {"contains": "too fast", "do": "status", "status": 429, "retry_after": 1},
                    {"contains": "no effort", "do": "bad_parameter", "parameter": "reasoning_effort"},
                    {"contains": "overloaded", "do": "status", "status": 529}]}


def data_url(picture):
    return "data:image/jpeg;base64," + base64.b64encode(picture).decode()


def chat(client, words, **settings):
    content = [{"type": "text", "text": words}]
    content += [{"type": "image_url", "image_url": {"url": data_url(picture)}} for picture in PICTURES]
    return client.chat.completions.create(model="m", messages=[{"role": "system", "content": "You read images."},
                                                               {"role": "user", "content": content}], **settings)


def strict(model):
    """Values are of the types that the SDK declares: it builds its answers without looking."""
    return type(model).model_validate(model.model_dump(by_alias=True, exclude_unset=True))


def check_chat(checks, url):
    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True}}
    reply = strict(chat(client, "Which?", response_format=form, reasoning_effort="high"))
    checks.that(reply.choices[0].message.content.startswith('{"answer":'), "chat answers in the schema")
    checks.equal(reply.usage.completion_tokens, 42, "chat counts tokens")
    checks.that(strict(chat(client, "please decline")).choices[0].message.refusal, "chat declines")
    checks.equal(strict(chat(client, "please be short")).choices[0].finish_reason, "length", "chat ends by length")
    pieces = [piece.choices[0].delta.content or "" for piece in chat(client, "Which?", stream=True)]
    checks.that(len(pieces) > 3 and "".join(pieces).startswith('{"answer":'), "chat streams")
    for words, kind in (("no model", openai.NotFoundError), ("too fast", openai.RateLimitError),
                        ("no effort", openai.BadRequestError)):
        try:
            chat(client, words, reasoning_effort="low")
            checks.that(False, f"chat fails for {words}")
        except kind as error:
            checks.that(error.body["message"], f"chat says why for {words}")
            checks.equal(error.response.headers.get("retry-after"), "1" if words == "too fast" else None, "Retry-After")
    checks.that(chat(client, "no effort").choices, "chat takes a body without the refused parameter")


def check_responses(checks, url):
    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
    def ask(words):
        content = [{"type": "input_text", "text": words}]
        content += [{"type": "input_image", "detail": "auto", "image_url": data_url(picture)} for picture in PICTURES]
        return strict(client.responses.create(
            model="m", instructions="You read images.", input=[{"role": "user", "content": content}],
            reasoning={"effort": "high"}, text={"format": {"type": "json_schema", "name": "reply", "schema": SCHEMA}}))
    checks.that(ask("Which?").output_text.startswith('{"answer":'), "responses answer in the schema")
    pictures = [{"type": "input_image", "detail": "auto", "image_url": data_url(picture)} for picture in PICTURES]
    events = list(client.responses.create(model="m", input=[{"role": "user", "content": pictures}], stream=True))
    checks.that(strict(events[-1].response).output_text == "".join(event.delta for event in events[:-1]), "responses stream")
    checks.equal(ask("please think").output[0].type, "reasoning", "responses show reasoning")
    checks.equal(ask("please be short").incomplete_details.reason, "max_output_tokens", "responses end by length")
    checks.equal(ask("please decline").output[0].content[0].type, "refusal", "responses decline")


def check_anthropic(checks, url):
    client = anthropic.Anthropic(base_url=url.removesuffix("/v1"), api_key="none", max_retries=0)
    def ask(words, **settings):
        content = [{"type": "text", "text": words}]
        content += [{"type": "image", "source": {"type": "base64", "media_type": "image/jpeg",
                                                 "data": base64.b64encode(picture).decode()}} for picture in PICTURES]
        return client.messages.create(model="m", max_tokens=100, system="You read images.", messages=[{"role": "user", "content": content}],
                                      **settings)
    checks.that(strict(ask("Which?")).content[0].text.startswith('{"answer":'), "messages answer")
    events = [strict(event) for event in ask("Which?", stream=True)]
    pieces = [event.delta.text for event in events if event.type == "content_block_delta"]
    checks.equal("".join(pieces), ask("Which?").content[0].text, "messages stream")
    checks.equal({event.type for event in events} >= {"message_start", "message_delta", "message_stop"}, True, "messages stream in the vendor's events")
    checks.equal(strict(ask("please think")).content[0].type, "thinking", "messages show thinking")
    checks.equal(strict(ask("please be short")).stop_reason, "max_tokens", "messages end by length")
    checks.equal(strict(ask("please decline")).stop_reason, "refusal", "messages decline")
    try:
        ask("overloaded")
        checks.that(False, "messages fail when overloaded")
    except anthropic.APIStatusError as error:
        checks.equal(error.status_code, 529, "messages are overloaded")
        checks.equal(error.body["error"]["type"], "overloaded_error", "messages say so")


def check_gemini(checks, url):
    options = genai_types.HttpOptions(base_url=url.removesuffix("/v1"))
    client = genai.Client(api_key="none", http_options=options)
    def ask(words):
        parts = [genai_types.Part.from_text(text=words)]
        parts += [genai_types.Part.from_bytes(data=picture, mime_type="image/jpeg") for picture in PICTURES]
        config = genai_types.GenerateContentConfig(system_instruction="You read images.", response_json_schema=SCHEMA,
                                                   response_mime_type="application/json")
        return client.models.generate_content(model="m", contents=genai_types.Content(role="user", parts=parts),
                                              config=config)
    checks.that(ask("Which?").text.startswith('{"answer":'), "Gemini answers in the schema")
    checks.that(ask("please think").candidates[0].content.parts[0].thought, "Gemini shows thoughts")
    checks.equal(ask("please be short").candidates[0].finish_reason.name, "MAX_TOKENS", "Gemini ends by length")
    checks.equal(ask("please decline").candidates[0].finish_reason.name, "SAFETY", "Gemini declines")
    try:
        ask("no model")
        checks.that(False, "Gemini fails for an unknown model")
    except genai_errors.ClientError as error:
        checks.equal((error.code, error.status), (404, "NOT_FOUND"), "Gemini says why")


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder, Endpoint(sys.argv[1], folder, script=SCRIPT, bodies=True) as endpoint:
        for check in (check_chat, check_responses, check_anthropic, check_gemini):
            check(checks, endpoint.url())
        for line in endpoint.requests():
            body = endpoint.body(line)
            body.pop("stream", None)
            checks.equal(body_problems(line["vendor"], body), "", f"the types take what the package sends, {line['vendor']}")
            checks.that(body_problems(line["vendor"], {**body, "colour": 1}), "and no names they do not know")
        invalid = [line for line in endpoint.requests() if "invalid" in line]
        checks.equal(invalid, [], "what the SDKs send is valid")
        without = [line["index"] for line in endpoint.requests() if len(line["images"]) != len(PICTURES)]
        checks.equal(without, [], "every picture arrived")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())

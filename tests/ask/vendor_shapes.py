"""Bodies of requests held against the types that the vendors' own packages declare for them."""

import functools
import typing

import anthropic.types.message_create_params
import openai.types.chat.completion_create_params
import openai.types.responses.response_create_params
import pydantic
from google.genai import types as google

OPENAI_CHAT = openai.types.chat.completion_create_params.CompletionCreateParamsNonStreaming
OPENAI_RESPONSES = openai.types.responses.response_create_params.ResponseCreateParamsNonStreaming
ANTHROPIC = anthropic.types.message_create_params.MessageCreateParamsNonStreaming
# What Google's package sends besides contents: its own models, which take no names they do not know.
GOOGLE = {"systemInstruction": google.Content, "generationConfig": google.GenerationConfig, "model": str,
          "safetySettings": list[google.SafetySetting]}


adapter = functools.cache(pydantic.TypeAdapter)  # slow to make


def typed_dict_problems(kind, body):
    """Why a body is none of a TypedDict; names it does not declare are a mistake, too."""
    unknown = sorted(set(body) - set(typing.get_type_hints(kind)))
    if unknown:
        return f"unknown members {unknown}"
    try:
        adapter(kind).validate_python(body)
    except pydantic.ValidationError as error:
        return str(error)[:600]
    return ""


def google_problems(body):
    unknown = sorted(set(body) - set(GOOGLE) - {"contents"})
    if unknown:
        return f"unknown members {unknown}"
    try:
        adapter(list[google.Content]).validate_python(body["contents"])
        for name, value in body.items():
            if name in GOOGLE:
                adapter(GOOGLE[name]).validate_python(value)
    except (pydantic.ValidationError, KeyError) as error:
        return str(error)[:600]
    return ""


def body_problems(vendor, body):
    """Why a vendor's package would not send this body; empty where it would."""
    if vendor == "gemini":
        return google_problems(body)
    return typed_dict_problems({"openai_chat": OPENAI_CHAT, "openai_responses": OPENAI_RESPONSES, "anthropic": ANTHROPIC}[vendor], body)

"""A tiny LLaVA with random weights, for `transformers serve`: it takes pictures, counts tokens, and knows nothing.

usage: random_llava.py FOLDER      writes the model
"""

import sys

TEMPLATE = ("{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% if m['content'] is string %}{{ m['content'] }}{% else %}"
            "{% for c in m['content'] %}{% if c['type'] == 'image' %}<image>{% elif c['type'] == 'text' %}{{ c['text'] }}{% endif %}"
            "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")


def byte_tokens():
    """Every byte is a token; four more begin and end messages and stand for pictures."""
    import tokenizers
    import transformers

    alphabet = {sign: at for at, sign in enumerate(sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet()))}
    words = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=alphabet, merges=[]))
    words.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = tokenizers.decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<|im_end|>", pad_token="<|endoftext|>", chat_template=TEMPLATE,
        additional_special_tokens=["<|im_start|>", "<|im_end|>", "<image>"], extra_special_tokens={"image_token": "<image>"})


def write_model(folder):
    import torch
    import transformers

    torch.manual_seed(0)
    tokens = byte_tokens()
    picture = tokens.convert_tokens_to_ids("<image>")
    eyes = transformers.CLIPVisionConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
                                         image_size=56, patch_size=14)
    tongue = transformers.LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
                                      num_key_value_heads=2, vocab_size=len(tokens), max_position_embeddings=8192,
                                      eos_token_id=tokens.eos_token_id, pad_token_id=tokens.pad_token_id, bos_token_id=None)
    model = transformers.LlavaForConditionalGeneration(transformers.LlavaConfig(
        vision_config=eyes, text_config=tongue, image_token_index=picture, image_token_id=picture, vision_feature_layer=-1,
        image_seq_length=16)).eval()
    model.generation_config.eos_token_id = tokens.eos_token_id
    model.generation_config.pad_token_id = tokens.pad_token_id
    pictures = transformers.CLIPImageProcessor(size={"shortest_edge": 56}, crop_size={"height": 56, "width": 56})
    processor = transformers.LlavaProcessor(image_processor=pictures, tokenizer=tokens, patch_size=14, image_token="<image>",
                                            vision_feature_select_strategy="default", chat_template=TEMPLATE,
                                            num_additional_image_tokens=1)
    for part in (model, processor, tokens):
        part.save_pretrained(folder)


if __name__ == "__main__":
    write_model(sys.argv[1])

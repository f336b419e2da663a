"""A real llama.cpp server whose model has random weights: it follows schemas, streams and counts tokens, and knows
nothing.

usage: random_llama.py FILE.gguf      writes the model, serves it and prints "listening on URL" until its input ends
"""

import sys


def write_model(path):
    """A tiny Llama whose tokens are the bytes; equal bytes every time."""
    import gguf
    import numpy

    width, inner, blocks, heads, key_heads = 64, 128, 2, 4, 2
    chance = numpy.random.default_rng(0)
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)] + ["\u2581"]
    kinds = [2, 3, 3] + [6] * 256 + [1]
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("random")
    writer.add_context_length(16384)
    writer.add_embedding_length(width)
    writer.add_block_count(blocks)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(key_heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:")

    def weights(*shape):
        return (chance.standard_normal(shape) * 0.2).astype(numpy.float32)

    def ones():
        return numpy.ones(width, numpy.float32)

    writer.add_tensor("token_embd.weight", weights(len(tokens), width))
    writer.add_tensor("output_norm.weight", ones())
    writer.add_tensor("output.weight", weights(len(tokens), width))
    for block in range(blocks):
        name = f"blk.{block}."
        writer.add_tensor(name + "attn_norm.weight", ones())
        writer.add_tensor(name + "ffn_norm.weight", ones())
        writer.add_tensor(name + "attn_q.weight", weights(width, width))
        writer.add_tensor(name + "attn_k.weight", weights(key_heads * width // heads, width))
        writer.add_tensor(name + "attn_v.weight", weights(key_heads * width // heads, width))
        writer.add_tensor(name + "attn_output.weight", weights(width, width))
        writer.add_tensor(name + "ffn_gate.weight", weights(inner, width))
        writer.add_tensor(name + "ffn_up.weight", weights(inner, width))
        writer.add_tensor(name + "ffn_down.weight", weights(width, inner))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    import xllamacpp

    write_model(sys.argv[1])
    settings = xllamacpp.CommonParams()
    settings.model.path = sys.argv[1]
    settings.n_ctx = 65536
    settings.n_parallel = 4
    settings.warmup = False
    settings.cpuparams.n_threads = 1
    server = xllamacpp.Server(settings)
    print(f"listening on {server.listening_address}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

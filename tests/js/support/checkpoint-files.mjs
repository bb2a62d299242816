// Small files of weights, byte by byte, with the layout of their formats.

const u32 = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const text = (value) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

const value = (content) => {
  if (typeof content === 'number') return Buffer.concat([u32(4), u32(content)]);
  if (typeof content === 'string') return Buffer.concat([u32(8), text(content)]);
  return Buffer.concat([u32(9), u32(8), u64(content.length), ...content.map(text)]);
};

/** The key-value pairs and F32 tensors (name to shape) of a GGUF file, without its data. */
export function gguf(metadata, tensors) {
  let offset = 0;
  const infos = Object.entries(tensors).map(([name, shape]) => {
    const info = [text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)];
    offset += Math.ceil((4 * shape.reduce((a, b) => a * b, 1)) / 32) * 32;
    return Buffer.concat(info);
  });
  const pairs = Object.entries(metadata).map(([key, content]) =>
    Buffer.concat([text(key), value(content)]),
  );
  return Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(infos.length),
    u64(pairs.length),
    ...pairs,
    ...infos,
  ]);
}

/** A llama of one layer, with as many tokens as wanted. */
export function smallLlama(tokens = 4, more = {}) {
  return gguf(
    {
      'general.architecture': 'llama',
      'llama.block_count': 1,
      'llama.context_length': 32_768,
      'llama.embedding_length': 256,
      'llama.feed_forward_length': 512,
      'llama.attention.head_count': 8,
      'llama.attention.head_count_kv': 2,
      'llama.vocab_size': 1000,
      'tokenizer.ggml.tokens': Array.from({ length: tokens }, (_, index) => `token ${index}`),
      ...more,
    },
    { 'token_embd.weight': [256, 1000], 'output_norm.weight': [256] },
  );
}

export const SMALL_LLAMA_BYTES = 4 * (256 * 1000 + 256);

/** BF16 tensors by name and length, as a .safetensors file without its data. */
export function safetensors(lengths) {
  let end = 0;
  const header = Object.fromEntries(
    Object.entries(lengths).map(([name, length]) => {
      const begin = end;
      end += 2 * length;
      return [name, { dtype: 'BF16', shape: [length], data_offsets: [begin, end] }];
    }),
  );
  const json = Buffer.from(JSON.stringify(header));
  return Buffer.concat([u64(json.length), json]);
}

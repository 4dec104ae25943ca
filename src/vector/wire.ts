/** Whether this machine holds numbers with their lowest byte first, as nearly all do. */
const LITTLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Before the elements of a vector: bytes of their number and of nothing, two each. */
const HEAD = 4;
/** The head of an array in words of four bytes: dimensions, nulls, type of an element, length, first index. */
const ARRAY_WORDS = 5;

/** Bytes in network order become the machine's own, and back. */
function swapped(bytes: Buffer): Buffer {
  return LITTLE ? bytes.swap32() : bytes;
}

/** Words and vectors, which are made of words too, in the machine's order: all change theirs at once. */
class Words {
  readonly #numbers: Uint32Array;
  readonly #elements: Float32Array;
  #at = 0;

  constructor(length: number) {
    this.#numbers = new Uint32Array(length);
    this.#elements = new Float32Array(this.#numbers.buffer);
  }

  put(...numbers: readonly number[]): void {
    this.#numbers.set(numbers, this.#at);
    this.#at += numbers.length;
  }

  vector(vector: Float32Array): void {
    this.put(vector.length * 2 ** 16);
    this.#elements.set(vector, this.#at);
    this.#at += vector.length;
  }

  bytes(): Buffer {
    return swapped(Buffer.from(this.#numbers.buffer));
  }
}

/** A vector as pgvector's `vector_recv` takes it. */
export function vectorBytes(vector: Float32Array): Uint8Array {
  const words = new Words(1 + vector.length);
  words.vector(vector);
  return words.bytes();
}

/** Vectors as one array in the server's binary form; `oid` is that of their type. */
export function vectorArrayBytes(vectors: readonly Float32Array[], oid: number): Uint8Array {
  const words = new Words(vectors.reduce((sum, { length }) => sum + 2 + length, ARRAY_WORDS));
  words.put(1, 0, oid, vectors.length, 1);
  for (const vector of vectors) {
    words.put(HEAD + 4 * vector.length);
    words.vector(vector);
  }
  return words.bytes();
}

/** What `vector_send` gave, in base64 as the server writes it: with line breaks. */
export function vectorFromBase64(text: string): Float32Array {
  return elementsOf(Buffer.from(text, 'base64').subarray(HEAD));
}

/** Network order, at any address. */
function elementsOf(bytes: Buffer): Float32Array {
  // Copied: a Float32Array stands on an address that four divides.
  const own = swapped(Buffer.from(new Uint8Array(bytes).buffer));
  return new Float32Array(own.buffer, own.byteOffset, own.length / 4);
}

/** A vector as pgvector's text. Each float32 is a double too, which its shortest text gives back; −0 has to be said. */
export function vectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (one) => (Object.is(one, -0) ? '-0' : String(one))).join(',')}]`;
}

/** A vector as its bytes with the lowest first: sqlite-vec's form. */
export function vectorBlob(vector: Float32Array): Uint8Array {
  const bytes = Buffer.from(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  return LITTLE ? bytes : bytes.swap32();
}

/** A blob in hexadecimal digits as a vector. */
export function vectorFromHex(text: string): Float32Array {
  const bytes = Buffer.from(new Uint8Array(Buffer.from(text, 'hex')).buffer);
  if (!LITTLE) bytes.swap32();
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** Before the elements of a vector: their number and nothing, two bytes each. */
const HEAD = 4;
/** Before the elements of an array: dimensions, nulls, type of an element, length, first index. */
const ARRAY_HEAD = 20;

/** Whether this machine holds numbers with their lowest byte first, as nearly all do. */
const LITTLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Bytes in network order become the machine's own, and back. */
function swapped(bytes: Buffer): Buffer {
  return LITTLE ? bytes.swap32() : bytes;
}

/** A vector as pgvector's `vector_recv` takes it. */
export function vectorBytes(vector: Float32Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(HEAD + 4 * vector.length);
  writeVector(bytes, 0, vector);
  return bytes;
}

function writeVector(bytes: Buffer, at: number, vector: Float32Array): number {
  bytes.writeUInt16BE(vector.length, at);
  bytes.writeUInt16BE(0, at + 2);
  const elements = bytes.subarray(at + HEAD, at + HEAD + 4 * vector.length);
  elements.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  swapped(elements);
  return at + HEAD + elements.length;
}

/** Vectors as one array in the server's binary form; `oid` is that of their type. */
export function vectorArrayBytes(vectors: readonly Float32Array[], oid: number): Uint8Array {
  const size = vectors.reduce((sum, { length }) => sum + 4 + HEAD + 4 * length, ARRAY_HEAD);
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(0, 4);
  bytes.writeUInt32BE(oid, 8);
  bytes.writeInt32BE(vectors.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = ARRAY_HEAD;
  for (const vector of vectors) {
    bytes.writeInt32BE(HEAD + 4 * vector.length, at);
    at = writeVector(bytes, at + 4, vector);
  }
  return bytes;
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

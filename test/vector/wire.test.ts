import { describe, expect, it } from 'vitest';
import {
  vectorArrayBytes,
  vectorBlob,
  vectorBytes,
  vectorFromBase64,
  vectorFromHex,
  vectorText,
} from '../../src/vector/wire.ts';

const VECTOR = new Float32Array([1, -0, 0.5, 3.4028235e38, 1e-45]);
const HEX = '00050000' + '3f800000' + '80000000' + '3f000000' + '7f7fffff' + '00000001';

describe('vectors on the wire', () => {
  it("are in pgvector's binary form", () => {
    expect(Buffer.from(vectorBytes(VECTOR)).toString('hex')).toBe(HEX);
    // The server breaks base64 into lines.
    const lines = Buffer.from(HEX, 'hex')
      .toString('base64')
      .replace(/(.{8})/g, '$1\n');
    expect(vectorFromBase64(lines)).toEqual(VECTOR);
  });

  it('are an array of it', () => {
    const two = Buffer.from(vectorArrayBytes([VECTOR, new Float32Array([2])], 16_395)).toString('hex');
    const head = '00000001' + '00000000' + '0000400b' + '00000002' + '00000001';
    expect(two).toBe(`${head}00000018${HEX}000000080001000040000000`);
  });

  it('are text that gives back each bit, and a blob', () => {
    expect(vectorText(VECTOR)).toBe('[1,-0,0.5,3.4028234663852886e+38,1.401298464324817e-45]');
    expect(vectorFromHex(Buffer.from(vectorBlob(VECTOR)).toString('hex'))).toEqual(VECTOR);
    expect(Buffer.from(vectorBlob(new Float32Array([1]))).toString('hex')).toBe('0000803f');
  });

  it('of any part of a buffer, at any address', () => {
    const part = VECTOR.subarray(2, 4);
    expect(vectorFromBase64(Buffer.from(vectorBytes(part)).toString('base64'))).toEqual(part);
    expect([...vectorBlob(part)]).toEqual([...new Uint8Array(part.slice().buffer)]);
  });
});

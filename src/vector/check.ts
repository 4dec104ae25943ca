import { types } from 'node:util';
import { InvalidArgumentError } from '../errors.ts';
import { checkEach, checkObject, checkText } from '../model/check.ts';
import { reading } from '../model/objects.ts';
import { checkStorable, metadataText } from './metadata.ts';
import type { Collection } from './types.ts';

/** The greatest float16. */
const GREATEST_HALF = 65_504;
/** The least float16 that has all its digits: below, they are lost one by one, and below 6e-8 there is only zero. */
const LEAST_HALF = 2 ** -14;
/** The greatest number of elements that a vector may have. */
export const GREATEST_DIMENSION = 16_000;
/** Between these a sum of squares in float32 has a root and is no zero: a vector has a direction. */
const LEAST_SQUARES = 1e-37;
const GREATEST_SQUARES = 3e38;
/** Two vectors of half the length may point away from each other. */
const GREATEST_OF_TWO = 7e37;

const ID = Object.freeze({ max: 255, filled: true });

/** Elements of vectors that are copied into one buffer: 256 kB. */
const CHUNK = 65_536;

const lengthOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Float32Array.prototype), 'length')
  ?.get as () => number;

/** An embedding, checked and copied. */
export interface Row {
  /** Its place in what was given. */
  readonly at: number;
  readonly id: string;
  readonly vector: Float32Array;
  /** JSON text. */
  readonly metadata: string | null;
  readonly content: string | null;
}

/** The name of a collection. */
export function checkName(argument: string, value: unknown): string {
  return checkText(argument, value, ID);
}

/** Ids as an argument, each once. */
export function checkIds(value: unknown): readonly string[] {
  return [...new Set(checkEach('ids', value, (one, at) => checkText(`ids[${at}]`, one, ID)))];
}

/** Embeddings as an argument; the last of a repeated id stays. The caller's objects are read once. */
export function checkEmbeddings(value: unknown): readonly Row[] {
  const rows = new Map<string, Row>();
  const copies = new Copies();
  checkEach('embeddings', value, (one, at) => {
    const path = `embeddings[${at}]`;
    const row = reading(path, () => ({ at, ...checkEmbedding(path, one, copies) }));
    rows.set(row.id, row);
  });
  return [...rows.values()];
}

function checkEmbedding(path: string, given: unknown, copies: Copies): Omit<Row, 'at'> {
  const { id: givenId, vector, metadata, content } = checkObject(path, given);
  const id = checkText(`${path}.id`, givenId, ID);
  return {
    id,
    vector: checkVector({ path: `${path}.vector`, id }, vector, copies),
    metadata: metadataText(`${path}.metadata`, metadata),
    content: content === undefined ? null : checkContent(`${path}.content`, content),
  };
}

function checkContent(path: string, value: unknown): string {
  if (typeof value !== 'string') throw new InvalidArgumentError(path, 'must be a string');
  checkStorable(path, value);
  return value;
}

/** Room for copies of vectors, many in one buffer: a buffer of its own for each costs more than the copy. */
class Copies {
  #free = new Float32Array(0);
  #next = 0;

  room(length: number): Float32Array {
    if (length > this.#free.length) {
      this.#free = new Float32Array(Math.max(length, this.#next));
      this.#next = CHUNK;
    }
    const room = this.#free.subarray(0, length);
    this.#free = this.#free.subarray(length);
    return room;
  }
}

/** Where a vector was given. */
export interface Place {
  readonly path: string;
  /** The id that it comes with; absent: a query. */
  readonly id?: string;
}

function refuse({ path, id }: Place, problem: string, element?: number): InvalidArgumentError {
  const argument = element === undefined ? path : `${path}[${element}]`;
  return new InvalidArgumentError(argument, id === undefined ? problem : `${problem} (id ${id})`);
}

/** A vector of finite numbers as a copy in float32. */
export function checkVector(place: Place, value: unknown, copies: Copies = new Copies()): Float32Array {
  const vector = reading(place.path, () => copied(place, value, copies));
  // Of finite elements the sum is finite: no square of a float32 leaves a double.
  if (!Number.isFinite(squaresOf(vector))) {
    const element = vector.findIndex((one) => !Number.isFinite(one));
    throw refuse(place, 'must be finite as a float32', element);
  }
  return vector;
}

/** Reads the caller's object once. */
function copied(place: Place, value: unknown, copies: Copies): Float32Array {
  if (!types.isFloat32Array(value) && !Array.isArray(value)) {
    throw refuse(place, 'must be a Float32Array or an array of numbers');
  }
  // A typed array has one length, whatever its class makes of the name.
  const length = types.isFloat32Array(value) ? lengthOf.call(value) : value.length;
  // Before it is copied: an array of nothing may say any length.
  if (length > GREATEST_DIMENSION) {
    throw refuse(place, `has ${length} elements, and no collection more than ${GREATEST_DIMENSION}`);
  }
  const vector = copies.room(length);
  if (types.isFloat32Array(value)) vector.set(value);
  else copyNumbers(place, value, vector);
  return vector;
}

function copyNumbers(place: Place, value: readonly unknown[], vector: Float32Array): void {
  for (let i = 0; i < vector.length; i += 1) {
    const element = value[i];
    if (typeof element !== 'number') throw refuse(place, 'must be a number', i);
    vector[i] = element;
  }
}

/** Refuses a vector that a collection cannot hold, or compare. */
export function checkFits(place: Place, vector: Float32Array, collection: Collection): void {
  const { dimension, metric, elementType } = collection;
  if (vector.length !== dimension) {
    throw refuse(place, `has ${vector.length} elements, and the collection's vectors ${dimension}`);
  }
  if (metric === 'cosine') checkDirection(place, vector);
  // Of two such vectors no product leaves float32: an infinite score would be one, and one infinity less another none.
  if (metric === 'ip' && squaresOf(vector) > GREATEST_SQUARES) {
    throw refuse(place, 'is too long for its inner products to be compared in float32');
  }
  if (metric === 'l2' && squaresOf(vector) > GREATEST_OF_TWO) {
    throw refuse(place, 'is too long for its distances to be compared in float32');
  }
  if (elementType !== 'float16') return;
  // An index of halves would give it another direction than it has, or none, and not find it.
  if (metric === 'cosine' && !vector.some((one) => Math.abs(one) >= LEAST_HALF)) {
    throw refuse(place, "has no element of 6.2e-5 or more, and its direction is lost in the index's float16");
  }
  const beyond = vector.findIndex((one) => Math.abs(one) > GREATEST_HALF);
  if (beyond >= 0) throw refuse(place, `must lie within ±${GREATEST_HALF}, the range of float16`, beyond);
}

function squaresOf(vector: Float32Array): number {
  let squares = 0;
  // By index: several times as fast as an iterator, over hundreds of thousands of elements.
  for (let i = 0; i < vector.length; i += 1) {
    const one = vector[i] as number;
    squares += one * one;
  }
  return squares;
}

function checkDirection(place: Place, vector: Float32Array): void {
  const squares = squaresOf(vector);
  if (squares === 0) throw refuse(place, 'is zero: it has no direction to compare by cosine');
  if (squares < LEAST_SQUARES || squares > GREATEST_SQUARES) {
    throw refuse(place, 'is too short or too long for its direction to be compared in float32');
  }
}

/** One of some words; absent = the first. */
export function oneOf<Word extends string>(
  argument: string,
  value: unknown,
  words: readonly [Word, ...Word[]],
): Word {
  if (value === undefined) return words[0];
  const found = words.find((word) => word === value);
  if (found === undefined) throw new InvalidArgumentError(argument, `must be one of ${words.join(', ')}`);
  return found;
}

// What calls are made of: little of each, so that they meet each other all the time.

/** The last moment that there is. */
export const LATEST: number = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Ids of records, in no order: case, a trailing space, and both sides of the surrogates count. */
export const IDS: readonly string[] = ['a', 'A', '😀', 'a ', '\uffff', 'b'];
/** The first of these are taken most. */
export const SESSIONS: readonly string[] = ['s', 'S', 's '];
export const AGENTS: readonly string[] = ['agent', 'Agent'];
export const STATUSES: readonly string[] = ['running', 'paused', ''];
export const KINDS: readonly string[] = ['short_term', 'long_term'];
export const KEYS: readonly string[] = ['key', 'Key'];
export const JSONS: readonly unknown[] = [null, 0, 'text', [], {}, { b: [1, '😀'], a: null }];

const EARLY = Date.UTC(2020, 0);
const LATE = Date.UTC(2022, 0);
const FUTURE = Date.UTC(2500, 0);

/** Two moments in each of three ages, a millisecond apart. */
export const MOMENTS: readonly Date[] = [EARLY, EARLY + 1, LATE, LATE + 1, FUTURE, FUTURE + 1].map(
  (ms) => new Date(ms),
);

/** Moments that no record is near: what is old on one clock is old on the other. */
export const GAPS: readonly Date[] = [new Date(Date.UTC(2021, 0)), new Date(Date.UTC(2023, 0))];

/** Places that callers give: most of them share some. */
export const PLACES: readonly number[] = [-1, -0, 1, 2, 3, 4];

/** A session that has hardly a place left: callers give it the last that JavaScript counts exactly. */
export const FULL = 's ';
export const LAST_PLACES: readonly number[] = [2, 1, 0].map((below) => Number.MAX_SAFE_INTEGER - below);

/** Records that a walk holds at a time. */
const PAGE = 500;

/** A page, however its method calls what is in it. */
export interface Page<T> {
  readonly records: readonly T[];
  readonly nextCursor: string;
}

/** The records of all pages one after the other, one page in memory. */
export async function* walkPages<T>(
  page: (limit: number, cursor: string) => Promise<Page<T>>,
): AsyncGenerator<T, undefined> {
  let cursor = '';
  do {
    const found = await page(PAGE, cursor);
    yield* found.records;
    cursor = found.nextCursor;
  } while (cursor !== '');
}

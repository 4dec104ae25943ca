import { NotFoundError } from '../errors.ts';
import { brief } from '../model/check.ts';

/** The refusal of a name that no collection has. */
export function noCollection(name: string, cause?: unknown): NotFoundError {
  // Quoted as JSON: a name may hold line breaks and quotes.
  const called = JSON.stringify(brief(name));
  return new NotFoundError('collection', name, {
    called,
    ...(cause === undefined ? {} : { cause }),
    hint: 'createCollection(name, dimension) makes it; listCollections() tells which there are',
  });
}

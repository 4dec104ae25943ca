import { InvalidArgumentError } from '../errors.ts';

/** No transaction is open on a handle. */
export function notOpen(cause?: unknown): InvalidArgumentError {
  return new InvalidArgumentError('handle', 'has no open transaction: begin one before you lend it', {
    ...(cause === undefined ? {} : { cause }),
  });
}

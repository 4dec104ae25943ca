import { InvalidArgumentError } from '../../errors.ts';

/** The error of a role that is not there; nothing was touched. */
export function unknownRole(argument: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(argument, 'there is no such role on this server', {
    reason: 'USAGE',
    hint,
  });
}

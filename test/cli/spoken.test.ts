import { describe, expect, it } from 'vitest';
import { judge } from '../../src/cli/failure.ts';
import { InvalidArgumentError, MigrationError } from '../../src/errors.ts';

const said = (argument: string) => judge(new InvalidArgumentError(argument, 'dir: x')).failure.message;

describe('an error on the command line', () => {
  it.each([
    ['dir', '--dir'],
    ['at', '--at'],
    ['grantTo', '--grant-to'],
    ['appRole', '--app-role'],
    ['connectTimeout', '--connect-timeout'],
    ['target', '--url'],
    ['migration', 'ID'],
    ['name', 'NAME'],
    ['--to', '--to'],
    ['up', 'up'],
    ['toString', 'toString'],
  ])('names the flag of %s', (argument, shown) => expect(said(argument)).toBe(`${shown}: dir: x`));

  it('keeps other words', () => {
    const error = new MigrationError('dir: x', { reason: 'PENDING' });
    expect(judge(error).failure.message).toBe('dir: x');
  });
});

import { type ChronosError, InvalidArgumentError } from '../errors.ts';
import { COMMANDS, isFlag } from './options.ts';

/** Arguments of the functions whose flags are called otherwise, or that are words behind the command. */
const OTHERWISE: ReadonlyMap<string, string | undefined> = new Map([
  ['target', '--url'],
  ['migration', COMMANDS.repair.words?.[0]],
  ['name', COMMANDS.new.words?.[0]],
]);

/** The message of an error for one who gave flags: `--grant-to: …` where a caller of functions reads `grantTo: …`. */
export function spoken(error: ChronosError): string {
  if (!(error instanceof InvalidArgumentError)) return error.message;
  const { argument, message } = error;
  const kebab = argument.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const word = OTHERWISE.get(argument) ?? (isFlag(kebab) ? `--${kebab}` : undefined);
  const before = `${argument}: `;
  return word !== undefined && message.startsWith(before)
    ? `${word}: ${message.slice(before.length)}`
    : message;
}

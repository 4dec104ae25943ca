import { InvalidArgumentError } from '../../errors.ts';

/** Refuses a session under whose settings rows would be lost, changed or left out; `found` names them, '' is none. */
export function refuseSettings(argument: 'target' | 'handle', found: string): void {
  if (found === '') return;
  throw new InvalidArgumentError(argument, `its sessions would lose or change rows: ${found}`, {
    hint: 'give the session these settings, or lend another one',
  });
}

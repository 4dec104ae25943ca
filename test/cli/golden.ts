import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';

/** Holds a screen against `golden/NAME.txt`; what differs is written beside it as `NAME[.VARIANT].txt.actual`. */
export function expectGolden(name: string, screen: string, variant?: string): void {
  const file = resolve(import.meta.dirname, 'golden', `${name}.txt`);
  const golden = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const actual = `${[name, ...(variant === undefined ? [] : [variant])].join('.')}.txt.actual`;
  const beside = resolve(import.meta.dirname, 'golden', actual);
  if (screen === golden) rmSync(beside, { force: true });
  else writeFileSync(beside, screen);
  expect(screen, `test/cli/golden/${name}.txt; see ${actual}`).toBe(golden);
}

/** A screen without what differs between runs and engines. */
export function scrub(text: string): string {
  return text
    .replace(/database: \S.* \(\S+ [^)]*\)$/gm, 'database: <target> (<engine> <version>)')
    .replace(/database: \S.* \(\w+\)$/gm, 'database: <target> (<engine>)')
    .replaceAll('"chronos".', '')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .replace(/\b\d+(\.\d+)? (ms|s)\b *(?=$| )/gm, '<span>')
    .replace(/^(<time> .*?) +\S+@\S+ +\S+$/gm, '$1  <who>  <tool version>');
}

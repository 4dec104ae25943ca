import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { MUTANTS } from './mutants.mjs';

const root = resolve(import.meta.dirname, '../..');

it('every mutant finds its text exactly once and changes it, and no two have one name', () => {
  const found = MUTANTS.map(({ name, file, find }) => {
    const times = readFileSync(resolve(root, file), 'utf8').split(find).length - 1;
    return `${name}: ${times}`;
  });
  expect(found).toEqual(MUTANTS.map(({ name }) => `${name}: 1`));
  expect(MUTANTS.every(({ find, replace }) => find !== replace)).toBe(true);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

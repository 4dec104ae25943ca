import type { Language } from '../../sql/dialect-name.ts';
import type { Step } from '../plan.ts';
import type { Direction } from '../types.ts';
import type { HostFileProblem } from './host-file-problem.ts';
import { leadingWords, type Statement, statementsOf } from './statements.ts';

/** What the first line of a file may ask for behind `-- chronos:`, and where it means something. */
const KNOWN: Readonly<Record<Directive, readonly Language[]>> = {
  'no-transaction': ['postgres', 'mysql'],
  'foreign-keys-off': ['sqlite'],
  breaking: ['postgres', 'mysql', 'sqlite'],
};

/** What a file's first line may ask for. */
export type Directive = 'no-transaction' | 'foreign-keys-off' | 'breaking';

/** Words after `-- chronos:` in the first line. */
export function directivesOf(text: string): readonly string[] {
  const [, words = ''] = /^--[ \t]*chronos:(.*)/.exec(text) ?? [];
  return Object.freeze(words.split(/[\s,]+/).filter((word) => word !== ''));
}

/** Whether the side of a migration that a step runs asks for it. */
export function asksFor({ direction, migration }: Step, directive: Directive): boolean {
  const { up, down = '' } = migration;
  return directivesOf(direction === 'up' ? up : down).includes(directive);
}

/** What is wrong with the first line; nothing where it can be heeded. */
export function directiveProblem(
  text: string,
  language: Language,
  direction: Direction,
): HostFileProblem | undefined {
  for (const word of directivesOf(text)) {
    if (!isDirective(word)) {
      const hint = `there are ${Object.keys(KNOWN).join(', ')}; take the word away`;
      return { problem: `there is no directive ${word}`, hint };
    }
    if (!KNOWN[word].includes(language)) {
      return { problem: `${word} means nothing on ${language}`, hint: 'take the word away' };
    }
  }
  if (direction === 'down' && directivesOf(text).includes('breaking')) {
    return { problem: 'breaking belongs to the up file', hint: 'take the word away' };
  }
  return language === 'postgres' && directivesOf(text).includes('no-transaction')
    ? notAlone(text)
    : undefined;
}

/** Postgres makes a transaction of several statements that are sent together. */
function notAlone(text: string): HostFileProblem | undefined {
  const statements = statementsOf(text, 'postgres');
  if (statements.length !== 1) {
    return {
      problem: `${statements.length} statements, and no-transaction runs one`,
      hint: 'give each statement a file of its own',
    };
  }
  const words = leadingWords(statements[0] as Statement, 5).join(' ');
  if (!/^create (unique )?index concurrently on\b/.test(words)) return undefined;
  return {
    problem: 'the index has no name',
    hint: 'name it: what a build that is cut off leaves invalid could not be found again',
  };
}

function isDirective(word: string): word is Directive {
  return Object.hasOwn(KNOWN, word);
}

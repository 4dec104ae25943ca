import type { Language } from '../../sql/dialect-name.ts';
import { wordsOf } from './sent.ts';
import { tokens } from './tokens.ts';

// The engine is not known where its error is read, and a word counts as soon as one of them takes it for quoted.
const LANGUAGES: readonly Language[] = ['postgres', 'mysql', 'sqlite'];

/** Words inside literals, and inside double quotes where `names` is true: there a literal may be meant. */
export function quotedWords(sql: string, names: boolean): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { kind, text } of LANGUAGES.flatMap((language) => tokens(sql, language))) {
    const quoted = kind === 'text' && !text.startsWith('"');
    // A body is code: what is secret in it stands in a literal of its own.
    if (quoted && text.startsWith('$')) for (const word of quotedWords(body(text), names)) words.add(word);
    else if (quoted || (names && text.startsWith('"'))) addWords(words, text);
  }
  return words;
}

/**
 * Bare words in front of the first literal, in every language. Behind it nobody knows which side of a quote is
 * which: of `'it's me'` an engine takes `me` for code, though it was meant as data.
 */
export function wordsBeforeLiterals(sql: string): ReadonlySet<string> {
  const [first, ...others] = LANGUAGES.map((language) => new Set(leadingCode(sql, language)));
  return new Set([...(first ?? [])].filter((word) => others.every((words) => words.has(word))));
}

function leadingCode(sql: string, language: Language): readonly string[] {
  const pieces = tokens(sql, language);
  const end = pieces.findIndex(({ kind }) => kind === 'text');
  return pieces
    .slice(0, end < 0 ? undefined : end)
    .filter(({ kind }) => kind === 'word')
    .map(({ text }) => text);
}

function body(text: string): string {
  const [tag = ''] = /^\$[^$]*\$/.exec(text) ?? [];
  return text.slice(
    tag.length,
    text.endsWith(tag) && text.length >= 2 * tag.length ? -tag.length : undefined,
  );
}

function addWords(words: Set<string>, text: string): void {
  for (const word of wordsOf(text)) words.add(word);
}

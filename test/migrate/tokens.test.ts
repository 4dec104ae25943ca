import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineAt, tokens } from '../../src/migrate/text/tokens.ts';
import { transactionWord } from '../../src/migrate/text/transaction-word.ts';
import type { Language } from '../../src/sql/dialect-name.ts';

const LANGUAGES: readonly Language[] = ['postgres', 'mysql', 'sqlite'];

/** `kind:text` of each piece but blanks; `…` behind what is not closed. */
function told(sql: string, language: Language): string {
  return tokens(sql, language)
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, text, open }) => `${kind}:${text}${open ? '…' : ''}`)
    .join(' | ');
}

describe('the pieces of SQL', () => {
  it.each<[Language, string, string]>([
    ['postgres', `'a''b' 'c\\' d`, `text:'a''b' | text:'c\\' | word:d`],
    ['postgres', `E'it\\'s' e'\\\\' x`, `text:E'it\\'s' | text:e'\\\\' | word:x`],
    ['postgres', `E'a' -- b\n 'c\\'d' e`, `text:E'a' -- b\n 'c\\'d' | word:e`],
    ['postgres', `E'a' 'b\\' c`, `text:E'a' | text:'b\\' | word:c`],
    ['postgres', `the'a\\' 1e'b\\'`, `word:the | text:'a\\' | other:1e | text:'b\\'`],
    ['postgres', `"o'brien" "a""b"`, `name:"o'brien" | name:"a""b"`],
    ['postgres', '/* /* */ ; */ a', 'comment:/* /* */ ; */ | word:a'],
    ['postgres', '/* /* */ a', 'comment:/* /* */ a…'],
    ['postgres', '-- a\rb -- c\nd', 'comment:-- a | word:b | comment:-- c | word:d'],
    ['postgres', `$$ ' $$ $a$ $$ $b$ $a$ c`, `text:$$ ' $$ | text:$a$ $$ $b$ $a$ | word:c`],
    ['postgres', 'a$b$ $1 $a', 'word:a$b$ | other:$ | other:1 | other:$ | word:a'],
    ['postgres', '$é$ ; $é$ $a$ b', 'text:$é$ ; $é$ | text:$a$ b…'],
    ['postgres', `'a''`, `text:'a''…`],
    ['postgres', '`[a]', 'other:` | other:[ | word:a | other:]'],
    ['mysql', `'a\\'b' "c\\"d" "e""f"`, `text:'a\\'b' | text:"c\\"d" | text:"e""f"`],
    ['mysql', '`a\\` `b``c`', 'name:`a\\` | name:`b``c`'],
    ['mysql', '# a\n-- b\n--c', 'comment:# a | comment:-- b | other:- | other:- | word:c'],
    ['mysql', '5--3 --', 'other:5 | other:- | other:- | other:3 | comment:--'],
    ['mysql', '/* /* */ a /*!5 b */ /*M! c', 'comment:/* /* */ | word:a | code:/*!5 b */ | code:/*M! c…'],
    ['mysql', `'a\\`, `text:'a\\…`],
    ['sqlite', `'a\\' "b'c" \`d'e\` [f'"g]`, `text:'a\\' | name:"b'c" | name:\`d'e\` | name:[f'"g]`],
    ['sqlite', '[a]] b', 'name:[a] | other:] | word:b'],
    ['sqlite', '/* /* */ a -- b\rc\nd', 'comment:/* /* */ | word:a | comment:-- b\rc | word:d'],
    ['sqlite', '/*/ a', 'comment:/*/ a…'],
    ['sqlite', '\uFEFFcommit $$', 'word:commit | other:$ | other:$'],
    ['sqlite', '[a', 'name:[a…'],
  ])('%s: %j', (language, sql, expected) => expect(told(sql, language)).toBe(expected));

  it('are the whole text, whatever it is', () => {
    const characters = fc
      .array(fc.constantFrom(...`'"\`[]$\\/*-#;ae1 \n\r\uFEFFé!M`))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(characters, fc.constantFrom(...LANGUAGES), (sql, language) => {
        const pieces = tokens(sql, language);
        expect(pieces.map(({ text }) => text).join('')).toBe(sql);
        expect(pieces.slice(0, -1).some(({ open }) => open)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('have lines', () => expect(lineAt('a\nb\nc', 4)).toBe(3));
});

const HIDDEN = fc.constantFrom('; commit;', ';\nend;', ' ; begin; ', '; rollback; --x\n', 'a;abort;b');
/** What may stand around a hidden text so that it does not count, by language. */
const AROUND: Readonly<Record<Language, readonly (readonly [string, string])[]>> = {
  postgres: [
    ["'", "'"],
    ["E'\\'", "'"],
    ["'\\", "\\'"],
    ['"\'', '"'],
    ["/* /* ' */ ", ' */'],
    ["$$ ' ", '$$'],
    ['$a$ $$ ', '$a$'],
    ["'a''", "''b'"],
  ],
  mysql: [
    ["'\\'", "'"],
    ['"\\"', '"'],
    ["`\\'", '`'],
    ["/* '", '*/'],
    ["'a''", "'"],
  ],
  sqlite: [
    ["'", "\\'"],
    ['"\'', '"'],
    ['`"', '`'],
    ["['", ']'],
    ["/* /* '", '*/'],
    ["'a''", "'"],
  ],
};

describe.each(LANGUAGES)('statements inside quotes: %s', (language) => {
  const quoted = fc
    .tuple(fc.constantFrom(...AROUND[language]), HIDDEN)
    .map(([[open, close], hidden]) => `${open}${hidden}${close}`);
  const comment = fc.constantFrom("-- it's ; commit\n", '-- "\n', '-- /*\n', '-- $$ ; end;\n');
  const word = fc.constantFrom('select', 'a', '1', ',', '(x)', '\n', 'committed', 'case', 'e', "''");
  // A comma between the pieces: one quote right behind another, or an E'…' on the line before, would be the same one.
  const harmless = fc.array(fc.oneof(quoted, comment, word)).map((pieces) => `select ${pieces.join(' , ')}`);

  it('never count', () => {
    fc.assert(
      fc.property(fc.array(harmless), (statements) => {
        expect(transactionWord(statements.join('\n;'), language)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('never hide what follows', () => {
    fc.assert(
      fc.property(fc.array(harmless), fc.constantFrom('commit', 'END', 'rollback'), (statements, end) => {
        const sql = [...statements, `/* a */ ${end}`].join('\n;');
        expect(transactionWord(sql, language)?.word).toBe(end.toLowerCase());
      }),
      { numRuns: 500 },
    );
  });
});

import type { Language } from '../sql/dialect-name.ts';

const QUOTED = [`'(?:[^']|'')*'`, '/\\*[\\s\\S]*?\\*/', '--[^\\n]*'];
const PIECES: Readonly<Record<Language, RegExp>> = {
  postgres: new RegExp([`(\\$(?:[A-Za-z_]\\w*)?\\$)[\\s\\S]*?\\1`, ...QUOTED].join('|'), 'g'),
  mysql: new RegExp([`'(?:[^'\\\\]|\\\\.|'')*'`, '#[^\\n]*', ...QUOTED.slice(1)].join('|'), 'g'),
  sqlite: new RegExp(QUOTED.join('|'), 'g'),
};

/** SQL without its comments and quoted text, to look for words in; it cannot be run. Line ends stay. */
export function bare(sql: string, language: Language): string {
  return sql.replace(PIECES[language], (piece) =>
    /^['$]/.test(piece) ? "''" : piece.replace(/[^\n]/g, ' '),
  );
}

/** The first words that would end or begin a transaction, in a text that runs inside ours. */
export function transactionWord(sql: string, language: Language): string | undefined {
  const found =
    /(?:^|;)\s*(begin|start\s+transaction|commit|abort|rollback(?!\s+to\b|\s+transaction\s+to\b))\b/i.exec(
      bare(sql, language),
    );
  return found?.[1]?.toLowerCase();
}

/** What reverting would destroy: tables dropped, by name as written, and whatever else takes data away. */
export function losses(
  sql: string,
  language: Language,
): { readonly tables: string[]; readonly others: string[] } {
  const tables: string[] = [];
  const others: string[] = [];
  for (const piece of bare(sql, language).split(';')) {
    const text = piece.trim().replace(/\s+/g, ' ');
    const [, names] = /^drop table (?:if exists )?(.+?)(?: cascade| restrict)?$/i.exec(text) ?? [];
    if (names !== undefined) tables.push(...names.split(',').map((name) => name.trim()));
    else if (
      /^(drop (?!index|policy|trigger)|delete |truncate |update |alter table .*\bdrop (?!key|index)|merge )/i.test(
        text,
      )
    ) {
      others.push(text.slice(0, 100));
    }
  }
  return { tables: tables.filter((name) => NAME.test(name)), others };
}

/** A plain or quoted name, perhaps with its schema: safe to stand in a query of ours. */
const NAME = /^(?:[\w$]+|"(?:[^"]|"")+"|`(?:[^`]|``)+`)(?:\.(?:[\w$]+|"(?:[^"]|"")+"|`(?:[^`]|``)+`))?$/u;

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/drivers/connection.ts';
import { openConnection } from '../../src/drivers/open.ts';
import { variants } from '../variants.ts';

/** Every character that the issue names, alone in the middle, then all together. */
const PASSWORDS = [
  ...[
    '@',
    ':',
    '/',
    '#',
    '?',
    '%',
    '&',
    '^',
    '$',
    '!',
    '+',
    ' ',
    "'",
    '"',
    '\\',
    'é',
    '@@',
    '://',
    '%4',
    '?a=b&c=',
  ].map((odd) => `Pw1${odd}x`),
  '@:/#?%&^$!+ \'"\\é',
];

for (const variant of variants.filter(({ serverUrl }) => serverUrl !== undefined)) {
  describe(`${variant.name}: passwords`, () => {
    const postgres = variant.language === 'postgres';
    const role = `chronos_pw_${process.pid}`;
    let admin: Connection;
    let place: string;

    beforeAll(async () => {
      const { url } = await variant.createDatabase('drivers_password');
      admin = await openConnection(url);
      place = url.slice(url.lastIndexOf('@') + 1);
      await admin.script(postgres ? `create role ${role} login` : `create user '${role}'@'%'`);
      if (!postgres) await admin.script(`grant select on *.* to '${role}'@'%'`);
    });
    afterAll(async () => {
      await admin.script(postgres ? `drop role ${role}` : `drop user '${role}'@'%'`);
      await admin.close();
    });

    it.each(PASSWORDS)('connects with %s, raw and encoded', async (password) => {
      await admin.script(
        postgres
          ? `alter role ${role} password '${password.replaceAll("'", "''")}'`
          : `set password for '${role}'@'%' = ${variant.name === 'mysql9' ? quoted(password) : `password(${quoted(password)})`}`,
      );
      const raw = `${variant.language}://${role}:${password}@${place}`;
      // A raw password that reads as an escape is one: encoding always works.
      const forms = [`${variant.language}://${role}:${encodeURIComponent(password)}@${place}`, raw];
      for (const url of forms) {
        const connection = await openConnection(url);
        expect(JSON.stringify(connection.server)).not.toContain(password);
        await connection.close();
      }
    });
  });
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

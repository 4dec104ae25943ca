import { describe, expect, it } from 'vitest';
import { openStorage, SchemaTooNewError } from '../../src/index.ts';
import { execute } from '../migrate/raw.ts';
import { variants } from '../variants.ts';
import { withVectors } from '../vector/variants.ts';

describe.each(variants)('$name, brought further by a newer version', (variant) => {
  const log = variant.language === 'postgres' ? 'chronos.chronos_migration_log' : 'chronos_migration_log';
  const row = (name: string, directives: string) =>
    `insert into ${log} (namespace, migration, direction, event, directives)
     values ('chronos', '${name}', 'up', 'succeeded', ${directives})`;
  const session = { id: 's', agentId: 'a', status: 'running' } as const;

  it('is written to after a change that harms nobody, and only read after one that is marked as breaking', async () => {
    const { url } = await variant.createDatabase('newer');
    const first = await openStorage(url);
    await first.migrate();
    await first.close();
    await execute(url, row('0077_newer', 'null'));
    const second = await openStorage(url);
    await second.createSession(session);
    await second.close();
    await execute(url, row('0078_newest', "'breaking'"));
    const third = await openStorage(url);
    try {
      const refusal = expect.objectContaining({ code: 'SCHEMA_TOO_NEW', migration: 'chronos:0078_newest' });
      for (const write of [
        () => third.createSession({ ...session, id: 't' }),
        () => third.appendEvent({ id: 'e', sessionId: 's', type: 't', payload: 1 }),
        () => third.trimEvents(new Date()),
        () => third.deleteTenant('default'),
        () => third.transaction((tx) => tx.getSession('s')),
        ...(withVectors(variant) ? [() => third.vectors().createCollection('c', 3)] : []),
      ]) {
        await expect(write()).rejects.toEqual(refusal);
        await expect(write()).rejects.toBeInstanceOf(SchemaTooNewError);
      }
      await expect(third.createSession({ ...session, id: '' })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
      expect(await third.getSession('s')).toMatchObject(session);
      expect(await third.countEvents('s')).toBe(0);
      await third.ping();
    } finally {
      await third.close();
    }
  });
});

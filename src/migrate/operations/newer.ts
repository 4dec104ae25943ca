import type { Connection } from '../../drivers/connection.ts';
import { ChronosError, SchemaTooNewError } from '../../errors.ts';
import { languageOf } from '../../sql/dialect-name.ts';
import { quoted } from '../engines/placeholders.ts';
import { builtIn, OURS } from '../files.ts';
import { Log } from '../log.ts';
import { survey } from '../plan.ts';
import { stateOf } from '../state.ts';

/** Throws SchemaTooNewError where the log holds a breaking migration that this version does not know. */
export async function forbidNewer(connection: Connection, schema: string): Promise<void> {
  const language = languageOf(connection.dialectName);
  const qualifier = { postgres: `${quoted(schema)}.`, mysql: '', sqlite: 'main.' }[language];
  const log = new Log(connection, schema, qualifier);
  // Whoever may not read the log is not kept from writing.
  const rows = await log.read(connection).catch((error: unknown) => {
    if (error instanceof ChronosError && error.reason === 'PRIVILEGE') return [];
    throw error;
  });
  const files = { all: await builtIn(language), namespaces: [OURS] };
  const breaking = survey(files, stateOf(rows)).newer.find((row) => row.directives.includes('breaking'));
  if (breaking !== undefined) throw new SchemaTooNewError(breaking.id);
}

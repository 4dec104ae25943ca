import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Language } from '../../src/sql/dialect-name.ts';

/** Where clients are generated: test/.prisma, not committed. */
const FOLDER = resolve(import.meta.dirname, '../.prisma');
const DMMF_GENERATOR = resolve(import.meta.dirname, 'dmmf-generator.mjs');
const PRISMA = createRequire(import.meta.url).resolve('prisma/build/index.js');

/** The committed schema of each language. */
export const PRISMA_SCHEMAS: Readonly<Record<Language, string>> = {
  postgres: resolve(import.meta.dirname, '../../prisma/schema.prisma'),
  mysql: resolve(import.meta.dirname, '../../prisma/schema.mysql.prisma'),
  sqlite: resolve(import.meta.dirname, '../../prisma/schema.sqlite.prisma'),
};

/** What Prisma made of a schema. */
export interface GeneratedPrisma {
  /** The TypeScript module of the client; import it. */
  readonly clientModule: string;
  /** Prisma's own reading of the models, as JSON. */
  readonly dmmfFile: string;
}

/**
 * Generates a client and the parsed model from the committed schema, without the network. Made once for each
 * schema text: test files that run side by side make their own and the first to finish wins.
 */
export async function generatePrisma(language: Language): Promise<GeneratedPrisma> {
  const source = await readFile(PRISMA_SCHEMAS[language], 'utf8');
  const generator = await readFile(DMMF_GENERATOR, 'utf8');
  const { version } = createRequire(import.meta.url)('prisma/package.json') as { version: string };
  const key = createHash('sha256').update(`${version}\n${generator}\n${source}`).digest('hex').slice(0, 12);
  const folder = join(FOLDER, `${language}-${key}`);
  if (!existsSync(folder)) await generateInto(folder, source);
  return { clientModule: join(folder, 'client/client.ts'), dmmfFile: join(folder, 'dmmf/dmmf.json') };
}

async function generateInto(folder: string, source: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const work = await mkdtemp(`${folder}.`);
  const schema = join(work, 'schema.prisma');
  await writeFile(schema, source + GENERATORS);
  await promisify(execFile)(process.execPath, [PRISMA, 'generate', '--schema', schema], {
    cwd: work,
    env: {
      ...process.env,
      // `generate` asks for this engine, which it does not use, and would download it.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  await rename(work, folder).catch(async (error) => {
    // Another test file was first: its result is the same.
    if (!existsSync(folder)) throw error;
    await rm(work, { recursive: true });
  });
}

const GENERATORS = `
generator client {
  provider = "prisma-client"
  output   = "./client"
}

generator dmmf {
  provider = ${JSON.stringify(`node ${DMMF_GENERATOR}`)}
  output   = "./dmmf"
}
`;

// A Prisma generator that writes the parsed schema (DMMF) as JSON: Prisma's own reading of our models, offline.
// Prisma talks to generators in JSON-RPC, a line each: requests on stdin, answers on stderr.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'generate') {
    const folder = params.generator.output.value;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'dmmf.json'), JSON.stringify(params.dmmf.datamodel));
  }
  const result = method === 'getManifest' ? { manifest: { defaultOutput: '.', prettyName: 'DMMF' } } : null;
  process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

import { describe, it } from 'vitest';
import { conformance } from '../src/conformance/index.ts';
import { EVERYTHING, ofBuilders, stand } from './conformance/forms.ts';
import { oneOfEachLanguage } from './variants.ts';

const soak = process.env.CHRONOS_SOAK === '1';

for (const [at, variant] of oneOfEachLanguage.entries()) {
  // knex and Prisma over an embedded engine: `using` on their transactions is tested there.
  if (variant.serverUrl === undefined && !soak) continue;
  for (const form of soak ? ofBuilders : [ofBuilders[at % ofBuilders.length]!]) {
    stand(variant, form, (open) => conformance({ describe, it, open, supports: EVERYTHING }));
  }
}

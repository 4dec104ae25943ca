import { describe, it } from 'vitest';
import { makeCollections, type VectorRequest, vectorConformance } from '../src/conformance/index.ts';
import {
  borrowed,
  forTenant,
  hostPool,
  inTransaction,
  ofBuilders,
  plain,
  stand,
} from './conformance/forms.ts';
import { odditiesOf } from './conformance/hosts.ts';
import { oneOfAll, variants } from './variants.ts';
import { withVectors } from './vector/variants.ts';

for (const variant of variants.filter(withVectors)) {
  const [oddity] = odditiesOf(variant);
  const [onKnex, onPrisma] = ofBuilders;
  const soak = process.env.CHRONOS_SOAK === '1';
  const forms = [plain, borrowed(oddity!)];
  if (soak || oneOfAll.includes(variant)) forms.push(forTenant, inTransaction);
  if (soak || variant.driver === 'pg') forms.push(hostPool(oddity!), onKnex!);
  // Prisma's own drivers of SQLite have no functions of sqlite-vec.
  if (variant.driver === 'pg' || (soak && variant.language === 'postgres')) forms.push(onPrisma!);
  for (const form of forms) {
    stand(
      variant,
      form,
      (open) => {
        const openVectors = async ({ own = false }: VectorRequest = {}) => {
          const { storage, close } = await open(own ? { own, unbound: true } : {});
          return { vectors: storage.vectors(), close };
        };
        vectorConformance({ describe, it, open: openVectors });
      },
      (storage) => makeCollections(storage.vectors()),
    );
  }
}

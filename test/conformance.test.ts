import { describe, it } from 'vitest';
import { conformance } from '../src/conformance/index.ts';
import { EVERYTHING, forTenant, has, pgbouncer, plain, stand } from './conformance/forms.ts';
import { oneOfAll, variants } from './variants.ts';

for (const variant of variants) {
  const forms = oneOfAll.includes(variant) ? [plain, forTenant, pgbouncer] : [plain, pgbouncer];
  for (const form of forms) {
    if (!has(variant, form)) continue;
    stand(variant, form, (open) => conformance({ describe, it, open, supports: EVERYTHING }));
  }
}

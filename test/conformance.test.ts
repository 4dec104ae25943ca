import { describe, it } from 'vitest';
import { conformance } from '../src/conformance/index.ts';
import { forTenant, has, pgbouncer, plain, stand } from './conformance/forms.ts';
import { variants } from './variants.ts';

for (const variant of variants) {
  for (const form of [plain, forTenant, pgbouncer]) {
    if (!has(variant, form)) continue;
    stand(variant, form, (open) =>
      conformance({ describe, it, open, supports: { batches: true, pages: true } }),
    );
  }
}

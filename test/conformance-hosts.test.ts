import { describe, it } from 'vitest';
import { conformance } from '../src/conformance/index.ts';
import { hostPool, stand } from './conformance/forms.ts';
import { ODDITIES } from './conformance/hosts.ts';
import { variants } from './variants.ts';

for (const variant of variants) {
  for (const form of ODDITIES.map(hostPool)) {
    stand(variant, form, (open) =>
      conformance({ describe, it, open, supports: { batches: true, pages: true } }),
    );
  }
}

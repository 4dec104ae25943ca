import { describe, it } from 'vitest';
import { conformance } from '../src/conformance/index.ts';
import { borrowed, EVERYTHING, inTransaction, stand } from './conformance/forms.ts';
import { odditiesOf } from './conformance/hosts.ts';
import { oneOfAll, oneOfEachDriver } from './variants.ts';

for (const variant of oneOfEachDriver) {
  const own = oneOfAll.includes(variant) ? [inTransaction] : [];
  for (const form of [...own, ...odditiesOf(variant).map(borrowed)]) {
    stand(variant, form, (open) => conformance({ describe, it, open, supports: EVERYTHING }));
  }
}

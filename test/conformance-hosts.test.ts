import { describe, it } from 'vitest';
import { conformance } from '../src/conformance/index.ts';
import { EVERYTHING, hostPool, stand } from './conformance/forms.ts';
import { odditiesOf } from './conformance/hosts.ts';
import { oneOfEachDriver } from './variants.ts';

// The embedded engines' handles are the suite's in conformance-transactions; all of them in a soak.
const here = oneOfEachDriver.filter(
  ({ serverUrl }) => serverUrl !== undefined || process.env.CHRONOS_SOAK === '1',
);

for (const variant of here) {
  for (const form of odditiesOf(variant).map(hostPool)) {
    stand(variant, form, (open) => conformance({ describe, it, open, supports: EVERYTHING }));
  }
}

import { describe, it } from 'vitest';
import { conformance } from '../src/conformance/index.ts';
import { EVERYTHING, hostPool, stand } from './conformance/forms.ts';
import { odditiesOf } from './conformance/hosts.ts';
import { oneOfEachDriver } from './variants.ts';

for (const variant of oneOfEachDriver) {
  for (const form of odditiesOf(variant).map(hostPool)) {
    stand(variant, form, (open) => conformance({ describe, it, open, supports: EVERYTHING }));
  }
}

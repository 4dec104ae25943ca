import { describe, it } from 'vitest';
import { conformance } from '../src/conformance/index.ts';
import { EVERYTHING, ofBuilders, stand } from './conformance/forms.ts';
import { oneOfEachLanguage } from './variants.ts';

for (const [at, variant] of oneOfEachLanguage.entries()) {
  const all = process.env.CHRONOS_SOAK === '1';
  for (const form of all ? ofBuilders : [ofBuilders[at % ofBuilders.length]!]) {
    stand(variant, form, (open) => conformance({ describe, it, open, supports: EVERYTHING }));
  }
}

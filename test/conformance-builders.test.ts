import { describe, it } from 'vitest';
import { conformance } from '../src/conformance/index.ts';
import { EVERYTHING, ofBuilders, stand } from './conformance/forms.ts';
import { oneOfEachLanguage } from './variants.ts';

for (const variant of oneOfEachLanguage) {
  for (const form of ofBuilders) {
    stand(variant, form, (open) => conformance({ describe, it, open, supports: EVERYTHING }));
  }
}

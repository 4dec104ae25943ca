import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformance } from '../src/conformance/index.ts';
import { EVERYTHING, hostPool, plain, stand } from './conformance/forms.ts';
import { ODDITIES } from './conformance/hosts.ts';
import { oneOfEachDriver, variants } from './variants.ts';

/** The process's time zone, and its offset from UTC in January in minutes, to see that it took hold. */
const ZONES = { 'Asia/Tokyo': -540, 'America/New_York': 300 } as const;

/** Declares only the topic that time zones could touch. */
function dates(name: string, body: () => void): void {
  if (name === 'dates') describe(name, body);
}

describe.each(Object.entries(ZONES))('a process in %s', (zone, offset) => {
  const before = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = zone;
    expect(new Date(Date.UTC(2024, 0, 15)).getTimezoneOffset()).toBe(offset);
  });
  afterAll(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  for (const variant of variants) {
    // By URL, and on sessions that the host put into the other zone (in a soak: each of the two).
    const odd =
      process.env.CHRONOS_SOAK === '1' ? ODDITIES : ODDITIES.filter(({ timeZone }) => timeZone !== zone);
    const pools = oneOfEachDriver.includes(variant) ? odd.map(hostPool) : [];
    for (const form of [plain, ...pools]) {
      stand(variant, form, (open) => conformance({ describe: dates, it, open, supports: EVERYTHING }));
    }
  }
});

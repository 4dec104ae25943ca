import type { Session, Storage } from '../index.ts';
import { event, idsOf } from './expect.ts';

/** 10 places before, 50 events that share one, 10 places after. */
export async function crowd(storage: Storage): Promise<readonly string[]> {
  const shared = Array.from({ length: 50 }, (_, n) =>
    event({ id: `${n % 2 ? 'é' : 'e'}${n}`, sessionId: 's', seqNum: 50 }),
  );
  const others = Array.from({ length: 20 }, (_, n) =>
    event({ id: `n${n}`, sessionId: 's', seqNum: n < 10 ? n : 60 + n }),
  );
  await Promise.all([...shared, ...others].map((one) => storage.appendEvent(one)));
  await storage.appendEvent(event({ sessionId: 'elsewhere', seqNum: 50 }));
  return idsOf(await storage.listEvents('s'));
}

/** 30 sessions of two agents and two statuses, five to a millisecond. */
export async function someSessions(storage: Storage): Promise<readonly Session[]> {
  const ids = ['a', 'B', 'b', 'é', '😀', '￿', ...Array.from({ length: 24 }, (_, n) => `s${n}`)];
  for (const [n, id] of ids.entries()) {
    const createdAt = new Date(Date.UTC(2024, 0, 1, 0, 0, 0, Math.floor(n / 5)));
    await storage.createSession({
      id,
      agentId: n % 2 ? 'odd' : 'even',
      status: n % 3 ? 'done' : 'open',
      createdAt,
    });
  }
  const all = await storage.listSessions('', 1000);
  return all;
}

/**
 * The same work by hand, in the best way that the driver has: prepared statements, whole records out, with the tenant that a row has.
 * @typedef {object} Raw
 * @property {(id: string) => Promise<unknown>} getSession
 * @property {(sessionId: string) => Promise<unknown>} latestCheckpoint
 * @property {(event: RawEvent) => Promise<void>} append
 * @property {(event: RawEvent) => Promise<void>} [appendNext] at the next place, in a transaction: the floor of ours
 * @property {(events: RawEvent[]) => Promise<void>} appendMany
 * @property {(sessionId: string, afterSeq: number, limit: number) => Promise<unknown[]>} page
 * @property {(before: Date, batch: number) => Promise<number>} trim one batch, its count
 * @property {() => Promise<void>} close
 *
 * @typedef {object} RawEvent
 * @property {string} id
 * @property {string} sessionId
 * @property {number} seqNum
 * @property {string} type
 * @property {unknown} payload
 * @property {Date} createdAt
 */
export const TENANT = 'default';

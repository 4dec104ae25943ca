import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { type Reason, UnavailableError } from '../errors.ts';
import { Taken, type WaitOptions, whenFree } from './when-free.ts';

/** Who has a PGlite folder; `nonce` tells two of one process apart. */
interface Owner {
  readonly pid: number;
  /** When the process started, in the kernel's own count; null where the system does not tell. */
  readonly startedAt: string | null;
  readonly host: string;
  readonly nonce: string;
}

/**
 * Waits for the file `<dir>.lock` and takes it: two processes on one PGlite folder corrupt it, so this comes
 * before the folder is opened. Resolves to what gives it back. The file of a process that is dead on this
 * host is taken over. Throws UnavailableError LOCK_TIMEOUT that names the file.
 */
export async function lockFolder(dir: string, options: WaitOptions): Promise<() => Promise<void>> {
  const file = `${dir}.lock`;
  const owner = {
    pid: process.pid,
    startedAt: (await seen(process.pid))?.startedAt ?? null,
    host: hostname(),
    nonce: randomUUID(),
  };
  const draft = `${file}.${owner.nonce}`;
  await writeFile(draft, JSON.stringify(owner), { flag: 'wx' }).catch(cannotWrite(draft));
  try {
    await whenFree(() => attempt(file, draft, options), options);
  } catch (error) {
    if (!(error instanceof UnavailableError) || error.reason !== 'LOCK_TIMEOUT') throw error;
    const hint = `end that process; when there is none, delete ${file}`;
    throw new UnavailableError(error.message, { reason: 'LOCK_TIMEOUT', retryable: true, hint });
  } finally {
    await rm(draft, { force: true });
  }
  return () => giveBack(file, owner.nonce);
}

/** Who has a folder; undefined = nobody, or a process of this host that is dead. */
export async function folderHolder(dir: string): Promise<string | undefined> {
  const file = `${dir}.lock`;
  const text = await readFile(file, 'utf8').catch(missing);
  if (text === undefined) return undefined;
  const owner = ownerIn(text);
  if (owner === undefined) return `${file}, which says nothing of its owner`;
  return (await isDead(owner)) ? undefined : `process ${owner.pid} on ${owner.host} has ${file}`;
}

/** Takes the file away, unless its process is seen to live: throws UnavailableError LOCK_TIMEOUT then. */
export async function forceFolder(dir: string): Promise<void> {
  const file = `${dir}.lock`;
  const owner = ownerIn((await readFile(file, 'utf8').catch(missing)) ?? '');
  if (owner !== undefined && owner.host === hostname() && !(await isDead(owner))) {
    throw new UnavailableError(`process ${owner.pid} is alive and has ${file}`, {
      reason: 'LOCK_TIMEOUT',
      retryable: true,
      hint: `end it (kill ${owner.pid}): two processes on one folder corrupt it`,
    });
  }
  await rm(file, { force: true });
}

/** What it means that a file beside the folder cannot be made. */
const WRITE_REASONS: Readonly<Record<string, Reason>> = {
  EROFS: 'READ_ONLY',
  EACCES: 'READ_ONLY',
  EPERM: 'READ_ONLY',
  ENOSPC: 'STORAGE_FULL',
  EDQUOT: 'STORAGE_FULL',
};

function cannotWrite(file: string): (cause: unknown) => never {
  return (cause) => {
    const code = codeOf(cause) ?? '';
    const reason = WRITE_REASONS[code];
    if (reason === undefined) throw cause;
    const hint = `make ${dirname(file)} writable, with room in it, or give another folder`;
    throw new UnavailableError(`${file} cannot be written, ${code}`, { cause, reason, hint });
  };
}

async function attempt(file: string, draft: string, options: WaitOptions): Promise<undefined | Taken> {
  if (await linked(draft, file)) return undefined;
  const text = await readFile(file, 'utf8').catch(missing);
  if (text === undefined) return new Taken(`${file} (just given back)`);
  const owner = ownerIn(text);
  if (owner === undefined) return new Taken(`${file}, which says nothing of its owner`);
  if (await isDead(owner)) return takeOver(file, draft, text, owner, options);
  return new Taken(`process ${owner.pid} on ${owner.host} has ${file}`);
}

/** A link appears with its content or not at all, so nobody ever reads half an owner. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Only who made the claim on this very owner may replace its file, and while the claim stands nobody else
 * removes it: so a file that still holds the dead owner's text is the dead owner's.
 */
async function takeOver(
  file: string,
  draft: string,
  text: string,
  owner: Owner,
  options: WaitOptions,
): Promise<undefined | Taken> {
  const claim = `${file}.claim-${owner.nonce}`;
  if (!(await linked(draft, claim))) return new Taken(`${file}, which another process takes over (${claim})`);
  try {
    if ((await readFile(file, 'utf8').catch(missing)) !== text) return new Taken(`${file} (just taken over)`);
    await rename(claim, file);
    const message = `${file} was left by process ${owner.pid}, which is dead: taken over`;
    options.onProgress?.({ kind: 'warning', message });
    return undefined;
  } finally {
    await rm(claim, { force: true });
  }
}

async function giveBack(file: string, nonce: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(missing);
  if (text !== undefined && ownerIn(text)?.nonce === nonce) await rm(file, { force: true });
}

function ownerIn(text: string): Owner | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not ours, or cut short: its owner is unknown, which is not the same as dead.
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, startedAt, host, nonce } = value as Partial<Record<keyof Owner, unknown>>;
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof nonce !== 'string') return undefined;
  if (!/^[\w-]+$/.test(nonce)) return undefined;
  return { pid, host, nonce, startedAt: typeof startedAt === 'string' ? startedAt : null };
}

/** Dead for sure: on this host, and either no such process or another one with its number. */
async function isDead(owner: Owner): Promise<boolean> {
  if (owner.host !== hostname()) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
  const now = await seen(owner.pid);
  if (now === undefined) return false;
  return now.state === 'Z' || (owner.startedAt !== null && now.startedAt !== owner.startedAt);
}

/** Linux tells of a process its state and when it started, in ticks since boot (fields 3 and 22); others nothing. */
async function seen(pid: number): Promise<{ state: string; startedAt: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(missing);
  if (text === undefined) return undefined;
  // The second field is the command in parentheses, which may hold blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startedAt: fields[19] ?? '' };
}

function missing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return undefined;
  throw error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

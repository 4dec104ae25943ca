import { PrismaPg } from '@prisma/adapter-pg';
import { expect, it } from 'vitest';
import { openStorage, type StorageTarget, UnavailableError } from '../../src/index.ts';
import { generatePrisma } from '../schema/generated-prisma.ts';

it('opening on a PrismaClient whose database does not answer is our error, Prisma’s own its cause', async () => {
  const { clientModule } = await generatePrisma('postgres');
  const { PrismaClient } = (await import(/* @vite-ignore */ clientModule)) as {
    PrismaClient: new (options: { adapter: unknown }) => StorageTarget;
  };
  const client = new PrismaClient({
    adapter: new PrismaPg({ connectionString: 'postgres://a:b@127.0.0.1:1/x' }),
  });
  const error: unknown = await openStorage(client).catch((refusal: unknown) => refusal);
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({ reason: 'CONNECT_REFUSED', retryable: true, cause: { code: 'P2010' } });
});

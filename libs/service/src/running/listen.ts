import { lookup } from 'node:dns/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * Listens at one address of the host. For `localhost` Fastify would also listen at every other one, by servers of its own
 * that have none of the bounds of the application's.
 */
export async function listenAt(
  application: NestFastifyApplication,
  { PORT, HOST }: { PORT: number; HOST: string },
): Promise<void> {
  await application.listen(PORT, (await lookup(HOST)).address);
}

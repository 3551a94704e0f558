import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that a system gives to connections by itself (Linux: from 32768 on): none takes it before whom it is for. */
const [LOWEST, HIGHEST] = [20_000, 32_767];

/** A port of loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  if (!(await once(server, 'listening').then(() => true, () => false))) return false;
  server.close();
  await once(server, 'close');
  return true;
}

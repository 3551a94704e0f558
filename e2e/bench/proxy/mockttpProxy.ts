/** mockttp as a process of its own: `mockttpProxy.ts DIRECTORY`, where it is installed. Tells `{"port"}` on stdout; ends with its stdin. */
import { createRequire } from 'node:module';
import { Server } from 'node:net';
import { join } from 'node:path';

interface Mockttp {
  getLocal(options: { recordTraffic: boolean }): { readonly port: number; start(): Promise<void>; forAnyRequest(): { thenPassThrough(): Promise<unknown> } };
}

const LOOPBACK = '127.0.0.1';
// it has no option for the address, and would be a proxy for the whole network
const listen = Reflect.get(Server.prototype, 'listen') as (...options: unknown[]) => Server;
Reflect.set(Server.prototype, 'listen', function listenOnLoopback(this: unknown, first: unknown, ...rest: unknown[]) {
  const options = typeof first === 'number' ? [first, LOOPBACK, ...rest] : [{ host: LOOPBACK, ...(first as object) }, ...rest];
  return Reflect.apply(listen, this, options);
});

const mockttp = createRequire(join(process.argv[2] ?? '', 'package.json'))('mockttp') as Mockttp;
// recorded traffic would only fill its memory
const server = mockttp.getLocal({ recordTraffic: false });
await server.start();
await server.forAnyRequest().thenPassThrough();
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);
process.stdin.on('end', () => process.exit()).resume();

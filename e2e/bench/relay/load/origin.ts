/** The servers of the load: whoever sends a length gets so many bytes, at once. Tells its port in a line of JSON, and ends with its standard input. */
import { createServer, type AddressInfo } from 'node:net';
import { LENGTH_BYTES, MAX_OBJECT_BYTES } from './page.ts';

const [host = ''] = process.argv.slice(2);
const BODY = Buffer.alloc(MAX_OBJECT_BYTES, 'x');

const server = createServer({ noDelay: true }, (socket) => {
  let rest = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= LENGTH_BYTES; rest = rest.subarray(LENGTH_BYTES)) socket.write(BODY.subarray(0, rest.readUInt32BE()));
  });
});
server.listen(0, host, () => process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`));
process.stdin.resume().once('end', () => process.exit(0));

import type { Duplex } from 'node:stream';

/** "100 Continue", with fields that nobody sends. */
const CONTINUE = /^HTTP\/1\.1 100 [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/;
const CONTINUE_BEGIN = Buffer.from('HTTP/1.1 100 ');

/**
 * Passes over "100 Continue", which some servers send unasked and a client may ignore (RFC 9110, section 15.2.1):
 * undici ends the connection. An answer begins with what is read first after something was written.
 */
export function ignoreContinue(socket: Duplex & { readonly bytesWritten: number }): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let writtenBefore = 0;
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (chunk === null || socket.bytesWritten === writtenBefore) return chunk;
    if (!chunk.subarray(0, CONTINUE_BEGIN.length).equals(CONTINUE_BEGIN)) {
      writtenBefore = socket.bytesWritten;
      return chunk;
    }
    const rest = chunk.subarray(CONTINUE.exec(chunk.toString('latin1'))?.[0].length ?? 0);
    return rest.length > 0 ? rest : null;
  };
}

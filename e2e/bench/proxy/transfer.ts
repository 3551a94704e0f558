import * as v from 'valibot';
import { controlRequest } from '../../metrics/control.ts';

/** What the server knows of its last large answer. Times are CLOCK_MONOTONIC. */
const Transfer = v.object({ startNs: v.number(), writtenBytes: v.number(), finishedNs: v.nullable(v.number()) });
export type Transfer = v.InferOutput<typeof Transfer>;

/** Asks the server's control socket. @throws Error when it has not answered with a large body yet */
export async function lastTransfer(socket: string): Promise<Transfer> {
  return v.parse(v.object({ transfer: Transfer }), await controlRequest(socket, 'GET', '/')).transfer;
}

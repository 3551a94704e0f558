/** The client's end of the link: side.ts PLAN, in the side's own network namespace. Downloads one file, and prints what came of it. */
import process from 'node:process';
import * as v from 'valibot';
import { LinkControl } from '../../../metrics/testbed.ts';
import { FAR_ADDRESS } from '../../driver/overLink.ts';
import { Client, listens } from '../client.ts';
import { FILES_PORT } from '../plan.ts';
import { SidePlan, type SideResult } from './plan.ts';

const { client: settings, bytes } = v.parse(SidePlan, JSON.parse(process.argv[2] ?? ''));
const link = new LinkControl(process.env['FIRSTSCREEN_LINK_SOCKET'] ?? '');
const client = await Client.start(settings);
await listens(FILES_PORT);
await link.reset();
const got = await client.download(`http://${FAR_ADDRESS}:${FILES_PORT}/${bytes}`).then((body) => ({ ...body, failure: null }), (error: unknown) => ({ ms: null, sha256: null, failure: String(error) }));
const { up, down, lateness } = await link.report();
const result: SideResult = { ms: got.ms, sha256: got.sha256, failure: got.failure, link: { up, down, lateness }, fwp: await client.counted() };
await client.stop();
process.stdout.write(`${JSON.stringify(result)}\n`);

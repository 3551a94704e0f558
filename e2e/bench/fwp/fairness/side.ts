/**
 * An end of the link: side.ts near|far PLAN, in the side's own network namespace. The far side serves a file and a plain flow; the near side takes both at once,
 * and prints how the link was shared in each second.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { TRANSFERS } from '../../../browsers/executables.ts';
import { LinkControl } from '../../../metrics/testbed.ts';
import { FAR_ADDRESS } from '../../driver/overLink.ts';
import { Client, listens } from '../client.ts';
import { FILES_PORT } from '../plan.ts';
import { PLAIN_PORT, SidePlan, type SideResult } from './plan.ts';

/** More than any run takes. */
const ENDLESS_BYTES = 1_000_000_000_000;
const PLAIN_CONGESTION = 'cubic';
const MS_PER_SECOND = 1_000;
/** The plain flow must not end before it has been looked at. */
const SPARE_SECONDS = 30;

const plan = v.parse(SidePlan, JSON.parse(process.argv[3] ?? ''));
if (process.argv[2] === 'far') serve();
else process.stdout.write(`${JSON.stringify(await share())}\n`);

function serve(): void {
  const servers = [
    ['serve-files', '--port', String(FILES_PORT), '--congestion', plan.congestion],
    ['serve', '--port', String(PLAIN_PORT), '--congestion', PLAIN_CONGESTION],
  ];
  for (const words of servers) spawn(TRANSFERS, words, { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
}

async function share(): Promise<SideResult> {
  const link = new LinkControl(process.env['FIRSTSCREEN_LINK_SOCKET'] ?? '');
  const client = await Client.start(plan.client);
  await Promise.all([listens(FILES_PORT), listens(PLAIN_PORT)]);
  await link.reset();
  const broken = new AbortController();
  const file = client.download(`http://${FAR_ADDRESS}:${FILES_PORT}/${ENDLESS_BYTES}`, broken.signal).then(() => 'it is whole', String);
  const options = ['--host', FAR_ADDRESS, '--flow', `1xdown:${PLAIN_PORT}`, '--seconds', String(plan.warmUpSeconds + plan.seconds + SPARE_SECONDS)];
  const plain = spawn(TRANSFERS, ['measure', ...options], { stdio: 'ignore' });
  try {
    await sleep(plan.warmUpSeconds * MS_PER_SECOND);
    const before = await link.report();
    const seconds = await Promise.race([watch(link), file.then((why) => Promise.reject(new Error(`the file's download ended early: ${why}`)))]);
    const after = await link.report();
    return { seconds, link: { up: difference(before.up, after.up), down: difference(before.down, after.down), lateness: after.lateness }, fwp: await client.counted() };
  } finally {
    broken.abort();
    plain.kill();
    await client.stop();
  }
}

/** How the link was shared, second by second. */
async function watch(link: LinkControl): Promise<SideResult['seconds']> {
  const seconds: SideResult['seconds'] = [];
  let last = await brought(link);
  for (let second = 1, startMs = performance.now(); second <= plan.seconds; second++) {
    await sleep(startMs + second * MS_PER_SECOND - performance.now());
    const now = await brought(link);
    seconds.push({ file: now.file - last.file, plain: now.plain - last.plain });
    last = now;
  }
  return seconds;
}

async function brought(link: LinkControl): Promise<{ readonly file: number; readonly plain: number }> {
  const flows = await link.downBytes();
  const by = (port: number): number => flows.filter(({ server }) => server.endsWith(`:${port}`)).reduce((sum, { downBytes }) => sum + downBytes, 0);
  return { file: by(FILES_PORT), plain: by(PLAIN_PORT) };
}

function difference(before: SideResult['link']['up'], after: SideResult['link']['up']): SideResult['link']['up'] {
  const { packets, bytes, deliveredBytes, dropsQueue, dropsLoss } = after;
  return {
    packets: packets - before.packets, bytes: bytes - before.bytes, deliveredBytes: deliveredBytes - before.deliveredBytes,
    dropsQueue: dropsQueue - before.dropsQueue, dropsLoss: dropsLoss - before.dropsLoss,
  };
}

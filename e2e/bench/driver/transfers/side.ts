/**
 * One end of the link: starts the driver there when it is to have one, then the client or the server of the flows. Started by the link, in the side's own network
 * namespace: side.ts near|far DIRECTORY. The near side prints a flow a line, and last what link and drivers have counted.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { TRANSFERS } from '../../../browsers/executables.ts';
import { LinkControl } from '../../../metrics/testbed.ts';
import { FAR_ADDRESS } from '../overLink.ts';
import { driverStatus, RunningDriver, socketIn } from '../runningDriver.ts';
import { FAR_DRIVER, PLAIN_PORT, PLAN_FILE, REGISTERED_PORT, SidePlan } from './plan.ts';

const [side = '', directory = ''] = process.argv.slice(2);
const plan = v.parse(SidePlan, JSON.parse(await readFile(join(directory, PLAN_FILE), 'utf8')));
const farDriver = join(directory, FAR_DRIVER);

if (side === 'far') {
  if (plan.farPolicy !== null) {
    await mkdir(farDriver);
    await RunningDriver.start([{ localPorts: [REGISTERED_PORT], policy: plan.farPolicy }], farDriver);
  }
  const server = spawn(TRANSFERS, ['serve', '--port', String(REGISTERED_PORT), '--port', String(PLAIN_PORT), '--congestion', plan.congestion], { stdio: 'inherit' });
  server.on('exit', (code) => process.exit(code ?? 1));
} else {
  const running = plan.nearPolicy === null ? null : await RunningDriver.start([{ remotePorts: [REGISTERED_PORT], policy: plan.nearPolicy }]);
  const options = ['--host', FAR_ADDRESS, '--congestion', plan.congestion, '--seconds', String(plan.seconds), '--warm-up', String(plan.warmUpSeconds), '--seed', String(plan.seed)];
  const { stdout } = await promisify(execFile)(TRANSFERS, ['measure', ...options, ...plan.flows.flatMap((flow) => ['--flow', flow])]);
  const link = await new LinkControl(process.env['FIRSTSCREEN_LINK_SOCKET'] ?? '').report();
  const near = (await running?.status()) ?? null;
  const far = plan.farPolicy === null ? null : await driverStatus(socketIn(farDriver));
  await running?.stop();
  process.stdout.write(`${stdout}${JSON.stringify({ link, near, far })}\n`);
}

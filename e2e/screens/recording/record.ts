/** Records a load of a demo page over an emulated link with the panel, beside one without Firstscreen, for its pictures: `sh scripts/with-setup.sh node e2e/screens/recording/record.ts`. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestbed } from '../../bench/testbedProcess.ts';
import { RECORDED_PAGE, RECORDING } from '../pages/panel.ts';
import type { RecordingPlan } from './recordingPlan.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const PROTOCOL = 'h2';

await mkdir(path.join(ROOT, 'out'), { recursive: true });
const dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-recording-'));
try {
  const caDir = path.join(dir, 'ca');
  await mkdir(caDir);
  const plan: RecordingPlan = {
    page: path.join(ROOT, 'build/pages', `${RECORDED_PAGE}.warc.gz`), protocol: PROTOCOL, file: RECORDING, dir, caDir, hostingSocket: path.join(dir, 'hosting.sock'),
    extensionDir: path.join(ROOT, 'dist/extension/managed'), helperMain: path.join(ROOT, 'dist/bench/firstscreen-helper.mjs'),
  };
  const planFile = path.join(dir, 'plan.json');
  await writeFile(planFile, JSON.stringify(plan));
  const testbed = startTestbed(
    {
      link: path.join(ROOT, 'build/bin/firstscreen-link'),
      linkOptions: ['--profile', '3g-fast', '--seed', '1', '--control', path.join(dir, 'link.sock')],
      hosting: path.join(ROOT, 'build/bin/firstscreen-hosting'),
      hostingOptions: ['--ca-dir', caDir, '--control', plan.hostingSocket, '--protocol', PROTOCOL],
      worker: [process.execPath, path.join(import.meta.dirname, 'worker.ts'), planFile],
      logFile: path.join(ROOT, 'out/recording.log'),
    },
    () => undefined,
  );
  process.on('exit', () => testbed.kill());
  await testbed.ended;
} finally {
  await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

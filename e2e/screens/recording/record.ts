/** Records a load of a demo page over an emulated link with the panel, beside one without Firstscreen, for its pictures: `sh scripts/with-setup.sh node e2e/screens/recording/record.ts`. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { besideHosting } from '../../bench/besideHosting.ts';
import { exitOnSignals } from '../../bench/commandLine.ts';
import { ROOT } from '../../browsers/executables.ts';
import { RECORDED_PAGE, RECORDING } from '../pages/panel.ts';
import type { RecordingPlan } from './recordingPlan.ts';

exitOnSignals();
const recording = await besideHosting({
  profile: '3g-fast', seed: 1,
  main: path.join(import.meta.dirname, 'worker.ts'),
  plan: (place): RecordingPlan => ({ ...place, page: path.join(ROOT, 'build/pages', `${RECORDED_PAGE}.warc.gz`) }),
});
await writeFile(RECORDING, recording);

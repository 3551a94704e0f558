import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import { HOSTING } from '../browsers/executables.ts';
import { overLink } from './driver/overLink.ts';
import { linkOptions } from './linkOptions.ts';

/** Of one start of the link, which its worker is told in its plan. */
export const HostingPlace = v.object({
  /** What is in it goes with the link. */
  directory: v.string(),
  /** Where the hosting puts its authority. */
  caDir: v.string(),
  hostingSocket: v.string(),
});
export type HostingPlace = v.InferOutput<typeof HostingPlace>;

interface Worker {
  readonly profile: string;
  readonly seed: number;
  /** Program of the near side. */
  readonly main: string;
  /** What it reads as JSON, from the file that is its argument. */
  readonly plan: (place: HostingPlace) => object;
}

/** Runs a worker at the near end of the link and the virtual hosting at the far one, which starts beside it. @returns what the worker printed @throws BenchError E_LINK_RUN */
export async function besideHosting({ profile, seed, main, plan }: Worker): Promise<string> {
  return overLink({
    options: linkOptions(profile),
    seed,
    commands: async (directory) => {
      const place = { directory, caDir: join(directory, 'ca'), hostingSocket: join(directory, 'hosting.sock') };
      const planFile = join(directory, 'plan.json');
      await mkdir(place.caDir);
      await writeFile(planFile, JSON.stringify(plan(place)));
      return {
        near: [process.execPath, main, planFile],
        far: [HOSTING, '--ca-dir', place.caDir, '--control', place.hostingSocket],
      };
    },
  });
}

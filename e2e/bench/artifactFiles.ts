import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Arrivals } from '../analysis/arrival.ts';
import type { LoadMetrics } from '../analysis/analyse.ts';
import { loadFileName, type LoadIdentity } from './loadIdentity.ts';
import type { Visit } from './visit.ts';

/** Writes what one load, or one page of a journey, left behind (requests with their times, the layout, what the first screen waited for), to answer "why". */
export async function writeArtifacts(outDir: string, identity: LoadIdentity, step: number, { pages, processorMs }: Visit, metrics: LoadMetrics): Promise<void> {
  const artifacts = pages[step];
  if (artifacts === undefined) return;
  const { page, run, attempt, scheme } = identity;
  const directory = join(outDir, 'artifacts', page);
  await mkdir(directory, { recursive: true });
  const arrivals = new Arrivals(artifacts.flows);
  const sinceStart = (ms: number | null) => (ms === null ? null : Math.round((ms - artifacts.navigationStartMs) * 10) / 10);
  const requests = artifacts.served.map((request) => ({
    url: request.url,
    status: request.status,
    bodyBytes: request.bodyBytes,
    connection: `${request.client} ${request.server}`,
    startMs: sinceStart(request.startNs / 1e6),
    arrivalMs: sinceStart(arrivals.of(request)),
    aborted: request.aborted,
  }));
  const { needed, missing } = metrics;
  const document = { page, run, attempt, scheme: scheme.label, processorMs, requests, needed, missing, layout: artifacts.layout, link: artifacts.link, browserRequests: artifacts.browserRequests };
  await writeFile(join(directory, `${loadFileName(identity, step)}-${attempt}.json`), JSON.stringify(document));
}

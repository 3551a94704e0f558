import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { Arrivals, NS_PER_MS } from '../analysis/arrival.ts';
import { firstBytes } from '../analysis/firstBytes.ts';
import type { LoadMetrics } from '../analysis/analyse.ts';
import { LoadArtifact } from '../report/waterfall/loadArtifact.ts';
import { loadFileName, type LoadIdentity } from './loadIdentity.ts';
import { recordBetween } from './recordFile.ts';
import type { Visit } from './visit.ts';

/** Writes what one load, or one page of a journey, left behind (requests with their times, the layout, what the first screen waited for), to answer "why". */
export async function writeArtifacts(outDir: string, identity: LoadIdentity, step: number, { pages, processorMs, record: events }: Visit, metrics: LoadMetrics): Promise<void> {
  const artifacts = pages[step];
  if (artifacts === undefined) return;
  const { page, run, attempt, scheme } = identity;
  await mkdir(join(outDir, 'artifacts', page), { recursive: true });
  const arrivals = new Arrivals(artifacts.flows, artifacts.requestEnds);
  const first = firstBytes(artifacts.served, artifacts.flows);
  const sinceStart = (ms: number | null) => (ms === null ? null : Math.round((ms - artifacts.navigationStartMs) * 10) / 10);
  const requests = artifacts.served.map((request) => ({
    url: request.url,
    status: request.status,
    bodyBytes: request.bodyBytes,
    connection: `${request.client} ${request.server}`,
    startMs: sinceStart(request.startNs / NS_PER_MS),
    firstByteMs: sinceStart(first.get(request) ?? null),
    arrivalMs: sinceStart(arrivals.of(request)),
    aborted: request.aborted,
  }));
  const { needed, missing } = metrics;
  const record = events && recordBetween(events, artifacts.navigationStartMs, pages[step + 1]?.navigationStartMs ?? Infinity);
  const requestEnds = artifacts.requestEnds.map(({ url, atMs }) => ({ url, atMs: sinceStart(atMs) }));
  const { layout, link, browserRequests, names } = artifacts;
  const document = { page, run, attempt, scheme: scheme.label, processorMs, requests, needed, missing, record, layout, link, browserRequests, requestEnds, names };
  await writeFile(artifactPath(outDir, identity, step), JSON.stringify(document));
}

type ArtifactPlace = Pick<LoadIdentity, 'page' | 'run' | 'attempt'> & { readonly scheme: Pick<LoadIdentity['scheme'], 'label'> };

/** What a waterfall is drawn of: of a journey its first page; null where the file is gone, or of an earlier version. */
export function readArtifact(outDir: string, place: ArtifactPlace): LoadArtifact | null {
  try {
    return v.parse(LoadArtifact, JSON.parse(readFileSync(artifactPath(outDir, place, 0), 'utf8')));
  } catch {
    return null;
  }
}

function artifactPath(outDir: string, { page, run, attempt, scheme }: ArtifactPlace, step: number): string {
  return join(outDir, 'artifacts', page, `${loadFileName({ run, scheme }, step)}-${attempt}.json`);
}

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BENCH_RELAY, HOSTING, LINK, ROOT } from '../browsers/executables.ts';
import { newspaperSite } from '../pages/designs/newspaper.ts';
import { createRandom } from '../pages/random.ts';
import { encodeWarc } from '../pages/warcWriter.ts';
import { Results } from './results.ts';

const PAGE = join(ROOT, 'build/pages/news-short.warc.gz');
/** A busy machine can not hold a faster link to the 5 % that the bench insists on. */
const PROFILE = '3g-fast';
const BUSY_HOST_RETRIES = 2;
/** Behind the end of a load, the next one is under way. */
const MID_LOAD_MS = 1_500;
/** What is asked here is whether the bench works, on machines that may be busy; not how fast a page is. */
const MAX_LATE_MS = '1000';
const parts = [PAGE, LINK, HOSTING];
const missing = parts.filter((part) => !existsSync(part));

/** Of an artifact. */
const NamesOfLoad = v.object({ names: v.array(v.object({ client: v.string(), name: v.string() })), requests: v.array(v.object({ url: v.string() })) });

/** The temporary directory is this test's own, so that whatever is left behind is the bench's. */
describe.skipIf(missing.length > 0)(`the benchmark (needs ${parts.join(', ')})`, () => {
  let directory: string;
  beforeAll(async () => (directory = await mkdtemp(join(tmpdir(), 'firstscreen-bench-test-'))));
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const start = (out: string | null, ...options: string[]) => {
    const argv = [join(ROOT, 'e2e/bench/cli.ts'), ...(options.includes('--pages') ? [] : ['--pages', PAGE]), '--schemes', 'conv,conv', '--profile', PROFILE, '--max-late', MAX_LATE_MS, ...(out === null ? [] : ['--out', join(directory, out)]), ...options];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TMPDIR: directory, HOME: join(directory, 'home') } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
      child.on('close', (status) => resolve({ status, stdout, stderr }));
    });
    return { child, ended, stderr: () => stderr };
  };

  /** Runs to the end. On a host that is too busy for its link the bench refuses to measure, which is right and not what is asked here: it is asked again. */
  const run = async (out: string | null, ...options: string[]) => {
    let ended = await start(out, ...options).ended;
    for (let again = 0; again < BUSY_HOST_RETRIES && ended.stderr.includes('E_LINK_CHECK'); again += 1) ended = await start(out, ...options).ended;
    return ended;
  };

  /** Started, and in the middle of a load, behind one that it has measured; asked again as above. */
  const startInMidLoad = async (...options: string[]) => {
    for (let again = 0; ; again += 1) {
      const running = start(null, ...options);
      await expect.poll(running.stderr, { timeout: 60_000, interval: 100 }).toMatch(/\[0\/|E_LINK_CHECK/);
      if (again === BUSY_HOST_RETRIES || !running.stderr().includes('E_LINK_CHECK')) {
        await new Promise((resolve) => setTimeout(resolve, MID_LOAD_MS));
        return running;
      }
      await running.ended;
    }
  };

  /** Temporary directories of runs, and processes whose command line names this test's directory. */
  const leftovers = async () => {
    const directories = (await readdir(directory)).filter((name) => name.startsWith('firstscreen-bench-'));
    const processes = await Promise.all(
      (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid)).map(async (pid) => {
        const commandLine = await readFile(join('/proc', pid, 'cmdline'), 'utf8').catch(() => '');
        return commandLine.includes(directory) ? [commandLine] : [];
      }),
    );
    return [...directories, ...processes.flat()];
  };

  /** A front page and two stories, of the newspaper that has three at least. */
  const writeSite = async (): Promise<string> => {
    const site = join(directory, 'site.warc.gz');
    const objects = await newspaperSite(createRandom(1), 3);
    await writeFile(site, encodeWarc(objects.filter(({ url }) => !url.endsWith('/stories/3')), 'a front page and two stories'));
    return site;
  };

  it('compares a repeat visit, with a helper of its own that touches nothing of the user, and prints nothing but its results with --json', async () => {
    const { status, stdout, stderr } = await run('repeat', '--schemes', 'conv,all-repeat', '--runs', '1', '--json');
    expect(status, stderr).toBe(0);
    const results = v.parse(Results, JSON.parse(stdout));
    expect(results.loads.filter(({ failed }) => failed === null).map(({ scheme }) => scheme).sort()).toEqual(['all-repeat', 'conv']);
    for (const place of ['.local/share/firstscreen', '.local/state/firstscreen']) expect(existsSync(join(directory, 'home', place)), place).toBe(false);
    expect(await leftovers()).toEqual([]);
  });

  it('measures a warm visit, and a journey against stock in the same kind of visit', async () => {
    const { status, stderr } = await run('visits', '--pages', await writeSite(), '--schemes', 'conv-warm,conv-journey,all-journey', '--runs', '1');
    expect(status, stderr).toBe(0);
    const results = v.parse(Results, JSON.parse(await readFile(join(directory, 'visits/results.json'), 'utf8')));
    const loads = new Map(results.loads.filter(({ failed }) => failed === null).map((load) => [load.scheme, load]));
    expect([...loads.keys()].sort(), stderr).toEqual(['all-journey', 'conv-journey', 'conv-warm']);
    expect(new Set(results.comparisons.map(({ scheme, baseline }) => `${scheme} ${baseline}`))).toEqual(new Set(['all-journey conv-journey']));
    for (const [scheme, load] of loads) {
      expect([load.objectsLost, load.objectsFetchedTwice], scheme).toEqual([0, 0]);
      expect((load.neededMs ?? 0) + (load.wasteMs ?? 0) + (load.idleMs ?? 0)).toBeCloseTo(load.isrtMs ?? 0);
    }
    // The document is asked for again; everything else is in the cache.
    expect(loads.get('conv-warm')).toMatchObject({ requests: 1, steps: [] });
    const journey = loads.get('conv-journey')?.steps ?? [];
    expect(journey.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/stories/1', '/stories/2']);
    // Only the front page brings what all pages share.
    for (const { bytes } of journey.slice(1)) expect(bytes).toBeLessThan(0.7 * (journey[0]?.bytes ?? 0));
    expect(loads.get('conv-journey')?.isrtMs).toBeCloseTo(journey.reduce((sum, { isrtMs }) => sum + isrtMs, 0));
  });

  it.runIf(existsSync(BENCH_RELAY))('loads a page by a relay, whole, whose servers and names the near side never sees', async (context) => {
    const { status, stderr } = await run('relay', '--schemes', 'conv,relay-tunnel', '--protocol', 'h2', '--runs', '1');
    if (stderr.includes('E_RELAY_KERNEL')) return context.skip(stderr);
    expect(status, stderr).toBe(0);
    const results = v.parse(Results, JSON.parse(await readFile(join(directory, 'relay/results.json'), 'utf8')));
    const loads = new Map(results.loads.filter(({ failed }) => failed === null).map((load) => [load.scheme, load]));
    const relayed = loads.get('relay-tunnel');
    expect(relayed, stderr).toMatchObject({ objectsLost: 0, objectsFetchedTwice: 0, missing: [], requestsRelayed: relayed?.requests });
    expect(relayed?.pictureDifference ?? 0).toBeLessThan(0.01);
    expect((relayed?.neededMs ?? 0) + (relayed?.wasteMs ?? 0) + (relayed?.idleMs ?? 0)).toBeCloseTo(relayed?.isrtMs ?? 0);
    expect(relayed?.idleMs).toBeLessThan(relayed?.isrtMs ?? 0);
    expect(loads.get('conv')).toMatchObject({ requestsRelayed: 0 });
    // the round trips of both hops: names, TCP, TLS and the document
    for (const load of loads.values()) expect(load.lowerBoundMs).toBeGreaterThan(4 * 180);
    const nearNames = async (scheme: string) => {
      const file = join(directory, 'relay/artifacts/news-short', `1-${scheme}-${loads.get(scheme)?.attempt ?? 1}.json`);
      const { names, requests } = v.parse(NamesOfLoad, JSON.parse(await readFile(file, 'utf8')));
      const hosts = new Set(requests.map(({ url }) => new URL(url).hostname));
      return names.filter(({ client, name }) => client.startsWith('10.99.0.1:') && hosts.has(name));
    };
    expect(await nearNames('relay-tunnel')).toEqual([]);
    expect(await nearNames('conv')).not.toEqual([]);
    expect(await leftovers()).toEqual([]);
  });

  it('says that a recording of one page can not be journeyed', async () => {
    const { status, stdout } = await run('stays', '--schemes', 'conv-journey,conv-journey', '--runs', '1');
    expect(status).toBe(1);
    expect(stdout).toContain('NO_JOURNEY (the recording has no other page of its site)');
  });

  it('measures stock against itself, with nothing lost, and a report of it; ends with the time limit, at Ctrl-C and when it is killed, leaves nothing behind, and is continued until every load has been made', async () => {
    const [options, resume] = [['--runs', '2'], ['--resume', join(directory, 'null')]];
    const readResults = async () => v.parse(Results, JSON.parse(await readFile(join(directory, 'null/results.json'), 'utf8')));

    // time for a load on a busy machine, and for less than four on a fast one
    const { status, stderr } = await run('null', ...options, '--limit-minutes', '0.15');
    expect(status, stderr).toBe(0);
    expect((await readResults()).ended).toBe('limit');

    const interrupted = await startInMidLoad(...options, ...resume);
    interrupted.child.kill('SIGINT');
    const { status: interruptedStatus, stdout } = await interrupted.ended;
    expect(interruptedStatus).toBe(130);
    expect(stdout).toContain('Report: ');
    const { ended: howInterrupted, loads: loadsBefore } = await readResults();
    expect(howInterrupted).toBe('interrupted');
    expect(loadsBefore.length).toBeGreaterThanOrEqual(1);
    expect(await leftovers()).toEqual([]);

    const killed = await startInMidLoad(...options, ...resume);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await expect.poll(leftovers, { timeout: 20_000 }).toEqual([]);

    const other = await start(null, ...options, ...resume, '--seed', '2').ended;
    expect(other.status).toBe(2);
    expect(other.stderr).toMatch(/^E_RESUME: .*not the same seed/);
    expect((await run(null, ...options, ...resume)).status).toBe(0);
    const results = await readResults();
    expect(results.ended).toBe('complete');
    const last = new Map(results.loads.map((load) => [`${load.run} ${load.scheme}`, load]));
    expect([...last.keys()].sort()).toEqual(['1 conv', '1 conv#2', '2 conv', '2 conv#2']);
    // None was made again that had been measured.
    expect(results.loads.filter(({ attempt }) => attempt === 1)).toHaveLength(4);

    const loads = results.loads.filter(({ failed }) => failed === null);
    // a busy machine makes failures of some, which are listed as such
    expect(loads.length).toBeGreaterThanOrEqual(2);
    for (const load of loads) {
      expect(load.isrtMs).toBeGreaterThanOrEqual(load.lowerBoundMs ?? Infinity);
      expect(load.allObjectsMs).toBeGreaterThanOrEqual(load.isrtArrivalMs ?? Infinity);
      expect([load.objectsLost, load.objectsFetchedTwice]).toEqual([0, 0]);
      expect(load.pictureDifference ?? 0).toBeLessThan(0.01);
    }
    const isrt = results.comparisons.find(({ metric }) => metric === 'isrtMs');
    expect(isrt?.overall.value).toBeGreaterThan(0.5);
    expect(isrt?.overall.value).toBeLessThan(2);
    const html = await readFile(join(directory, 'null/index.html'), 'utf8');
    expect(html).toContain('data:image/jpeg');
    expect(html).not.toMatch(/<script|(?:src|href)="(?!data:|waterfalls\/conv-2\/news-short)/);
    expect(html).toContain('href="waterfalls/conv-2/news-short.html"');
    expect(await readFile(join(directory, 'null/waterfalls/conv-2/news-short.html'), 'utf8')).not.toMatch(/<script|(?:src|href)=/);
    expect(await leftovers()).toEqual([]);
  });

  it.each([
    [['--runs', 'many'], 'E_OPTION'],
    [['--profile', 'string-and-cans'], 'E_LINK_OPTION'],
  ])('refuses %j with %s, exit status 2 and a next step', async (options, code) => {
    const { status, stderr } = await start('refused', ...options).ended;
    expect(status).toBe(2);
    expect(stderr).toMatch(new RegExp(`^${code}: .*\\n  next: .+`));
    expect(await leftovers()).toEqual([]);
  });
});

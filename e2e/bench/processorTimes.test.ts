import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { processorTimes } from './processorTimes.ts';

const BUSY_MS = 200;
const BUSY = `while (process.cpuUsage().user < ${BUSY_MS * 1_000}); process.stdout.write('busy'); setInterval(() => undefined, 1_000);`;

describe('processorTimes', () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill());

  const start = async (marker: string, ...argv: string[]) => {
    child = spawn(process.execPath, ['-e', BUSY, '--', ...argv], { env: { XDG_STATE_HOME: marker }, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout!, 'data');
  };

  it.each([
    ['the helper', ['/opt/firstscreen-helper.mjs', 'host', 'chrome-extension://x/'], 'helperMs', 'extensionMs'],
    ["an extension's renderer", ['--type=renderer', '--extension-process'], 'extensionMs', 'helperMs'],
  ] as const)('finds %s of one browser, and not of another', async (_, argv, found, other) => {
    await start('/tmp/state-one', ...argv);
    const times = await processorTimes('/tmp/state-one');
    expect(times[found]).toBeGreaterThanOrEqual(BUSY_MS);
    expect(times[other]).toBeNull();
    expect(await processorTimes('/tmp/state-two')).toEqual({ allMs: null, helperMs: null, extensionMs: null });
  });

  it('finds a process by its parent, as renderers write over their environment', async () => {
    const inner = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(['-e', BUSY, '--', '--extension-process'])}, { env: {}, stdio: 'inherit' })`;
    child = spawn('sh', ['-c', '"$0" -e "$1"; true', process.execPath, inner], { env: { XDG_STATE_HOME: '/tmp/state-one' }, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    await once(child.stdout!, 'data');
    const { extensionMs } = await processorTimes('/tmp/state-one');
    process.kill(-child.pid!, 'SIGKILL');
    expect(extensionMs).toBeGreaterThanOrEqual(BUSY_MS);
  });

  it('counts no other process of the browser', async () => {
    await start('/tmp/state-one', '--type=renderer', '/opt/firstscreen-helper.mjs');
    const { allMs, ...parts } = await processorTimes('/tmp/state-one');
    expect(parts).toEqual({ helperMs: null, extensionMs: null });
    expect(allMs, 'but for the whole').toBeGreaterThanOrEqual(BUSY_MS);
  });
});

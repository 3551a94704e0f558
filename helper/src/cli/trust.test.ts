import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { authorityPaths, readAuthority, trustDirectory } from '../trust/authority.ts';
import { findCertutil, parseList } from '../trust/certutil.ts';
import { examine } from './doctor.ts';
import { planInstall } from './install.ts';
import type { Machine } from './machine.ts';
import { parseOptions } from './options.ts';
import { runCli } from './runCli.ts';
import { applySteps } from './steps.ts';
import { planTrust } from './trust.ts';
import { checkTrust } from './trustCheck.ts';
import { planUninstall } from './uninstall.ts';
import { planUntrust } from './untrust.ts';

const CERTUTIL = findCertutil(process.env);
const OWNER = { host: 'machine', user: 'user' };
const NICKNAME = 'Firstscreen on machine, of user';
const DAY_MS = 86_400_000;

it('reads what certutil lists', () => {
  const head = '\nCertificate Nickname                                         Trust Attributes\n                                                             SSL,S/MIME,JAR/XPI\n\n';
  expect(parseList(`${head}${NICKNAME}                              C,,  \nA, b                   ,,   \nmy key                                      u,u,u\n`)).toEqual([
    { nickname: NICKNAME, flags: 'C,,' },
    { nickname: 'A, b', flags: ',,' },
    { nickname: 'my key', flags: 'u,u,u' },
  ]);
});

describe.skipIf(CERTUTIL === null)('trust and untrust (needs certutil)', () => {
  let base: TemporaryMachine;
  let machine: Machine;
  beforeEach(() => {
    base = temporaryMachine('linux');
    machine = { ...base, env: { PATH: dirname(CERTUTIL ?? '') } };
  });

  const contains = (text: string) => expect.stringContaining(text) as string;
  const certutil = (...args: string[]): string => execFileSync(CERTUTIL ?? '', args, { encoding: 'utf8', stdio: 'pipe' });
  const listed = (store: string) => parseList(certutil('-L', '-d', `sql:${store}`));
  const chromiumStore = () => join(machine.home, '.pki/nssdb');
  const trust = async (now = new Date()) => {
    const plan = await planTrust(machine, OWNER, now);
    applySteps(plan.steps);
    return plan;
  };
  const untrust = () => {
    const plan = planUntrust(machine);
    applySteps(plan.steps);
    return plan;
  };
  const paths = () => authorityPaths(trustDirectory(machine));
  /** Whether there is a good authority, and so many stores trust it. */
  const isTrusted = (stores: number): boolean => {
    const checks = checkTrust(machine, new Date());
    return checks.every(({ verdict }) => verdict === 'pass') && checks.filter(({ name }) => name === 'trust').length === stores;
  };

  /** A store with one certificate of somebody else. */
  function makeStore(directory: string, password?: string): string {
    mkdirSync(directory, { recursive: true });
    if (password === undefined) certutil('-N', '-d', `sql:${directory}`, '--empty-password');
    else {
      writeFileSync(join(machine.home, 'password'), password);
      certutil('-N', '-d', `sql:${directory}`, '-f', join(machine.home, 'password'));
    }
    return directory;
  }

  function makeFirefox(name: string, root = '.mozilla/firefox'): string {
    const list = join(machine.home, root, 'profiles.ini');
    const store = makeStore(join(machine.home, root, name));
    writeFileSync(list, `${existsSync(list) ? readFileSync(list, 'utf8') : '[General]\njunk\n'}\n[Profile${readdirSync(dirname(list)).length}]\nPath=${name}\n`);
    return store;
  }

  it('leave the machine as it was', async () => {
    const before = base.snapshot();
    await trust();
    expect(listed(chromiumStore())).toEqual([{ nickname: NICKNAME, flags: 'C,,' }]);
    untrust();
    expect(base.snapshot()).toEqual(before);
    expect(planUntrust(machine).steps).toEqual([]);
  });

  it('keep the key to the user, whatever the umask, and are done when they are done', async () => {
    const umask = process.umask(0);
    try {
      await trust();
    } finally {
      process.umask(umask);
    }
    const mode = (path: string) => base.snapshot()[path]?.slice(0, 3);
    expect([trustDirectory(machine), paths().key, paths().certificate, join(machine.home, '.pki')].map(mode)).toEqual(['700', '600', '600', '700']);
    expect(readAuthority(trustDirectory(machine), new Date())).not.toBeNull();
    expect((await planTrust(machine, OWNER, new Date())).steps).toEqual([]);
  });

  it('reach every store: Chromium, its Snap, its Flatpak, every profile of Firefox', async () => {
    const stores = [
      makeStore(chromiumStore()),
      makeStore(join(machine.home, 'snap/chromium/123/.pki/nssdb')),
      makeStore(join(machine.home, '.var/app/org.chromium.Chromium/data/pki/nssdb')),
      makeFirefox('one.default'),
      makeFirefox('two words.esr'),
      makeFirefox('three', 'snap/firefox/common/.mozilla/firefox'),
    ];
    cpSync(join(machine.home, 'snap/chromium/123'), join(machine.home, 'snap/chromium/current'), { recursive: true });
    stores.push(join(machine.home, 'snap/chromium/current/.pki/nssdb'));
    const other = makeStore(join(machine.home, 'no-browser/nssdb'));
    await trust();
    expect(stores.map(listed)).toEqual(stores.map(() => [{ nickname: NICKNAME, flags: 'C,,' }]));
    expect(isTrusted(stores.length)).toBe(true);
    expect(listed(other)).toEqual([]);
    untrust();
    expect(stores.map(listed)).toEqual(stores.map(() => []));
    expect(existsSync(trustDirectory(machine))).toBe(false);
  });

  it("leave others' certificates, and a store that was made for us but is used", async () => {
    await trust();
    const file = join(machine.home, 'other.pem');
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null', '-out', file, '-subj', '/CN=Other'], { stdio: 'pipe' });
    certutil('-A', '-d', `sql:${chromiumStore()}`, '-n', 'Other', '-t', 'C,,', '-a', '-i', file);
    untrust();
    expect(listed(chromiumStore())).toEqual([{ nickname: 'Other', flags: 'C,,' }]);
  });

  it('can each be interrupted after any step, and untrust then leaves nothing', async () => {
    makeFirefox('one.default');
    const before = base.snapshot();
    const { length } = (await planTrust(machine, OWNER, new Date())).steps;
    for (let done = 0; done <= length; done += 1) {
      applySteps((await planTrust(machine, OWNER, new Date())).steps.slice(0, done));
      applySteps(planUntrust(machine).steps.slice(0, done));
      untrust();
      // a database that was written to is another file, so what is in it counts; and the ordinary directories of a home may stay when trust died before it could note them
      const ordinary = ['.local', '.local/share'].map((place) => join(machine.home, place));
      const paths = (snapshot: Record<string, string>): string[] => Object.keys(snapshot).filter((path) => !ordinary.includes(path));
      expect(paths(base.snapshot()), `after ${done} steps`).toEqual(paths(before));
      expect(listed(join(machine.home, '.mozilla/firefox/one.default'))).toEqual([]);
    }
  });

  it('can be interrupted, and trust then goes on', async () => {
    const { steps } = await planTrust(machine, OWNER, new Date());
    for (let done = 1; done < steps.length; done += 1) {
      applySteps((await planTrust(machine, OWNER, new Date())).steps.slice(0, done));
      await trust();
      expect(isTrusted(1)).toBe(true);
      untrust();
    }
  });

  it('erase what a crash has left of the key', async () => {
    await trust();
    writeFileSync(`${paths().key}.123.tmp`, 'half a key');
    expect(planUntrust(machine).steps.slice(0, 2).map(({ path }) => path).sort()).toEqual([paths().key, `${paths().key}.123.tmp`]);
    untrust();
    expect(existsSync(trustDirectory(machine))).toBe(false);
  });

  it('reach profiles made since, also when the directory was removed by hand', async () => {
    await trust();
    const store = makeFirefox('new.default');
    expect((await trust()).steps.map(({ action }) => action)).toEqual(['write', 'addToStore']);
    const copy = makeFirefox('copy.default');
    cpSync(store, copy, { recursive: true });
    rmSync(trustDirectory(machine), { recursive: true });
    untrust();
    expect([store, copy].map(listed)).toEqual([[], []]);
  });

  it.each<[string, (paths: { key: string; certificate: string }) => void]>([
    ['others could read', ({ key }) => chmodSync(key, 0o644)],
    ['has lost its key', ({ key }) => rmSync(key)],
    ['has a broken certificate', ({ certificate }) => writeFileSync(certificate, 'junk')],
  ])('replace an authority that %s, in the stores too', async (_case, spoil) => {
    await trust();
    const old = readFileSync(paths().certificate, 'utf8');
    spoil(paths());
    expect(checkTrust(machine, new Date())).toMatchObject([{ verdict: 'warn', detail: expect.stringContaining('not used') as string }]);
    await trust();
    expect(readFileSync(paths().certificate, 'utf8')).not.toBe(old);
    expect(listed(chromiumStore())).toHaveLength(1);
    expect(isTrusted(1)).toBe(true);
  });

  it.each([[334, 0], [336, 4]])('renew an authority near its end (after %d days: %d steps)', async (days, steps) => {
    const now = new Date();
    await trust(now);
    expect((await planTrust(machine, OWNER, new Date(now.getTime() + days * DAY_MS))).steps).toHaveLength(steps);
  });

  it('tell of a store that has a password, reach the others, and leave nothing in it', async () => {
    makeStore(chromiumStore(), 'secret');
    const firefox = makeFirefox('one.default');
    await expect(trust()).rejects.toMatchObject({ code: 'E_TRUST_STORE', message: expect.stringContaining(chromiumStore()) as string, next: expect.stringContaining('password') as string });
    expect(listed(firefox)).toHaveLength(1);
    expect(parseList(certutil('-L', '-d', `sql:${chromiumStore()}`, '-f', '/dev/null'))).toEqual([]);
    untrust();
    expect(listed(firefox)).toEqual([]);
  });

  it('tell of a store that is broken, and untrust passes over one that we never wrote to', async () => {
    await trust();
    const broken = makeFirefox('broken');
    writeFileSync(join(broken, 'cert9.db'), 'no database');
    await expect(trust()).rejects.toMatchObject({ code: 'E_TRUST_STORE', message: expect.stringContaining(broken) as string });
    // it is in the receipt now: the key goes, and the rest stays until somebody has looked
    expect(() => untrust()).toThrow(expect.objectContaining({ code: 'E_TRUST_STORE' }) as Error);
    expect([existsSync(paths().key), existsSync(trustDirectory(machine))]).toEqual([false, true]);
    rmSync(broken, { recursive: true });
    untrust();
    writeFileSync(join(makeFirefox('other'), 'cert9.db'), 'no database');
    expect(planUntrust(machine).steps).toEqual([]);
  });

  it('pass over what a PATH and a profiles.ini may name and nobody can open', async () => {
    const firefox = makeFirefox('one.default');
    const list = join(machine.home, '.mozilla/firefox/profiles.ini');
    const closed = join(machine.home, 'closed');
    mkdirSync(closed, { mode: 0 });
    writeFileSync(list, `${readFileSync(list, 'utf8')}[Profile8]\nPath=${'x'.repeat(5000)}\n[Profile9]\nPath=${closed}/profile\n`);
    machine = { ...machine, env: { PATH: `${closed}:${'y'.repeat(5000)}:${machine.env['PATH'] ?? ''}` } };
    expect((await trust()).report.stores.map(({ directory }) => directory)).toEqual([chromiumStore(), firefox]);
    untrust();
    expect(listed(firefox)).toEqual([]);
    chmodSync(closed, 0o700);
  });

  it('are undone by uninstall, in whatever order things were made', async () => {
    const before = base.snapshot();
    const install = (): void => applySteps(planInstall(parseOptions(['install', '--browser', 'edge', '--browser', 'firefox']), machine, base.bundled).steps);
    const uninstall = (...args: string[]): void => applySteps(planUninstall(parseOptions(['uninstall', ...args]), machine).steps);
    install();
    await trust();
    uninstall('--browser', 'edge');
    expect(existsSync(paths().key)).toBe(true);
    uninstall();
    expect(base.snapshot()).toEqual(before);
    await trust();
    install();
    uninstall();
    expect(base.snapshot()).toEqual(before);
  });

  it('keep the helper where uninstall can not take back the trust', async () => {
    applySteps(planInstall(parseOptions(['install', '--browser', 'edge']), machine, base.bundled).steps);
    await trust();
    const plan = (env: Machine['env']) => planUninstall(parseOptions(['uninstall']), { ...machine, env });
    expect(() => plan({})).toThrow(expect.objectContaining({ code: 'E_CERTUTIL' }) as Error);
    writeFileSync(join(chromiumStore(), 'cert9.db'), 'no database');
    expect(() => applySteps(plan(machine.env).steps)).toThrow(expect.objectContaining({ code: 'E_TRUST_STORE' }) as Error);
    expect(existsSync(join(dirname(trustDirectory(machine)), 'firstscreen-helper'))).toBe(true);
  });

  it('show in status and doctor', async () => {
    applySteps(planInstall(parseOptions(['install', '--browser', 'edge']), machine, base.source).steps);
    const checks = async () => (await examine(parseOptions(['doctor']), machine)).filter(({ name }) => name === 'certificate authority' || name === 'trust');
    expect(await checks()).toMatchObject([{ name: 'certificate authority', verdict: 'pass', detail: contains('none') }]);
    await trust();
    expect(await checks()).toMatchObject([{ verdict: 'pass', detail: contains('good until') }, { name: 'trust', verdict: 'pass', detail: contains('Chromium trusts it') }]);
    makeFirefox('new');
    expect(await checks()).toMatchObject([{ verdict: 'pass' }, { verdict: 'pass' }, { name: 'trust', verdict: 'warn', detail: expect.stringContaining('Firefox does not trust') as string }]);
    rmSync(trustDirectory(machine), { recursive: true });
    expect(await checks()).toMatchObject([{ verdict: 'warn', detail: expect.stringContaining(chromiumStore()) as string }]);
  });

  describe('on the command line', () => {
    async function run(args: readonly string[], { typed, env = machine.env, platform = 'linux' }: { typed?: string; env?: Machine['env']; platform?: NodeJS.Platform } = {}): Promise<{ status: number; out: string; err: string }> {
      let [out, err] = ['', ''];
      const terminal = typed === undefined ? null : new PassThrough().end(typed);
      const status = await runCli(args, { platform, home: machine.home, env, program: base.source, terminal, print: (text) => (out += `${text}\n`), printError: (text) => (err += text) });
      return { status, out, err };
    }
    it('ask, and take nothing but yes for a yes', async () => {
      const before = base.snapshot();
      for (const typed of ['no\n', '\n', '', 'y\n']) expect(await run(['trust'], { typed })).toMatchObject({ status: 1, out: contains('Nothing was done.') });
      expect(base.snapshot()).toEqual(before);
      const { status, out } = await run(['trust'], { typed: 'yes\n' });
      expect(status).toBe(0);
      for (const said of [trustDirectory(machine), chromiumStore(), 'never-intercept.txt', `${base.source.entry} untrust`, 'bank', 'passwords included', 'revoked', 'Certificate Transparency', 'stopped to trust', 'a certificate of yours']) expect(out).toContain(said);
      expect(await run(['trust'])).toMatchObject({ status: 0, out: contains('Trusted already') });
      expect((await run(['status'])).out).toMatch(/certificate authority: .*good until[^]*Chromium trusts it in \//);
      expect(await run(['untrust'], { typed: 'yes\n' })).toMatchObject({ status: 0, out: contains('Taken back.') });
      expect(await run(['untrust'])).toMatchObject({ status: 0, out: contains('Nothing of Firstscreen is trusted here.') });
      expect((await run(['status'])).out).toContain('certificate authority: none');
      expect(base.snapshot()).toEqual(before);
    });

    it('want --yes where nobody can be asked, say every step with --dry-run, and speak JSON', async () => {
      const before = base.snapshot();
      expect(await run(['trust'])).toMatchObject({ status: 2, err: contains('--yes') });
      expect(await run(['trust', '--json'], { typed: 'yes\n' })).toMatchObject({ status: 2, err: contains('E_OPTION') });
      expect(await run(['trust', '--dry-run'])).toMatchObject({ status: 0, out: contains(`write ${paths().key}`) });
      expect(base.snapshot()).toEqual(before);
      const { out } = await run(['trust', '--yes', '--json']);
      expect(JSON.parse(out)).toMatchObject({ dryRun: false, stores: [{ browser: 'Chromium', directory: chromiumStore() }] });
      expect(out).not.toContain('PRIVATE KEY');
      expect(await run(['untrust', '--dry-run'])).toMatchObject({ status: 0, out: contains(`from the store ${chromiumStore()}`) });
      expect(JSON.parse((await run(['untrust', '--yes', '--json'])).out)).toMatchObject({ stores: [chromiumStore()] });
      expect(base.snapshot()).toEqual(before);
    });

    it('say what is missing: certutil, or a system that we know', async () => {
      expect(await run(['trust', '--yes'], { env: { PATH: '' } })).toMatchObject({ status: 1, err: contains('apt-get install libnss3-tools') });
      expect(await run(['trust', '--yes'], { platform: 'darwin' })).toMatchObject({ status: 1, err: contains('E_PLATFORM') });
      expect(await run(['untrust', '--yes'], { platform: 'darwin' })).toMatchObject({ status: 0 });
      expect(readdirSync(machine.home)).toEqual([]);
    });
  });
});

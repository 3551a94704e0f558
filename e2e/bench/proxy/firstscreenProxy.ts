/**
 * Our proxy as a process of its own: `firstscreenProxy ROOT PARTS_OFF SPOOL_DIRECTORY`, ROOT being that of the compiled sources. Tells `{"port", "username", "password"}` on stdout; ends with its stdin.
 *
 * The one place in e2e/ that runs a module of the helper, by a path made when it runs: the proxy starts by ProxyService alone until the extension uses it; then what
 * is in dist/ can be started instead.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What is used of helper/src/proxy/proxyService.ts. */
interface ProxyServiceModule {
  readonly ProxyService: {
    start(options: {
      parts: unknown;
      isPublic: () => boolean;
      ranks: unknown;
      expected: (url: string) => unknown;
      addressOf: (host: string) => string | null;
      linkChanged: () => void;
      doesPay: () => boolean;
      leave: (host: string) => Promise<boolean>;
      spoolDirectory: string;
      trust: null;
      log: (entry: { readonly level: string; readonly message: string }) => void;
    }): Promise<{ readonly port: number; readonly credentials: { readonly username: string; readonly password: string } }>;
  };
}
interface PartsModule {
  readonly partsWithout: (list: string) => unknown;
}
interface ObjectRanksModule {
  readonly ObjectRanks: new () => unknown;
}

const [root = '', partsOff = '', spoolDirectory = ''] = process.argv.slice(2);
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(root, 'helper/src/proxy', path)).href);
const { ProxyService } = (await load('proxyService.js')) as ProxyServiceModule;
const { partsWithout } = (await load('../parts.js')) as PartsModule;
const { ObjectRanks } = (await load('../prediction/objectRanks.js')) as ObjectRanksModule;

const { port, credentials } = await ProxyService.start({
  parts: partsWithout(partsOff),
  isPublic: () => true,
  ranks: new ObjectRanks(),
  expected: () => ({ objects: [], origins: [], document: { bytes: 0, setsCookies: false } }),
  addressOf: () => null,
  linkChanged: () => undefined,
  doesPay: () => true,
  leave: () => Promise.resolve(false),
  spoolDirectory,
  // http: and tunnels; nothing is intercepted
  trust: null,
  log: ({ level, message }) => {
    if (level === 'warn' || level === 'error') process.stderr.write(`${level}: ${message}\n`);
  },
});
process.stdout.write(`${JSON.stringify({ port, ...credentials })}\n`);
process.stdin.on('end', () => process.exit()).resume();

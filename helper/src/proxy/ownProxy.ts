import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readOrNothing } from '../../../shared/src/node/readOrNothing.ts';
import { xdgDirectory, type Account } from '../userDirectories.ts';

/** Names that browsers and tools on Unix read (curl's manual page, "ENVIRONMENT"; Chromium reads the lower-case ones). */
const VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy', 'auto_proxy'];
const COMMAND_LIMIT_MS = 1_000;
/** The kinds of KDE's proxy settings (KIO, KProtocolManager::ProxyType): 0 is none. */
const [MANUAL, PAC_SCRIPT, WPAD, BY_ENVIRONMENT] = ['1', '2', '3', '4'];

/**
 * Whether the browser's system settings have a proxy, or have it looked for (WPAD): who has one may be allowed no other way, so the helper must not go past it.
 *
 * @param limitMs that a command may take
 * @returns where it is set, in words without its address; null when there is none to be found
 */
export async function ownProxy(account: Account, limitMs = COMMAND_LIMIT_MS): Promise<string | null> {
  const { platform, env } = account;
  const variable = Object.keys(env).find((name) => VARIABLES.includes(name.toLowerCase()) && env[name] !== '');
  if (variable !== undefined) return `the environment's ${variable}`;
  if (platform === 'darwin') return /(?:HTTP|HTTPS|SOCKS|ProxyAutoConfig|ProxyAutoDiscovery)Enable : 1/.test(await outputOf('scutil', ['--proxy'], env, limitMs)) ? 'the network settings' : null;
  if (hasKdeProxy(account)) return "the desktop's network settings";
  const mode = await outputOf('gsettings', ['get', 'org.gnome.system.proxy', 'mode'], env, limitMs);
  return mode.includes('manual') || mode.includes('auto') ? "the desktop's network settings" : null;
}

/** Empty where the command is not there: then there are no such settings either. */
async function outputOf(command: string, args: readonly string[], env: Account['env'], limitMs: number): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { timeout: limitMs, env })).stdout;
  } catch {
    return '';
  }
}

/**
 * Whether KDE's settings have a proxy, or look for one by themselves (WPAD). Chromium reads the same files, and only in
 * KDE's sessions (net/proxy_resolution/proxy_config_service_linux.cc): the user's, and the administrator's.
 */
function hasKdeProxy(account: Account): boolean {
  const { env } = account;
  const isKde = env['KDE_FULL_SESSION'] !== undefined || /\bKDE\b/.test(env['XDG_CURRENT_DESKTOP'] ?? '');
  const directories = [xdgDirectory('CONFIG', account), ...(env['XDG_CONFIG_DIRS'] || '/etc/xdg').split(':')];
  return isKde && directories.some((directory) => namesProxy(readOrNothing(join(directory, 'kioslaverc')), env));
}

/** @param text an INI file; with kind 4 its keys name variables of the environment */
export function namesProxy(text: string, env: Account['env']): boolean {
  const settings = new Map<string, string>();
  let isProxySection = false;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[(.*)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) isProxySection = section === 'Proxy Settings';
    // a mark behind the key, as in "ProxyType[$i]", locks it
    const [, key = '', value = ''] = /^\s*(\w+)(?:\[\$\w+\])?\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isProxySection && key !== '') settings.set(key, value);
  }
  const kind = settings.get('ProxyType') ?? '';
  if (kind !== BY_ENVIRONMENT) return [MANUAL, PAC_SCRIPT, WPAD].includes(kind);
  return ['httpProxy', 'httpsProxy', 'socksProxy'].some((key) => (env[settings.get(key) ?? ''] ?? '') !== '');
}

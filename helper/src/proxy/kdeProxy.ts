import { join } from 'node:path';
import { readOrNothing } from '../files.ts';

/** The kinds of KDE's proxy settings (KIO, KProtocolManager::ProxyType): 0 is none. */
const [MANUAL, PAC_SCRIPT, WPAD, BY_ENVIRONMENT] = ['1', '2', '3', '4'];
const FILE = 'kioslaverc';
const DEFAULT_CONFIG_DIRECTORIES = '/etc/xdg';

/**
 * Whether KDE's settings have a proxy, or look for one by themselves (WPAD). Chromium reads the same files (net/proxy_resolution/proxy_config_service_linux.cc), and only in KDE's sessions.
 */
export function hasKdeProxy(env: NodeJS.ProcessEnv): boolean {
  const isKde = env['KDE_FULL_SESSION'] !== undefined || /\bKDE\b/.test(env['XDG_CURRENT_DESKTOP'] ?? '');
  return isKde && settingsFiles(env).some((path) => namesProxy(readOrNothing(path), env));
}

/** Of the user, and of the administrator. */
function settingsFiles(env: NodeJS.ProcessEnv): string[] {
  const user = env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? '/', '.config');
  const system = (env['XDG_CONFIG_DIRS'] ?? DEFAULT_CONFIG_DIRECTORIES).split(':');
  return [user, ...system].filter((directory) => directory !== '').map((directory) => join(directory, FILE));
}

/** @param text an INI file; with kind 4 its keys name variables of the environment */
export function namesProxy(text: string, env: NodeJS.ProcessEnv): boolean {
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

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hasKdeProxy } from './kdeProxy.ts';

/** Names that browsers and tools on Unix read (curl's manual page, "ENVIRONMENT"; Chromium reads the lower-case ones). */
const VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy', 'auto_proxy'];
const COMMAND_LIMIT_MS = 1_000;

/**
 * Whether the browser's system settings have a proxy, or have it looked for (WPAD): who has one may be allowed no other way, so the helper must not go past it.
 *
 * @returns where it is set, in words without its address; null when there is none to be found
 */
export async function ownProxy(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Promise<string | null> {
  const variable = Object.keys(env).find((name) => VARIABLES.includes(name.toLowerCase()) && env[name] !== '');
  if (variable !== undefined) return `the environment's ${variable}`;
  if (platform === 'darwin') return /(?:HTTP|HTTPS|SOCKS|ProxyAutoConfig|ProxyAutoDiscovery)Enable : 1/.test(await outputOf('scutil', ['--proxy'], env)) ? 'the network settings' : null;
  if (hasKdeProxy(env)) return "the desktop's network settings";
  const mode = await outputOf('gsettings', ['get', 'org.gnome.system.proxy', 'mode'], env);
  return mode.includes('manual') || mode.includes('auto') ? "the desktop's network settings" : null;
}

/** Empty where the command is not there: then there are no such settings either. */
async function outputOf(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { timeout: COMMAND_LIMIT_MS, env })).stdout;
  } catch {
    return '';
  }
}

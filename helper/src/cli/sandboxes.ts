import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserFamily } from './browsers.ts';
import { pass, warn, type Check } from '../../../shared/src/check.ts';
import type { Machine } from './machine.ts';

/** A browser that sees neither our files nor other programs, by the directory that it makes in a home. */
interface Sandbox {
  readonly directory: string;
  readonly title: string;
  readonly family: BrowserFamily;
}

const SANDBOXES: readonly Sandbox[] = [
  { directory: 'snap/chromium', title: 'Chromium from Snap', family: 'chromium' },
  { directory: 'snap/brave', title: 'Brave from Snap', family: 'chromium' },
  { directory: 'snap/firefox', title: 'Firefox from Snap', family: 'firefox' },
  { directory: '.var/app/org.chromium.Chromium', title: 'Chromium from Flatpak', family: 'chromium' },
  { directory: '.var/app/com.google.Chrome', title: 'Chrome from Flatpak', family: 'chromium' },
  { directory: '.var/app/com.brave.Browser', title: 'Brave from Flatpak', family: 'chromium' },
  { directory: '.var/app/com.microsoft.Edge', title: 'Edge from Flatpak', family: 'chromium' },
  { directory: '.var/app/org.mozilla.firefox', title: 'Firefox from Flatpak', family: 'firefox' },
];

const NAME = 'sandbox';
const WITHOUT_IT = "Use the extension alone there, or the browser from its maker's or the distribution's package.";

/**
 * How each browser from Snap or Flatpak stands. Those of the Chromium family have no way out to a program of the
 * machine. Firefox asks the portal WebExtensions of the desktop to start it, where there is one; that asks the user, and
 * reads the manifests that Firefox itself would (firefox-source-docs.mozilla.org, "Native messaging for a
 * strictly-confined Firefox").
 */
export function checkSandboxes(machine: Machine): Check[] {
  const found = machine.platform === 'linux' ? SANDBOXES.filter(({ directory }) => existsSync(join(machine.home, directory))) : [];
  const portal = found.some(({ family }) => family === 'firefox') && hasPortal(machine);
  return found.map(({ title, family }) => {
    if (family === 'chromium') return warn(NAME, `${title} can not start the helper`, WITHOUT_IT);
    if (!portal) return warn(NAME, `${title} can start the helper only through the portal WebExtensions, which this desktop does not offer`, WITHOUT_IT);
    return pass(NAME, `${title} asks whether the helper may be started (portal WebExtensions). Where it does not, set widget.use-xdg-desktop-portal.native-messaging to 2 in about:config`);
  });
}

/** What `install` says of them. */
export function sandboxNotes(machine: Machine): string[] {
  return checkSandboxes(machine).map(({ detail, next }) => `${detail}.${next === null ? '' : ` ${next}`}`);
}

const PORTAL = ['--user', 'get-property', 'org.freedesktop.portal.Desktop', '/org/freedesktop/portal/desktop', 'org.freedesktop.portal.WebExtensions', 'version'];
const PORTAL_LIMIT_MS = 3_000;

/** Whether the desktop's portal has the part that starts native messaging hosts. Without busctl nobody can tell, and it counts as not there. */
function hasPortal({ env }: Machine): boolean {
  return spawnSync('busctl', PORTAL, { env: { ...env }, timeout: PORTAL_LIMIT_MS, stdio: 'ignore' }).status === 0;
}

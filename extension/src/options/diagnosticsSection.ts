import { NO_TAB } from '../messages/status.ts';
import { readSettings } from '../settings/settings.ts';
import { hasSiteAccess } from '../settings/siteAccess.ts';
import { readSites } from '../settings/siteStore.ts';
import { element, setText } from '../ui/elements.ts';
import { saveFile } from '../ui/saveFile.ts';
import { statusOf } from '../ui/status.ts';
import { ask } from './ask.ts';
import { diagnosticsText } from './diagnostics.ts';

const FILE_NAME = 'firstscreen-diagnostics.json';

export function setUpDiagnostics(): void {
  const details = element('diagnostics-details', HTMLDetailsElement);
  details.addEventListener('toggle', () => void (details.open && collect().then((text) => setText('diagnostics-text', text))));
  element('diagnostics-save', HTMLButtonElement).addEventListener('click', () => void collect().then((text) => saveFile(FILE_NAME, text)));
}

async function collect(): Promise<string> {
  const [settings, sites, hasAccess, status, facts] = await Promise.all([readSettings(), readSites(), hasSiteAccess(), statusOf(NO_TAB), ask({ type: 'facts' })]);
  return diagnosticsText({ extensionVersion: chrome.runtime.getManifest().version, userAgent: navigator.userAgent, settings, sites, hasAccess, status, facts, nowMs: Date.now() });
}

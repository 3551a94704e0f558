import { NO_TAB } from '../messages/status.ts';
import { readSettings, watchSettings } from '../settings/settings.ts';
import { readSites } from '../settings/siteStore.ts';
import { SettingSwitches } from '../ui/settingSwitches.ts';
import { statusOf, watchStatus } from '../ui/status.ts';
import { fillTexts } from '../ui/texts.ts';
import { fillCapabilities } from './capabilitiesSection.ts';
import { setUpDiagnostics } from './diagnosticsSection.ts';
import { setUpRemembered } from './rememberedSection.ts';
import { setUpRelay, showRelay } from './relaySection.ts';
import { setUpSites, showSites } from './sitesSection.ts';
import { setUpVisits, showComparing } from './visitsSection.ts';

/** Counts what is shown: what was looked up before the latest click, or look, is shown no more. */
let shown = 0;

fillTexts(document);
fillCapabilities(document.documentElement.lang);
const switches = new SettingSwitches(() => (shown += 1));
setUpRelay(() => (shown += 1));
setUpSites();
setUpRemembered();
setUpVisits();
setUpDiagnostics();
// the list of sites is stored beside the settings
watchSettings(() => void refresh());
watchStatus(() => void refresh());

async function refresh(): Promise<void> {
  const mine = ++shown;
  const [settings, sites, status] = await Promise.all([readSettings(), readSites(), statusOf(NO_TAB)]);
  if (mine !== shown) return;
  switches.show({ ...settings, status });
  await showRelay({ ...settings, status });
  showComparing(settings);
  showSites(sites);
  document.body.dataset['ready'] = '';
}

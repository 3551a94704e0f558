import { NO_TAB, type TabStatus } from '../messages/status.ts';
import { readSettings, watchSettings, type Settings } from '../settings/settings.ts';
import type { Sites } from '../settings/sites.ts';
import { readSites } from '../settings/siteStore.ts';
import { Lookups } from '../ui/lookups.ts';
import { SettingSwitches } from '../ui/settingSwitches.ts';
import { statusOf, watchStatus } from '../ui/status.ts';
import { fillTexts } from '../ui/texts.ts';
import { fillCapabilities } from './capabilitiesSection.ts';
import { setUpDiagnostics } from './diagnosticsSection.ts';
import { heedHelper, setUpRemembered } from './rememberedSection.ts';
import { setUpRelay, showRelay } from './relaySection.ts';
import { setUpSites, showSites } from './sitesSection.ts';
import { setUpVisits, showComparing } from './visitsSection.ts';

fillTexts(document);
fillCapabilities();
const lookups = new Lookups(lookUp, show);
const switched = (): void => lookups.outdate();
const switches = new SettingSwitches(switched);
setUpRelay(switched);
setUpSites(switched);
setUpRemembered();
setUpVisits(switched);
setUpDiagnostics();
// the list of sites is stored beside the settings
watchSettings(() => void lookups.refresh());
watchStatus(() => void lookups.refresh());

interface Facts {
  readonly settings: Settings;
  readonly sites: Sites;
  readonly status: TabStatus | null;
}

async function lookUp(): Promise<Facts> {
  const [settings, sites, status] = await Promise.all([readSettings(), readSites(), statusOf(NO_TAB)]);
  return { settings, sites, status };
}

async function show({ settings, sites, status }: Facts): Promise<void> {
  switches.show({ ...settings, status });
  await showRelay({ ...settings, status });
  showComparing(settings);
  showSites(sites);
  void heedHelper(status);
  document.body.dataset['ready'] = '';
}

import { NO_TAB } from '../messages/status.ts';
import { INSTALLATION } from '#platform/installation.ts';
import { readSettings, watchSettings } from '../settings/settings.ts';
import { hasSiteAccess, requestSiteAccess, watchSiteAccess } from '../settings/siteAccess.ts';
import { connectionsOption } from '../ui/capabilities.ts';
import { conditionsText } from '../ui/effectTexts.ts';
import { create, element, setText } from '../ui/elements.ts';
import { Lookups } from '../ui/lookups.ts';
import { setUpSwitch, showSwitch } from '../ui/settingSwitches.ts';
import { askBackground, statusOf, watchStatus } from '../ui/status.ts';
import { fillTexts, t } from '../ui/texts.ts';
import type { Machine } from './commands.ts';
import { mayTurn, newlyDone, STEP_NAMES, stepsOf, summaryOf, type SetUpNow, type Step, type StepName } from './steps.ts';
import { stepTexts } from './stepTexts.ts';
import { StepView } from './stepView.ts';

/** A browser tells nobody that a helper or a driver was installed, and whoever has just run a command waits for its effect. */
const LOOK_MS = 3_000;
/** What was said stands over the page so long; the steps themselves go on saying it. */
const SAID_MS = 8_000;

fillTexts(document);
const texts = stepTexts(INSTALLATION);
const machine = readMachine();
const allowButton = create('button', { id: 'allow', type: 'button', className: 'primary', textContent: t('welcomeAllow') });
const connectionsInput = create('input', { id: 'connections', type: 'checkbox', role: 'switch' });
const views = makeViews();
const lookups = new Lookups(lookUp, show);

/** As they are shown. */
let steps: readonly Step[] = [];
let looking: ReturnType<typeof setTimeout> | undefined;
let saying: ReturnType<typeof setTimeout> | undefined;

setText('conditions', conditionsText());
// within the click, or the browser refuses to ask
allowButton.addEventListener('click', () => void requestSiteAccess());
setUpSwitch(connectionsInput, () => lookups.outdate());
watchSettings(() => void lookups.refresh());
watchSiteAccess(() => void lookups.refresh());
watchStatus(() => void lookups.refresh());
document.addEventListener('visibilitychange', () => void follow());
void follow();

function makeViews(): Readonly<Record<StepName, StepView>> {
  connectionsInput.setAttribute('aria-describedby', 'connections-text');
  allowButton.setAttribute('aria-describedby', 'access-text');
  const toggle = create('p', { className: 'switch' }, connectionsInput, create('label', { htmlFor: connectionsInput.id, textContent: t('capabilityConnections') }));
  const controls: Partial<Readonly<Record<StepName, readonly HTMLElement[]>>> = { access: [allowButton], connections: [toggle] };
  const made = STEP_NAMES.map((name) => [name, new StepView(name, texts[name], controls[name] ?? [], say)] as const);
  element('steps', HTMLElement).append(...made.map(([, view]) => view.element));
  return Object.fromEntries(made) as Record<StepName, StepView>;
}

async function readMachine(): Promise<Machine> {
  const { os, arch } = await chrome.runtime.getPlatformInfo();
  return { os, arch, version: chrome.runtime.getManifest().version };
}

async function lookUp(): Promise<SetUpNow> {
  const [settings, hasAccess, status, ofMachine] = await Promise.all([readSettings(), hasSiteAccess(), statusOf(NO_TAB), machine]);
  return { ...settings, hasAccess, status, machine: ofMachine };
}

function show(now: SetUpNow): void {
  const { hasAccess } = now;
  const before = steps;
  steps = stepsOf(now);
  for (const step of steps) views[step.name].show(step);
  showSwitch(connectionsInput, connectionsOption(now));
  if (hasAccess && document.activeElement === allowButton) views.access.heading.focus();
  allowButton.hidden = hasAccess;
  setText('summary', summaryOf(steps, INSTALLATION));
  const done = newlyDone(before, steps);
  if (done.length > 0) say(t('welcomeTurnedGreen', done.map((name) => texts[name].title).join(', ')));
  document.body.dataset['ready'] = '';
}

/** To screen readers, and beside what is shown. */
function say(text: string): void {
  clearTimeout(saying);
  setText('said', text);
  saying = setTimeout(() => setText('said', ''), SAID_MS);
}

/** As long as somebody sees the page and something may turn green; also at once when he comes back to it, as from a terminal. */
async function follow(): Promise<void> {
  clearTimeout(looking);
  if (document.hidden) return;
  if (mayTurn(steps)) {
    await askBackground<null>({ type: 'look' });
    await lookups.refresh();
  }
  // who has come back meanwhile has begun to follow, too
  clearTimeout(looking);
  looking = setTimeout(() => void follow(), LOOK_MS);
}

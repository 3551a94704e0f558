import { forgetTimes } from '../settings/firstScreenTimes.ts';
import { storedHistory, summaryOf, type VisitHistory } from '../settings/history.ts';
import { hostOf, storedMeasured } from '../settings/measuredPages.ts';
import type { Settings } from '../settings/settings.ts';
import { create, element } from '../ui/elements.ts';
import { keepFocus } from '../ui/keepFocus.ts';
import { KeyedList, type Row } from '../ui/keyedList.ts';
import { setUpSwitch } from '../ui/settingSwitches.ts';
import { t } from '../ui/texts.ts';
import { visitsText } from '../ui/visitsText.ts';

/** What is kept of a site. */
interface KeptSite {
  readonly host: string;
  readonly history: VisitHistory;
  /** Results of its pages. */
  readonly measured: number;
}

const compare = element('compareVisits', HTMLInputElement);
const forgetAllButton = element('visits-forget', HTMLButtonElement);
const list = new KeyedList(element('visits', HTMLElement), ({ host }) => host, rowOf);

/** @param switched called at each click: what was looked up before it is not to be shown any more */
export function setUpVisits(switched: () => void): void {
  setUpSwitch(compare, switched);
  forgetAllButton.addEventListener('click', () => void forgetTimes(null));
  storedHistory.watch(() => void showVisits());
  storedMeasured.watch(() => void showVisits());
  void showVisits();
}

export function showComparing({ compareVisits }: Settings): void {
  compare.checked = compareVisits;
}

async function showVisits(): Promise<void> {
  const [history, pages] = await Promise.all([storedHistory.read(), storedMeasured.read()]);
  const hosts = new Set([...history.map(({ host }) => host).toReversed(), ...pages.map(hostOf).toReversed()]);
  // what was visited last is looked for first
  list.show([...hosts].map((host) => ({ host, history, measured: pages.filter((page) => hostOf(page) === host).length })), compare);
  const focused = document.activeElement;
  element('visits-none', HTMLElement).hidden = hosts.size > 0;
  forgetAllButton.hidden = hosts.size === 0;
  keepFocus(focused, [compare]);
}

function rowOf({ host }: KeptSite): Row<KeptSite> {
  const known = create('p', {});
  const button = create('button', { type: 'button', textContent: t('rememberedForget'), ariaLabel: t('rememberedForgetOf', host) });
  button.addEventListener('click', () => void forgetTimes(new Set([host])));
  return {
    element: create('li', { className: 'row' }, create('strong', { textContent: host }), known, button),
    show({ history, measured }) {
      known.textContent = visitsText(summaryOf(history, host), measured);
    },
    focused: button,
  };
}

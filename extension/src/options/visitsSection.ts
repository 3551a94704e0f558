import { changeHistory, forgetSite, readHistory, summaryOf, watchHistory, type SiteHistory } from '../settings/history.ts';
import { writeSettings, type Settings } from '../settings/settings.ts';
import { create, element } from '../ui/elements.ts';
import { KeyedList, type Row } from '../ui/keyedList.ts';
import { Numbers } from '../ui/numbers.ts';
import { t } from '../ui/texts.ts';
import { visitsText } from '../ui/visitsText.ts';

const compare = element('compareVisits', HTMLInputElement);
const forgetAllButton = element('visits-forget', HTMLButtonElement);
const list = new KeyedList(element('visits', HTMLElement), ({ host }) => host, rowOf);

export function setUpVisits(): void {
  compare.addEventListener('change', () => void writeSettings({ compareVisits: compare.checked }));
  forgetAllButton.addEventListener('click', () => void changeHistory(() => []));
  watchHistory(() => void showVisits());
  void showVisits();
}

export function showComparing({ compareVisits }: Settings): void {
  compare.checked = compareVisits;
}

async function showVisits(): Promise<void> {
  const history = await readHistory();
  // what was visited last is looked for first
  list.show(history.toReversed(), compare);
  element('visits-none', HTMLElement).hidden = history.length > 0;
  forgetAllButton.hidden = history.length === 0;
}

function rowOf({ host }: SiteHistory): Row<SiteHistory> {
  const known = create('p', {});
  const button = create('button', { type: 'button', textContent: t('rememberedForget'), ariaLabel: t('rememberedForgetOf', host) });
  button.addEventListener('click', () => void changeHistory((history) => forgetSite(history, host)));
  return {
    element: create('li', { className: 'row' }, create('strong', { textContent: host }), known, button),
    show(now) {
      known.textContent = visitsText(summaryOf([now], host), new Numbers(document.documentElement.lang));
    },
    focused: button,
  };
}

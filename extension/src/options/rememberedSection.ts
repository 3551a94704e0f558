import type { RememberedSite } from '../messages/optionsPage.ts';
import type { TabStatus } from '../messages/status.ts';
import { giveUpHistoryAccess, hasHistoryAccess, mayHaveHistoryAccess, requestHistoryAccess, watchHistoryAccess } from '../settings/historyAccess.ts';
import { create, element, setText } from '../ui/elements.ts';
import { withHelperPath } from '../ui/helperProgram.ts';
import { keepFocus } from '../ui/keepFocus.ts';
import { KeyedList, type Row } from '../ui/keyedList.ts';
import { refuseLocked, showSwitch } from '../ui/settingSwitches.ts';
import { t } from '../ui/texts.ts';
import { ask } from './ask.ts';
import { rememberedState, rememberedText } from './remembered.ts';

const history = element('history', HTMLInputElement);
const dialog = element('forget-dialog', HTMLDialogElement);
const lookButton = element('remembered-look', HTMLButtonElement);
const forgetAllButton = element('forget-all', HTMLButtonElement);
const list = new KeyedList(element('remembered', HTMLElement), ({ site }) => site, rowOf);

/** As it stood when it was asked last; undefined before. */
let helper: TabStatus['helper'] | null | undefined;

export function setUpRemembered(): void {
  lookButton.addEventListener('click', () => void look());
  forgetAllButton.addEventListener('click', () => {
    // who leaves it by Escape says nothing, and what was said before would stay
    dialog.returnValue = '';
    dialog.showModal();
  });
  dialog.addEventListener('close', () => void (dialog.returnValue === 'forget' && forget(null)));
  // within the click, or the browser refuses to ask
  history.addEventListener('change', () => void (history.checked ? requestHistoryAccess() : giveUpHistoryAccess()).catch(() => false).then(showHistoryAccess));
  history.addEventListener('click', refuseLocked);
  watchHistoryAccess(() => void showHistoryAccess());
  void showHistoryAccess();
}

/** A helper that has come has something to say, and one that has gone has nothing any more. */
export async function heedHelper(status: TabStatus | null): Promise<void> {
  const before = helper;
  helper = status?.helper ?? null;
  if (helper !== before) await look();
}

/** As the browser has it, whatever was clicked. */
async function showHistoryAccess(): Promise<void> {
  const isHere = await mayHaveHistoryAccess();
  showSwitch(history, { isOn: await hasHistoryAccess(), isLocked: !isHere });
  setText('history-note', isHere ? '' : t('rememberedFollowsNotHere'));
}

async function look(): Promise<void> {
  const remembered = await ask({ type: 'remembered' });
  const sites = remembered?.sites ?? [];
  list.show(sites, lookButton);
  const focused = document.activeElement;
  // networks may be remembered where no site is
  forgetAllButton.hidden = remembered === null;
  keepFocus(focused, [lookButton]);
  setText('remembered-state', rememberedState(remembered, helper ?? null));
}

function rowOf({ site }: RememberedSite): Row<RememberedSite> {
  const known = create('p', {});
  const button = create('button', { type: 'button', textContent: t('rememberedForget'), ariaLabel: t('rememberedForgetOf', site) });
  button.addEventListener('click', () => void forget(site));
  return {
    element: create('li', { className: 'row' }, create('strong', { textContent: site }), known, button),
    show(now) {
      known.textContent = rememberedText(now, document.documentElement.lang);
    },
    focused: button,
  };
}

async function forget(site: string | null): Promise<void> {
  const pages = await ask({ type: 'forget', site });
  setText('remembered-said', pages === null ? withHelperPath(t('rememberedFailed')) : t('rememberedForgotten', pages));
  await look();
}

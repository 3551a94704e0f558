import { codeOf } from '../../../shared/src/errors.ts';
import { authorityOf } from '../../../shared/src/names/authority.ts';
import { parseRelayLink } from '../../../shared/src/relay/relayLink.ts';
import { log } from '../background/log.ts';
import { requestDataConsent } from '../settings/dataConsent.ts';
import { readRelayLink, writeRelayLink } from '../settings/relayLink.ts';
import { writeSettings } from '../settings/settings.ts';
import { relayOption, type CapabilitiesNow } from '../ui/capabilities.ts';
import { element, setText } from '../ui/elements.ts';
import { setUpSwitch, showSwitch } from '../ui/settingSwitches.ts';
import { t } from '../ui/texts.ts';

const input = element('relay', HTMLInputElement);
const text = element('relay-link', HTMLInputElement);
const removeButton = element('relay-remove', HTMLButtonElement);

/** @param switched called at each click: what was looked up before it is not to be shown any more */
export function setUpRelay(switched: () => void): void {
  setUpSwitch(input, switched);
  element('relay-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    switched();
    void add();
  });
  removeButton.addEventListener('click', () => {
    text.focus();
    void writeSettings({ relay: false }).then(() => writeRelayLink(null)).then(() => setText('relay-said', t('relayRemoved')));
  });
}

export async function showRelay(now: CapabilitiesNow): Promise<void> {
  const link = await readRelayLink();
  const option = relayOption(now, link !== null);
  showSwitch(input, option);
  setText('relay-note', option.note);
  // never the token
  setText('relay-known', link === null ? '' : t('relayKnown', authorityOf(link), link.user));
  element('relay-known', HTMLElement).hidden = link === null;
  removeButton.hidden = link === null;
}

/** The browser takes the question for consent only inside the click, so nothing is waited for before it. */
async function add(): Promise<void> {
  try {
    const link = parseRelayLink(text.value);
    const mayHandOver = await requestDataConsent(input.id);
    await writeRelayLink(link);
    await writeSettings({ relay: mayHandOver });
    text.value = '';
    setText('relay-said', mayHandOver ? t('relayAdded') : '');
  } catch (error) {
    log('warn', 'options', codeOf(error), 'the link of a relay was not taken');
    setText('relay-said', codeOf(error) === 'E_RELAY_LINK' ? t('relayWrong') : t('errorUnexpected'));
  }
}

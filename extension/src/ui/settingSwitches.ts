import { requestDataConsent } from '../settings/dataConsent.ts';
import { writeSettings } from '../settings/settings.ts';
import { connectionsOption, nextPageOption, rememberOption, type CapabilitiesNow, type Option } from './capabilities.ts';
import { element, setText } from './elements.ts';

/** The switches of a page, each with its setting's name as id, those for the helper's work with a note (`NAME-note`). */
export class SettingSwitches {
  private readonly enabled = element('enabled', HTMLInputElement);
  private readonly remember = element('remember', HTMLInputElement);
  private readonly connections = element('connections', HTMLInputElement);
  private readonly nextPage = element('nextPage', HTMLInputElement);

  /** @param switched called at each click: what was looked up before it is not to be shown any more */
  constructor(switched: () => void) {
    for (const input of [this.enabled, this.remember, this.connections, this.nextPage]) {
      input.addEventListener('change', () => {
        switched();
        void decide(input);
      });
      input.addEventListener('click', refuseLocked);
    }
  }

  show(now: CapabilitiesNow): void {
    this.enabled.checked = now.enabled;
    showOption(this.remember, rememberOption(now));
    showOption(this.connections, connectionsOption(now));
    showOption(this.nextPage, nextPageOption(now));
  }
}

/** The browser takes the question for consent only inside the click, so nothing is waited for before it. */
async function decide(input: HTMLInputElement): Promise<void> {
  const isOn = input.checked;
  if (isOn && !(await requestDataConsent(input.id))) input.checked = false;
  else await writeSettings({ [input.id]: isOn });
}

/** Locked, not `disabled`: who comes by keyboard or screen reader can come to it, and hears why. */
function showOption(input: HTMLInputElement, { isOn, isLocked, note }: Option): void {
  input.checked = isOn;
  input.ariaDisabled = String(isLocked);
  setText(`${input.id}-note`, note);
}

function refuseLocked(event: Event): void {
  if (event.target instanceof HTMLInputElement && event.target.ariaDisabled === 'true') event.preventDefault();
}

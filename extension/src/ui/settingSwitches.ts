import { codeOf } from '../../../shared/src/errors.ts';
import { log } from '../background/log.ts';
import { requestDataConsent } from '../settings/dataConsent.ts';
import { writeSettings } from '../settings/settings.ts';
import { connectionsOption, dataSaverOption, nextPageOption, rememberOption, type CapabilitiesNow, type Option } from './capabilities.ts';
import { element, setText } from './elements.ts';

/** Those that say how they stand, by the name of their setting. */
const OPTIONS = { remember: rememberOption, connections: connectionsOption, nextPage: nextPageOption, dataSaver: dataSaverOption };

/** The switches of a page, each with its setting's name as id, all but the first with a note (`NAME-note`). A page need not have all. */
export class SettingSwitches {
  private readonly enabled = element('enabled', HTMLInputElement);
  private readonly options: readonly (readonly [HTMLInputElement, (now: CapabilitiesNow) => Option])[];

  /** @param switched called at each click: what was looked up before it is not to be shown any more */
  constructor(switched: () => void) {
    this.options = Object.entries(OPTIONS).flatMap(([name, option]) => (document.getElementById(name) === null ? [] : [[element(name, HTMLInputElement), option] as const]));
    for (const input of [this.enabled, ...this.options.map(([option]) => option)]) setUpSwitch(input, switched);
  }

  show(now: CapabilitiesNow): void {
    this.enabled.checked = now.enabled;
    for (const [input, option] of this.options) showOption(input, option(now));
  }
}

/** Has a switch decide the setting that its id names. @param switched called at each click */
export function setUpSwitch(input: HTMLInputElement, switched = (): void => undefined): void {
  input.addEventListener('change', () => {
    switched();
    void decide(input);
  });
  input.addEventListener('click', refuseLocked);
}

/** Locked, not `disabled`: who comes by keyboard or screen reader can come to it, and hears why. */
export function showSwitch(input: HTMLInputElement, { isOn, isLocked }: Pick<Option, 'isOn' | 'isLocked'>): void {
  input.checked = isOn;
  input.ariaDisabled = String(isLocked);
}

/** The browser takes the question for consent only inside the click, so nothing is waited for before it. */
async function decide(input: HTMLInputElement): Promise<void> {
  const isOn = input.checked;
  try {
    if (isOn && !(await requestDataConsent(input.id))) input.checked = false;
    else await writeSettings({ [input.id]: isOn });
  } catch (error) {
    // as on a full disk: what is not stored holds for nobody
    log('warn', 'settings', codeOf(error), 'a switch was not stored');
    input.checked = !isOn;
  }
}

function showOption(input: HTMLInputElement, option: Option): void {
  showSwitch(input, option);
  setText(`${input.id}-note`, option.note);
}

/** To be heard at each click on a switch that may be locked. */
export function refuseLocked(event: Event): void {
  if (event.target instanceof HTMLInputElement && event.target.ariaDisabled === 'true') event.preventDefault();
}

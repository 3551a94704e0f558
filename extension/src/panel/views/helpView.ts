import type { HelpState, LinkSample } from '../../messages/panel.ts';
import { t } from '../../ui/texts.ts';
import { relayedOf } from '../model/relayed.ts';
import { create } from '../../ui/elements.ts';
import { formatMs, formatRate } from '../../ui/format.ts';
import type { PanelState, View } from './panelState.ts';

/** What helps this page: gate, helper and driver, with what they count, and the link as it was seen. */
export class HelpView implements View {
  private readonly element: HTMLElement;
  private last: unknown[] = [];

  constructor(element: HTMLElement) {
    this.element = element;
  }

  update({ help, record, model, isCut }: PanelState): void {
    const link = record.links.at(-1) ?? null;
    const stops = model.requests.reduce((sum, { way }) => sum + (way?.stops.length ?? 0), 0);
    const [carried, foreseen] = [model.requests.filter(({ way }) => way !== null), model.requests.filter(({ isForeseen }) => isForeseen)];
    const unclaimed = foreseen.filter(({ way }) => way?.askedMs === null).length;
    const held = record.gate.filter(({ isHeld }) => isHeld).length;
    const relayed = relayedOf(model.requests, model.connections);
    const now = [help, link, stops, carried.length, relayed.tunnel, relayed.requests, foreseen.length, unclaimed, held, isCut];
    if (now.every((value, place) => value === this.last[place])) return;
    this.last = now;
    const list = create('dl', {});
    const say = (name: string, text: string): void => list.append(create('dt', {}, name), create('dd', {}, text));
    if (help !== null) say(t('panelHelp'), helpText(help));
    say(t('panelHeld'), String(held));
    say(t('panelCarried'), carried.length === 0 && help !== null && !help.canRecord ? t('panelNoRecord') : t('panelCarriedOf', carried.length, model.requests.length));
    if (relayed.tunnel + relayed.requests > 0) say(t('panelRelay'), t('panelRelayOf', relayed.tunnel, relayed.requests));
    say(t('panelForeseen'), t('panelForeseenOf', foreseen.length, unclaimed));
    say(t('panelStops'), String(stops));
    if (link !== null) say(t('panelLink'), linkText(link));
    if (isCut) say(t('panelCut'), t('panelCutWhy'));
    const driver = help?.driver ?? null;
    if (driver !== null) say(t('panelDriver'), [driver.text, driver.detail, driver.nextStep ?? '', ...driver.limits].filter((text) => text !== '').join('\n'));
    this.element.replaceChildren(list);
  }
}

function linkText({ isMeasured, rateBitsPerSecond, rttMs }: LinkSample): string {
  const [rate, rtt] = [formatRate(rateBitsPerSecond), formatMs(rttMs)];
  return isMeasured ? t('panelLinkMeasured', rate, rtt) : t('panelLinkAssumed', rate, rtt);
}

function helpText({ isHelping, helper, connections }: HelpState): string {
  if (connections === 'intercepted') return t('panelHelpIntercepted');
  if (connections === 'tunnel') return t('panelHelpTunnel');
  if (isHelping) return t('panelHelpGate');
  return helper === 'connected' ? t('panelHelpAside') : t('panelHelpNone');
}

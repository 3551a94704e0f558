import { create, element } from '../ui/elements.ts';
import { FAST_LINK } from '../ui/effects.ts';
import { conditionsText, effectTexts } from '../ui/effectTexts.ts';
import { t } from '../ui/texts.ts';

/** What each capability gains and costs: texts that stay. */
export function fillCapabilities(): void {
  const { firefox, policy, store, secondVisits, tunnel, interception, nextPage, dataSaver } = effectTexts();
  element('conditions', HTMLElement).textContent = conditionsText();
  for (const [name, texts] of Object.entries({ enabled: [firefox, policy, store], remember: [secondVisits], connections: [tunnel, interception], nextPage: [nextPage], dataSaver: [dataSaver] })) element(`${name}-effects`, HTMLElement).append(...texts.map((text) => create('li', { textContent: text })));
  element('enabled-price', HTMLElement).textContent = t('capabilityEnabledPrice', FAST_LINK.laterPagesMs);
  element('connections-price', HTMLElement).textContent = t('capabilityConnectionsPrice', FAST_LINK.firstPageMs, FAST_LINK.laterPagesMs);
}

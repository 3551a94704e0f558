import { BY_INTERCEPTION, BY_POLICY, BY_TUNNEL, DRIVER, FIREFOX, LINK, NEXT_PAGE, SECOND_VISITS, type Effect } from './effects.ts';
import { formatNumber, formatPercent } from './format.ts';
import { t } from './texts.ts';

/** What was measured, a sentence or two each: of the extension alone, by how it was installed, then of what it can use. */
export function effectTexts(): Readonly<Record<'firefox' | 'policy' | 'store' | 'secondVisits' | 'tunnel' | 'interception' | 'nextPage' | 'dataSaver' | 'driver', string>> {
  return {
    firefox: t('effectFirefox', ratioText(FIREFOX)),
    policy: t('effectByPolicy', ratioText(BY_POLICY)),
    store: t('effectStore'),
    secondVisits: t('effectSecondVisits', ratioText(SECOND_VISITS)),
    tunnel: t('effectTunnel', ratioText(BY_TUNNEL)),
    interception: t('effectInterception', ratioText(BY_INTERCEPTION)),
    nextPage: t('effectNextPage', NEXT_PAGE.withMs, NEXT_PAGE.withoutMs),
    dataSaver: t('effectDataSaver'),
    driver: t('effectDriver', DRIVER.lossPercent, formatPercent(DRIVER.ratio), formatPercent(DRIVER.interval[0]), formatPercent(DRIVER.interval[1]), DRIVER.exchanges),
  };
}

/** How all of it was measured. */
export function conditionsText(): string {
  return t('effectConditions', formatNumber(LINK.megabitsPerSecond, 1), LINK.rttMs);
}

function ratioText({ ratio, interval, pages, pairs, later }: Effect): string {
  const took = formatPercent(ratio);
  return interval === null ? t('effectRatio', took, pages, pairs, later) : t('effectRatioInterval', took, formatPercent(interval[0]), formatPercent(interval[1]), pages, pairs, later);
}

import { BY_INTERCEPTION, BY_POLICY, BY_TUNNEL, DRIVER, FIREFOX, LINK, NEXT_PAGE, SECOND_VISITS, type Effect } from './effects.ts';
import { t } from './texts.ts';

/** Numbers as a language writes them. */
export interface Formats {
  readonly percent: Intl.NumberFormat;
  readonly number: Intl.NumberFormat;
}

export function formatsOf(language: string): Formats {
  return { percent: new Intl.NumberFormat(language, { style: 'percent' }), number: new Intl.NumberFormat(language) };
}

/** What was measured, a sentence or two each: of the extension alone, by how it was installed, then of what it can use. */
export function effectTexts(formats: Formats): Readonly<Record<'firefox' | 'policy' | 'store' | 'secondVisits' | 'tunnel' | 'interception' | 'nextPage' | 'dataSaver' | 'driver', string>> {
  const { percent } = formats;
  return {
    firefox: t('effectFirefox', ratioText(FIREFOX, formats)),
    policy: t('effectByPolicy', ratioText(BY_POLICY, formats)),
    store: t('effectStore'),
    secondVisits: t('effectSecondVisits', ratioText(SECOND_VISITS, formats)),
    tunnel: t('effectTunnel', ratioText(BY_TUNNEL, formats)),
    interception: t('effectInterception', ratioText(BY_INTERCEPTION, formats)),
    nextPage: t('effectNextPage', NEXT_PAGE.withMs, NEXT_PAGE.withoutMs),
    dataSaver: t('effectDataSaver'),
    driver: t('effectDriver', DRIVER.lossPercent, percent.format(DRIVER.ratio), percent.format(DRIVER.interval[0]), percent.format(DRIVER.interval[1]), DRIVER.exchanges),
  };
}

/** How all of it was measured. */
export function conditionsText({ number }: Formats): string {
  return t('effectConditions', number.format(LINK.megabitsPerSecond), LINK.rttMs);
}

function ratioText({ ratio, interval, pages, pairs, later }: Effect, { percent }: Formats): string {
  const took = percent.format(ratio);
  return interval === null ? t('effectRatio', took, pages, pairs, later) : t('effectRatioInterval', took, percent.format(interval[0]), percent.format(interval[1]), pages, pairs, later);
}

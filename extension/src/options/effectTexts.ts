import { t } from '../ui/texts.ts';
import { BY_INTERCEPTION, BY_POLICY, BY_TUNNEL, FIREFOX, LINK, NEXT_PAGE, SECOND_VISITS, type Effect } from './effects.ts';

/** Numbers as a language writes them. */
export interface Formats {
  readonly percent: Intl.NumberFormat;
  readonly number: Intl.NumberFormat;
}

export function formatsOf(language: string): Formats {
  return { percent: new Intl.NumberFormat(language, { style: 'percent' }), number: new Intl.NumberFormat(language) };
}

/** What was measured of each capability, a sentence each, by the name of its setting. */
export function effectTexts(formats: Formats): Readonly<Record<'enabled' | 'remember' | 'connections' | 'nextPage' | 'dataSaver', readonly string[]>> {
  return {
    enabled: [t('effectFirefox', ratioText(FIREFOX, formats)), t('effectByPolicy', ratioText(BY_POLICY, formats)), t('effectStore')],
    remember: [t('effectSecondVisits', ratioText(SECOND_VISITS, formats))],
    connections: [t('effectTunnel', ratioText(BY_TUNNEL, formats)), t('effectInterception', ratioText(BY_INTERCEPTION, formats))],
    nextPage: [t('effectNextPage', NEXT_PAGE.withMs, NEXT_PAGE.withoutMs)],
    dataSaver: [t('effectDataSaver')],
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

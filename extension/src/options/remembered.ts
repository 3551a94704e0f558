import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import type { RememberedSite, RememberedSites } from '../messages/optionsPage.ts';
import type { TabStatus } from '../messages/status.ts';
import { withHelperPath } from '../ui/helperProgram.ts';
import { t } from '../ui/texts.ts';

/** What is known of a site's memory, for a person; the day is that of the helper's clock, so no time zone moves it. */
export function rememberedText({ pages, lastDay }: Pick<RememberedSite, 'pages' | 'lastDay'>, language: string): string {
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const visited = new Date(lastDay * DAY_MS);
  return Number.isNaN(visited.getTime()) ? t('rememberedPages', pages) : t('rememberedPagesAndDay', pages, day.format(visited));
}

/** What is to be said beside the list. @param remembered null where the helper gave no answer */
export function rememberedState(remembered: RememberedSites | null, helper: TabStatus['helper'] | null): string {
  if (remembered !== null) return remembered.sites.length === 0 ? t('rememberedNone') : remembered.more > 0 ? t('rememberedMore', remembered.more) : '';
  switch (helper) {
    case 'connected':
      return withHelperPath(t('rememberedUnknown'));
    case 'connecting':
      return t('helperSought');
    case 'notHere':
      return t('rememberedNotHere');
    case 'absent':
      return t('rememberedNoHelper');
    case null:
      return t('noteNoAnswer');
  }
}

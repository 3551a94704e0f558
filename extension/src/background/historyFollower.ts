import { codeOf } from '../../../shared/src/errors.ts';
import { watchHistoryAccess } from '../settings/historyAccess.ts';
import type { HelperLink } from './helperLink.ts';
import { log, logFailure } from './log.ts';
import { RemovedPages } from './removedPages.ts';

/** Of storage.local: the helper has not been told yet of something that was erased. Never of what. */
const OWED = 'historyOwed';
/** Of storage.session: this browser's history has been looked at. */
const LOOKED_AT = 'historyLookedAt';

/**
 * Forgets what the browser erases from its history, and has the helper forget it, once the user has given the permission
 * for it (docs/adr/0052). What was erased is kept in this worker's memory alone until the helper has answered: where that is
 * lost, everything is forgotten.
 */
export class HistoryFollower {
  private readonly helper: Pick<HelperLink, 'can' | 'ask'>;
  private readonly forgetVisits: (urls: readonly string[] | null) => Promise<void>;
  private readonly removed = new RemovedPages();
  /** Settles when it is known what was erased before this worker. */
  private begun: Promise<unknown> = Promise.resolve();
  private isTelling = false;

  /** @param forgetVisits of these pages what the extension itself has kept, of all with null */
  constructor(helper: Pick<HelperLink, 'can' | 'ask'>, forgetVisits: HistoryFollower['forgetVisits']) {
    this.helper = helper;
    this.forgetVisits = forgetVisits;
  }

  /** To be called at the top level: a worker that is woken by an erasure hears of it only then. */
  follow(): void {
    this.begin(() => this.recall());
    this.listen();
    watchHistoryAccess(() => this.listen());
  }

  /** The helper may be there now. Nothing waits for it. */
  async tell(): Promise<void> {
    if (this.isTelling) return;
    this.isTelling = true;
    try {
      await this.begun;
      while (this.helper.can('memoryList')) {
        const told = this.removed.take();
        if (told === null) return;
        if ((await this.helper.ask('historyRemoved', told)) === null) {
          this.removed.putBack(told);
          return;
        }
        if (this.removed.isEmpty) await chrome.storage.local.remove(OWED);
      }
    } catch (error) {
      log('warn', 'history', codeOf(error), 'it could not be noted that the helper has forgotten what was erased');
    } finally {
      this.isTelling = false;
    }
  }

  private listen(): void {
    // there is none without the permission
    const { history } = chrome as { readonly history?: typeof chrome.history };
    if (history === undefined || history.onVisitRemoved.hasListener(this.erased)) return;
    history.onVisitRemoved.addListener(this.erased);
    this.begin(() => this.lookAt(history));
    void this.tell();
  }

  private begin(learn: () => Promise<void>): void {
    this.begun = this.begun.then(learn).catch(logFailure('history', 'it is not known whether something was erased before'));
  }

  /** What is owed was erased while the user let it be followed, whatever has become of the permission. */
  private async recall(): Promise<void> {
    const { [OWED]: isOwed } = await chrome.storage.local.get(OWED);
    // which pages those were nobody knows any more
    if (isOwed === true) this.removed.addAll();
  }

  private async lookAt(history: typeof chrome.history): Promise<void> {
    const { [LOOKED_AT]: isLookedAt } = await chrome.storage.session.get(LOOKED_AT);
    if (isLookedAt === true) return;
    await chrome.storage.session.set({ [LOOKED_AT]: true });
    // a browser that erases all when it ends has no extension any more that could hear of it
    const pages = await history.search({ text: '', startTime: 0, maxResults: 1 });
    if (pages.length > 0) return;
    await this.forgetOwn(null);
    this.removed.addAll();
    await chrome.storage.local.set({ [OWED]: true });
  }

  private readonly erased = (erasure: chrome.history.RemovedResult): void => void this.note(erasure);

  private async forgetOwn(urls: readonly string[] | null): Promise<void> {
    await this.forgetVisits(urls).catch(logFailure('history', 'times of visits were not forgotten'));
  }

  private async note({ allHistory, urls = [] }: chrome.history.RemovedResult): Promise<void> {
    await this.forgetOwn(allHistory ? null : urls);
    // what an earlier worker has left must not be taken for this
    await this.begun;
    if (allHistory) this.removed.addAll();
    else this.removed.add(urls);
    if (this.removed.isEmpty) return;
    await chrome.storage.local.set({ [OWED]: true }).catch(logFailure('history', 'it could not be noted that something was erased'));
    await this.tell();
  }
}

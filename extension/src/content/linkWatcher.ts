import type { PointedLink } from '../../../shared/src/protocol/content.ts';
import { pointedLink, type LinkElement } from './pointedLink.ts';

/** A pointer that only passes over a link is gone by then. */
const PASSING_MS = 65;
/** Of a link that is pointed at for so long, most are followed. */
const RESTING_MS = 150;
const LISTENING = { capture: true, passive: true } as const;

/**
 * Says which link the pointer rests on, or presses. It only listens, on the window and outside the page's world, so the
 * page sees nothing of it; a finger that scrolls presses nothing.
 */
export class LinkWatcher {
  private readonly pointed: (link: PointedLink) => void;
  private listeners: AbortController | null = null;
  private link: LinkElement | null = null;
  private timers: readonly ReturnType<typeof setTimeout>[] = [];

  constructor(pointed: (link: PointedLink) => void) {
    this.pointed = pointed;
  }

  watch(isWatched: boolean): void {
    if (isWatched === (this.listeners !== null)) return;
    this.listeners?.abort();
    this.listeners = isWatched ? new AbortController() : null;
    this.rest(null);
    if (this.listeners === null) return;
    const listening = { ...LISTENING, signal: this.listeners.signal };
    window.addEventListener('pointerover', (event) => event.isTrusted && this.rest(linkOf(event)), listening);
    window.addEventListener('pointerout', (event) => event.isTrusted && event.relatedTarget === null && this.rest(null), listening);
    window.addEventListener('pointercancel', (event) => event.isTrusted && this.rest(null), listening);
    window.addEventListener('pointerdown', (event) => event.isTrusted && this.press(event), listening);
  }

  private rest(link: LinkElement | null): void {
    if (link !== null && link === this.link) return;
    for (const timer of this.timers) clearTimeout(timer);
    this.link = link;
    this.timers = link === null ? [] : [setTimeout(() => this.say(link, false), PASSING_MS), setTimeout(() => this.say(link, true), RESTING_MS)];
  }

  private press(event: PointerEvent): void {
    const link = linkOf(event);
    const isPlain = event.isPrimary && event.button === 0 && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    // a finger may be about to scroll
    if (link !== null && isPlain) this.say(link, event.pointerType !== 'touch');
  }

  private say(link: LinkElement, isLikely: boolean): void {
    const { href, target, rel, referrerPolicy } = link;
    const facts = { href, target, rel, referrerPolicy, isDownload: link.hasAttribute('download'), role: link.getAttribute('role') };
    const metas = document.querySelectorAll<HTMLMetaElement>('meta[name="referrer" i]');
    const page = { url: document.URL, referrerPolicies: [...metas].map(({ content }) => content), hasSpeculationRules: document.querySelector('script[type="speculationrules" i]') !== null };
    const said = pointedLink(facts, page, isLikely);
    if (said !== null) this.pointed(said);
  }
}

/** The link that an event is on, also in open shadow trees. */
function linkOf(event: Event): LinkElement | null {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement || target instanceof HTMLAreaElement);
  return link?.hasAttribute('href') === true ? link : null;
}

import { estimateImageBytes } from '../estimation/bytes.ts';
import type { ObjectSizes } from '../estimation/objectSizes.ts';
import { MAX_REPORTED_IMAGES } from '../protocol/content.ts';
import type { LayoutReport } from '../protocol/contentSchema.ts';
import { admit, type Candidate, type LinkLoad } from '../scheduling/admission.ts';
import { MAX_RANKED, RankClass, compareRanked, rankOf, type Rank } from '../scheduling/rank.ts';
import { MAX_TINY_PX, scrollDistance, type Rect } from './geometry.ts';
import type { Placement } from './placement.ts';
import { originOf } from './origin.ts';
import { remember } from './remembered.ts';

interface HeldImage {
  readonly url: string;
  /** Of the request among all that were made. */
  readonly order: number;
  /**
   * The number of the next look when it was held: a report of that look, or a later one, would have named its element.
   */
  readonly look: number;
  /** It was asked for when something was laid out already: by its element, which is there, or by a style. */
  readonly isLate: boolean;
}

export interface Release {
  readonly url: string;
  /** Expected size. */
  readonly bytes: number;
}

/** Where an image stands in the order of its document; what the helper is told of it. */
export interface ImageRank {
  readonly url: string;
  readonly rankClass: RankClass;
  /** Less is sooner, within the class. */
  readonly order: number;
  /** Of its box, in CSS pixels; null when that is not known. */
  readonly pixels: number | null;
}

const UNPLACED: Placement = { state: 'unplaced' };

/**
 * One document's images: where they stand, as its content script says, and which of them are held.
 *
 * An image is held from `hold` until `release` names it, and not again while that is remembered. URLs are without fragment.
 */
export class DocumentModel {
  private readonly placements = new Map<string, Placement>();
  private readonly held = new Map<string, HeldImage>();
  private readonly released = new Set<string>();
  private view: Rect | null = null;
  private isVisible = true;
  private isParsed = false;
  /** Of those held, by the data saver: those that the content script was asked to leave, and those that nobody can leave. */
  private readonly askedToLeave = new Set<string>();
  private readonly kept = new Set<string>();
  private readonly sizes: ObjectSizes;
  /** How often the content script was told to look. */
  looks = 0;
  /** The data saver: images farther from the view than this, in CSS pixels, are left; null without it. */
  leavesBeyondPx: number | null = null;

  /** @param sizes of the images seen lately, on whatever page */
  constructor(sizes: ObjectSizes) {
    this.sizes = sizes;
  }

  get heldCount(): number {
    return this.held.size;
  }

  get isLaidOut(): boolean {
    return this.view !== null;
  }

  /** @returns false when the image was held before */
  hold(url: string, order: number): boolean {
    if (this.held.has(url) || this.released.has(url)) return false;
    this.held.set(url, { url, order, look: this.looks + 1, isLate: this.isLaidOut });
    return true;
  }

  isHeld(url: string): boolean {
    return this.held.has(url);
  }

  /** Whether a held image has no place, and no look was asked for since it was held. */
  get wantsLook(): boolean {
    return [...this.held.values()].some(({ url, look }) => look > this.looks && !this.placements.has(url));
  }

  /** Takes what the content script sees. */
  layout({ view, isVisible, isParsed, look: looked, isWhole, images }: LayoutReport): void {
    this.view = view;
    [this.isVisible, this.isParsed] = [isVisible, isParsed];
    for (const { url, placement } of images) this.placements.set(url, placement);
    if (view === null) return;
    if (this.placements.size > MAX_RANKED && isVisible) this.forgetFarthest();
    // no element of the document names it; before the layout what is not parsed yet is asked for, too, and rarely after it.
    // A style draws with it elsewhere, or a script has asked for it ahead
    const unnamed: Placement = isWhole ? { state: 'undisplayed', near: view } : { state: 'styled' };
    const isAll = (isLate: boolean): boolean => isParsed || (isLate && this.leavesBeyondPx === null);
    for (const { url, look, isLate } of this.held.values()) if (isAll(isLate) && look <= looked && !this.placements.has(url)) this.placements.set(url, unnamed);
  }

  /** Whether the first screen waits for this image, as far as is known now. */
  isInView(url: string): boolean {
    return this.rank(url).rankClass === RankClass.inView;
  }

  /** Whether the first screen may wait for this image: it is in view, or its place is not known. */
  mayBeInView(url: string): boolean {
    return this.rank(url).rankClass <= RankClass.unplaced;
  }

  /** For the one decision of the gate. */
  candidate(url: string): Candidate {
    return { rankClass: this.rank(url).rankClass, origin: originOf(url), bytes: this.expectedBytes(url) };
  }

  /**
   * Whether an image has to wait for the data saver, whatever the link has to do: nobody knows yet where it stands, or it
   * is to be left.
   */
  mustWait(url: string): boolean {
    if (this.leavesBeyondPx === null || this.kept.has(url)) return false;
    return !this.isVisible || this.rank(url).rankClass === RankClass.unplaced || this.isFar(url, this.leavesBeyondPx);
  }

  /** The held images that the content script is to leave from now on; each is named once. */
  takeFar(): string[] {
    const beyondPx = this.leavesBeyondPx;
    if (beyondPx === null) return [];
    // of a document that nobody sees no place is known, and every element once it is parsed
    const mayLeave = (url: string): boolean => (this.isVisible ? this.isFar(url, beyondPx) : this.isParsed);
    const far = [...this.held.keys()].filter((url) => !this.askedToLeave.has(url) && mayLeave(url));
    for (const url of far) this.askedToLeave.add(url);
    return far;
  }

  /** These are not held any more: the gate let go, or their elements have given their requests up. @returns those that were */
  unhold(urls: readonly string[]): Release[] {
    // a content script may say one twice
    return this.markReleased([...new Set(urls)].filter((url) => this.held.has(url)).map((url) => ({ url, bytes: this.expectedBytes(url) })));
  }

  /** These can not be left. */
  keep(urls: readonly string[]): void {
    for (const url of urls) if (this.held.has(url)) this.kept.add(url);
  }

  /**
   * Releases what may go now, in order of rank.
   *
   * @param load null where nothing but the data saver keeps an image waiting
   */
  release(load: LinkLoad | null): Release[] {
    const inOrder = [...this.held.values()].filter(({ url }) => !this.mustWait(url)).map(({ url, order }) => ({ ...this.candidate(url), url, rank: this.rank(url), index: order })).sort(compareRanked);
    return this.markReleased(load === null ? inOrder : admit(inOrder, load, this.isLaidOut));
  }

  /** Releases everything in the order of asking; for when holding must end. */
  releaseAll(): Release[] {
    return this.markReleased([...this.held.values()].sort((a, b) => a.order - b.order).map(({ url }) => ({ url, bytes: this.expectedBytes(url) })));
  }

  /** Every image whose place is known, in no order. */
  ranks(): ImageRank[] {
    const screen = Math.max(1, this.view?.height ?? 1);
    return [...this.placements].map(([url, placement], index) => {
      const { rankClass, distance } = this.rank(url);
      // screens and not pixels: a scroll changes few ranks
      return { url, rankClass, order: rankClass === RankClass.offScreen ? Math.round(distance / screen) : index, pixels: pixelsOf(placement) };
    });
  }

  /** Not just those that are too many, so that it is rare. What comes by was told of and has come, mostly. */
  private forgetFarthest(): void {
    const inOrder = [...this.placements.keys()].map((url, index) => ({ url, index, rank: this.rank(url) })).sort(compareRanked);
    for (const { url } of inOrder.slice(MAX_REPORTED_IMAGES)) if (!this.held.has(url)) this.placements.delete(url);
  }

  private isFar(url: string, beyondPx: number): boolean {
    const placement = this.placements.get(url);
    return this.view !== null && placement?.state === 'placed' && !isTiny(placement.rect) && scrollDistance(placement.rect, this.view) > beyondPx;
  }

  private rank(url: string): Rank {
    if (!this.isVisible) return { rankClass: RankClass.undisplayed, distance: 0 };
    return rankOf({ placement: this.placements.get(url) ?? UNPLACED }, this.view);
  }

  private expectedBytes(url: string): number {
    return estimateImageBytes(url, pixelsOf(this.placements.get(url) ?? UNPLACED), this.sizes.expected(url));
  }

  private markReleased(images: readonly Release[]): Release[] {
    return images.map(({ url, bytes }) => {
      for (const urls of [this.held, this.askedToLeave, this.kept]) urls.delete(url);
      remember(this.released, url);
      return { url, bytes };
    });
  }
}

/** What is so small weighs nothing, and mostly counts visits. Without an extent it is an image whose size is not known yet. */
function isTiny({ width, height }: Rect): boolean {
  return width > 0 && height > 0 && width <= MAX_TINY_PX && height <= MAX_TINY_PX;
}

function pixelsOf(placement: Placement): number | null {
  return placement.state === 'placed' ? placement.rect.width * placement.rect.height : null;
}

import { expect } from 'vitest';
import type { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { OTHER_HOST, OWN_HOST, type Visit } from './server.ts';

/** In which the helper has written down what it was asked for. */
export const RECORDED_MS = 1_200;

/** Whether the page and all its images are there. Runs in the page, as text. */
export function isWhole(): boolean {
  return document.readyState === 'complete' && document.images.length > 0 && [...document.images].every(({ naturalWidth }) => naturalWidth > 0);
}

/** Resolves then. @param page of either driver of browsers */
export async function arrived(page: { waitForFunction(isThere: () => boolean): Promise<unknown> }): Promise<void> {
  await page.waitForFunction(isWhole);
}

/** What of a visit has gone by a helper. */
export async function carriedBy(helper: OwnNamesHelper, visit: Visit, hosts: readonly string[] = [OWN_HOST, OTHER_HOST]): Promise<string[]> {
  return (await helper.urls()).filter((url) => hosts.some((host) => url.startsWith(visit.url('/', host))));
}

/**
 * What has gone by a helper of a visit that has gone by it as a whole and is there, once the helper has written all of
 * it down: what it has foreseen is there before the browser's asking for it is.
 */
export async function carriedWhole(helper: OwnNamesHelper, visit: Visit): Promise<string[]> {
  const urls = visit.requests.map(({ name }) => visit.url(name.slice(name.indexOf('/')), name.slice(0, name.indexOf('/'))));
  await expect.poll(() => helper.asked()).toEqual(expect.arrayContaining(urls));
  return carriedBy(helper, visit);
}

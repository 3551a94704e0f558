import { MAIN_FRAME } from '../documentKey.ts';

/** The address of the page, of whatever frame of it a request is made; null where Firefox does not tell. */
export function pageOf({ type, url, frameId, documentUrl, frameAncestors }: Pick<FirefoxProxyRequest, 'type' | 'url' | 'frameId' | 'documentUrl' | 'frameAncestors'>): string | null {
  if (type === 'main_frame') return url;
  return (frameId === MAIN_FRAME ? documentUrl : frameAncestors?.at(-1)?.url) ?? null;
}

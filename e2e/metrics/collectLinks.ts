/** A link in view, and a point of the viewport (in CSS pixels) at which a press meets it. */
export interface PageLink {
  readonly url: string;
  readonly x: number;
  readonly y: number;
}

/**
 * Runs inside a document, in an isolated world: its links in view that open in the same tab, in the order of the document.
 *
 * The function is sent to the browser as text, so it must not refer to anything outside itself.
 */
export function collectLinks(): PageLink[] {
  const links: PageLink[] = [];
  for (const link of document.querySelectorAll('a[href]')) {
    if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download') || !['', '_self'].includes(link.target)) continue;
    const [box] = link.getClientRects();
    if (box === undefined) continue;
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    // Null out of the view; something else where another element lies on it.
    const hit = document.elementFromPoint(x, y);
    if (hit !== null && link.contains(hit)) links.push({ url: link.href, x, y });
  }
  return links;
}

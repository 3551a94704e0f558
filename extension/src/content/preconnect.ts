/**
 * Opens a connection to an origin that will be needed (Resource Hints). The link element is there for one moment: the browser acts
 * when it is inserted.
 *
 * @param isFor fonts of another origin are fetched without credentials, and so not over the connection that its style sheets came by
 */
export function preconnect(url: string, isFor: 'images' | 'fonts'): void {
  if (isFor === 'fonts' && url === origin) return;
  const link = document.createElement('link');
  link.rel = 'preconnect';
  link.href = url;
  if (isFor === 'fonts') link.crossOrigin = 'anonymous';
  // a document may have lost its root
  (document.documentElement as Element | null)?.append(link);
  link.remove();
}

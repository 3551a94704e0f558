/**
 * Opens a connection to an origin that will be needed (Resource Hints). The link element is there for one moment: the browser acts
 * when it is inserted.
 *
 * @param credentials images take the page's connections; fonts of another origin are fetched without credentials, and so over connections of their own
 *   (Fetch, "obtain a connection")
 */
export function preconnect(url: string, credentials: 'include' | 'omit'): void {
  const link = document.createElement('link');
  link.rel = 'preconnect';
  link.href = url;
  if (credentials === 'omit') link.crossOrigin = 'anonymous';
  // a document may have lost its root
  (document.documentElement as Element | null)?.append(link);
  link.remove();
}

/**
 * Opens a connection to an origin that will be needed (Resource Hints): a held request has none. The link element is
 * there for one moment: the browser acts when it is inserted.
 */
export function preconnect(url: string): void {
  const link = document.createElement('link');
  link.rel = 'preconnect';
  link.href = url;
  // a document may have lost its root
  (document.documentElement as Element | null)?.append(link);
  link.remove();
}

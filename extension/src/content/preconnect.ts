/**
 * Opens a connection to an origin that will be needed (Resource Hints). The link element is there for one moment: the browser acts
 * when it is inserted.
 */
export function preconnect(origin: string): void {
  const link = document.createElement('link');
  link.rel = 'preconnect';
  link.href = origin;
  document.documentElement.append(link);
  link.remove();
}

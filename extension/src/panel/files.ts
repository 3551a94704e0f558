/** Has the browser save a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  [link.href, link.download] = [url, name];
  link.click();
  // the browser has taken it by then
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name for the file of a load: the page's host and the moment, nothing of its path. */
export function fileNameOf(url: string | null, startMs: number, ending: string): string {
  const host = url !== null && URL.canParse(url) ? new URL(url).hostname : 'load';
  return `${host}-${new Date(startMs).toISOString().slice(0, 19).replaceAll(':', '')}.${ending}`;
}

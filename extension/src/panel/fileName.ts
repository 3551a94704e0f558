/** A name for the file of a load: the page's host and the moment, nothing of its path. */
export function fileNameOf(url: string | null, startMs: number, ending: string): string {
  const host = url !== null && URL.canParse(url) ? new URL(url).hostname : 'load';
  return `${host}-${new Date(startMs).toISOString().slice(0, 19).replaceAll(':', '')}.${ending}`;
}

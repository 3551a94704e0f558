/** Query strings of recorded pages hold what identified their visitors. */
export function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

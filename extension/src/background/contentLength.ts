/** What a server says of the length of a body; null where it does not. */
export function contentLength(headers: readonly chrome.webRequest.HttpHeader[] | undefined): number | null {
  const value = headers?.find(({ name }) => name.toLowerCase() === 'content-length')?.value;
  const bytes = Number(value);
  return value !== undefined && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
}

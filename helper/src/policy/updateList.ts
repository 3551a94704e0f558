/**
 * What Chromium asks for versions of an extension (developer.chrome.com, "Self-host for Linux").
 *
 * @param codebase where its package is: a URL
 */
export function updateListText(extensionId: string, version: string, codebase: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<gupdate xmlns="http://www.google.com/update2/response" protocol="2.0">
  <app appid="${extensionId}"><updatecheck codebase="${escaped(codebase)}" version="${version}"/></app>
</gupdate>
`;
}

/** In an attribute of XML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

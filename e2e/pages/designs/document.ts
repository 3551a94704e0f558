/** The frame of every document. */
export function htmlDocument(title: string, head: readonly string[], body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${head.join('\n')}
</head>
<body>
${body}
</body>
</html>
`;
}

/** Runs over a list one after the other: pictures are numbered in the order of the document. */
export async function inTurn<T>(list: readonly T[], write: (item: T, index: number) => Promise<string>): Promise<string> {
  let text = '';
  for (const [index, item] of list.entries()) text += await write(item, index);
  return text;
}

export function footer(name: string): string {
  const columns = [
    ['Sections', 'Region', 'Business', 'Culture', 'Sport'],
    ['About', 'The people', 'Contact', 'Work with us'],
    ['Service', 'Subscriptions', 'Delivery', 'Questions'],
    [name, 'Made for tests of web loading.', 'Everything on this page is invented.'],
  ];
  const list = (items: readonly string[]): string => items.map((item, index) => `<li>${index === 0 ? `<b>${item}</b>` : item}</li>`).join('');
  return `<footer><div class="wrap columns">${columns.map((items) => `<ul>${list(items)}</ul>`).join('')}</div></footer>`;
}

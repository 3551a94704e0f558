/** Icons of the sprite, in order: one cell each. */
export const ICONS = ['search', 'user', 'bag', 'heart', 'sun', 'menu', 'globe', 'chat', 'camera', 'star', 'clock', 'play'] as const;
export type Icon = (typeof ICONS)[number];

/** Cells are drawn twice as large as they are shown, for dense screens. */
export const ICON_CELL_PX = 24;
const DRAWN_CELL_PX = 48;

const STROKES: Readonly<Record<Icon, string>> = {
  search: '<circle cx="10.5" cy="10.5" r="6"/><path d="M15 15l5 5"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M4 20q0-7 8-7t8 7"/>',
  bag: '<path d="M5 8h14l1 12H4zM8.5 10V7a3.5 3.5 0 017 0v3"/>',
  heart: '<path d="M12 20S3 14.5 3 8.8A4.5 4.5 0 0112 7a4.5 4.5 0 019 1.8C21 14.5 12 20 12 20z"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2"/>',
  menu: '<path d="M3 6h18M3 12h18M3 18h18"/>',
  globe: '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3q5 4 5 9t-5 9q-5-4-5-9t5-9z"/>',
  chat: '<path d="M3 5h18v12H11l-5 4v-4H3z"/>',
  camera: '<path d="M3 8h4l2-3h6l2 3h4v12H3z"/><circle cx="12" cy="13.5" r="3.5"/>',
  star: '<path d="M12 3l2.7 5.8 6.3.8-4.6 4.3 1.2 6.3L12 17l-5.6 3.2 1.2-6.3L3 9.6l6.3-.8z"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l4 2"/>',
  play: '<circle cx="12" cy="12" r="9"/><path d="M10 8l6 4-6 4z"/>',
};

/** All icons in a row, dark above and light below, as one SVG to be rendered to the sprite. */
export function spriteSvg(dark: string, light: string): string {
  const row = (stroke: string, y: number): string =>
    ICONS.map((icon, index) => `<g transform="translate(${index * ICON_CELL_PX} ${y})" stroke="${stroke}">${STROKES[icon]}</g>`).join('');
  const width = ICONS.length * ICON_CELL_PX;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${ICONS.length * DRAWN_CELL_PX}" height="${2 * DRAWN_CELL_PX}" viewBox="0 0 ${width} ${2 * ICON_CELL_PX}"><g fill="none" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${row(dark, 0)}${row(light, ICON_CELL_PX)}</g></svg>`;
}

/** The rules that show a cell of the sprite. */
export function spriteCss(url: string): string {
  const size = `${ICONS.length * ICON_CELL_PX}px ${2 * ICON_CELL_PX}px`;
  const cells = ICONS.map((icon, index) => `.icon-${icon}{background-position:-${index * ICON_CELL_PX}px 0}`);
  const light = ICONS.map((icon, index) => `.on-dark .icon-${icon}{background-position:-${index * ICON_CELL_PX}px -${ICON_CELL_PX}px}`);
  return [
    `.icon{display:inline-block;width:${ICON_CELL_PX}px;height:${ICON_CELL_PX}px;background:url(${url}) 0 0/${size} no-repeat;vertical-align:middle}`,
    ...cells,
    ...light,
  ].join('\n');
}

/** A word mark. */
export function logoSvg(mark: string, background: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${background}"/><text x="32" y="46" font-family="Georgia,serif" font-size="40" font-weight="700" text-anchor="middle" fill="#fff">${mark}</text></svg>`;
}

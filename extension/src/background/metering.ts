/** Network Information API, as far as it says what data cost; Chromium's. */
interface Metering {
  readonly saveData?: boolean;
  readonly type?: string;
}

/** Whether data cost on the connection now, as far as the browser tells, or the user saves them. */
export function isLinkMetered(): boolean {
  const { saveData, type } = (navigator as { readonly connection?: Metering }).connection ?? {};
  return saveData === true || type === 'cellular';
}

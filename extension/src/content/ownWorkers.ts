/**
 * The workers that may answer for this document; undefined where it can have none: in what is no secure context, and in
 * a sandbox, where Chromium throws at whoever looks.
 */
export function ownWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

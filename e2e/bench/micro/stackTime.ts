/** What is used of a V8 CPU profile (DevTools protocol, Profiler.Profile). */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string; readonly url: string }; readonly children?: readonly number[] | undefined }[];
  readonly samples?: readonly number[] | undefined;
  readonly timeDeltas?: readonly number[] | undefined;
}

const US_PER_MS = 1000;

/** The time in which a function of a matching script was on the stack, with all that it called: DOM methods, forced style and layout, page code. */
export function timeOnStackMs(profile: CpuProfile, isOurs: (url: string) => boolean): number {
  const nodesById = new Map(profile.nodes.map((node) => [node.id, node]));
  const ours = new Set<number>();
  const markBelow = (id: number): void => {
    ours.add(id);
    for (const child of nodesById.get(id)?.children ?? []) markBelow(child);
  };
  for (const { id, callFrame } of profile.nodes) {
    if (isOurs(callFrame.url) && !ours.has(id)) markBelow(id);
  }
  let us = 0;
  // a sample lasts until the next one
  for (const [index, id] of (profile.samples ?? []).entries()) {
    if (ours.has(id)) us += profile.timeDeltas?.[index + 1] ?? 0;
  }
  return us / US_PER_MS;
}

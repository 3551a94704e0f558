/** The three values of Linux's tcp_rmem: least, at first, at most, in bytes (tcp(7)). Pure. */
function valuesOf(tcpRmem: string): [number, number, number] {
  const [least, first, most] = tcpRmem.trim().split(/\s+/).map(Number);
  if (least === undefined || first === undefined || most === undefined) throw new Error(`tcp_rmem "${tcpRmem}" has not three values`);
  return [least, first, most];
}

/** Up to where a connection's receive buffer grows. */
export function receiveBufferBound(tcpRmem: string): number {
  return valuesOf(tcpRmem)[2];
}

/** The same with another bound; what it is at first is no more than that. */
export function boundedReceiveBuffers(tcpRmem: string, bound: number): string {
  const [least, first] = valuesOf(tcpRmem);
  return `${Math.min(least, bound)} ${Math.min(first, bound)} ${bound}`;
}

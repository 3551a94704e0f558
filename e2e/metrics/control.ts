import { request } from 'node:http';

/** The answer of a control socket that is no success. `body` holds the coded error of the other side. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: string;
  readonly next: string;

  constructor(code: string, message: string, next: string) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

/** One JSON request over a unix socket. Rejects with ControlError for an answer that is no 2xx. */
export function controlRequest(socketPath: string, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const payload = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath, method, path, headers: { host: 'control', 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if (response.statusCode !== undefined && response.statusCode < 300) resolve(text === '' ? {} : JSON.parse(text));
          else reject(controlError(`${method} ${path}`, response.statusCode ?? 0, text));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

function controlError(what: string, status: number, text: string): ControlError {
  try {
    const { code, message, next } = JSON.parse(text) as Record<string, unknown>;
    if (typeof code === 'string') return new ControlError(code, String(message), typeof next === 'string' ? next : '');
  } catch {
    // No JSON: told with the text below.
  }
  return new ControlError('E_CONTROL', `${what} answered ${status}: ${text.slice(0, 200)}`, 'see the output of the test bed above');
}

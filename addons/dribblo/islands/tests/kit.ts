import { jest } from '@jest/globals';

/** What was sent: the parameters of a call, the fields of a form. */
export type Sent = Record<string, unknown>;

/** Throw it for what the server refuses. */
export class Refusal extends Error {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** Stands in for the server: answers calls and forms by path, and keeps what was sent. Without an answer it is not reached. */
export function serve(answers: Readonly<Record<string, (sent: Sent) => unknown>>): { path: string; sent: Sent }[] {
  const made: { path: string; sent: Sent }[] = [];
  globalThis.fetch = jest.fn(async (input: unknown, { body }: RequestInit = {}) => {
    const path = String(input);
    const isCall = typeof body === 'string';
    const sent = (
      isCall
        ? JSON.parse(body, (key, value) => (key === 'context' ? undefined : value)).params
        : Object.fromEntries(body as URLSearchParams)
    ) as Sent;
    made.push({ path, sent });
    const answer = answers[path];
    if (!answer) throw new TypeError('Failed to fetch');
    try {
      const result = answer(sent);
      return json(200, isCall ? { result } : { location: '#next', result });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message, fields } = error;
      const about = { code: 'refused', title: 'Refused', message, fields };
      return json(status, { error: isCall ? { code: 200, message, data: { fields } } : about });
    }
  }) as unknown as typeof fetch;
  return made;
}

function json(status: number, value: unknown): Response {
  return { ok: status < 400, status, statusText: '', json: async () => value } as Response;
}

/** jsdom opens no dialogs. */
export function openDialogs(): void {
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement, value = '') {
      this.open = false;
      this.returnValue = value;
      this.dispatchEvent(new Event('close'));
    },
  });
}

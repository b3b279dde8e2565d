import type { ServerResponse } from 'node:http';

/** The open pages of developers, each with a stream of events. */
export class OpenPages {
  readonly #pages = new Set<ServerResponse>();
  /** By event, what a page that is opened now is told first. */
  readonly #latest = new Map<string, string>();

  add(res: ServerResponse): void {
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    // A page asks again so many milliseconds after the server went away.
    res.write('retry: 150\n\n');
    for (const [event, data] of this.#latest) send(res, event, data);
    this.#pages.add(res);
    res.on('close', () => this.#pages.delete(res));
  }

  /** Tells all pages, also those that are opened later; an empty text is not repeated to them. */
  tell(event: 'generation' | 'problems', data: string): void {
    if (data === '') this.#latest.delete(event);
    else this.#latest.set(event, data);
    for (const page of this.#pages) if (data !== '') send(page, event, data);
  }

  /** Ends the streams. Servers wait for them. */
  close(): void {
    for (const page of this.#pages) page.end();
  }
}

function send(res: ServerResponse, event: string, data: string): void {
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  res.write(`event: ${event}\n${lines.join('')}\n`);
}

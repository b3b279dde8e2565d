import type { ServerResponse } from 'node:http';

/** Open pages of developers, each with an event stream. */
export class OpenPages {
  readonly #pages = new Set<ServerResponse>();
  /** Latest data by event, sent first to newly opened pages. */
  readonly #latest = new Map<string, string>();

  add(res: ServerResponse): void {
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    // Milliseconds until a page reconnects after the server went away.
    res.write('retry: 150\n\n');
    for (const [event, data] of this.#latest) send(res, event, data);
    this.#pages.add(res);
    res.on('close', () => this.#pages.delete(res));
  }

  /** Sends an event to all pages, including those opened later. Empty data only clears the event. */
  tell(event: 'generation' | 'problems', data: string): void {
    if (data === '') this.#latest.delete(event);
    else this.#latest.set(event, data);
    for (const page of this.#pages) if (data !== '') send(page, event, data);
  }

  /** Ends the streams, which would otherwise keep the server from closing. */
  close(): void {
    for (const page of this.#pages) page.end();
  }
}

function send(res: ServerResponse, event: string, data: string): void {
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  res.write(`event: ${event}\n${lines.join('')}\n`);
}

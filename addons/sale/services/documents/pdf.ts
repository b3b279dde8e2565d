import { Worker } from 'node:worker_threads';
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { app, service } from 'pergola';

/**
 * A pdfmake document, of plain data only because it is laid out in another thread. Texts may use any script and direction: Roboto covers
 * Latin, Greek and Cyrillic, Noto fonts the rest, with used glyphs embedded. Words wider than their column are broken.
 */
export interface PdfDocument
  extends Omit<TDocumentDefinitions, 'header' | 'footer' | 'pageBreakBefore' | 'background'> {
  /** Footer line of every page. */
  readonly footer?: string;
  /** `Page {page} of {pages}` */
  readonly pageLabel?: string;
}
/** A part of a pdfmake document. */
export type PdfContent = Content;

/** Message to the thread. */
export interface PdfJob {
  readonly id: number;
  /** Document to print, or a text to draw as a picture. */
  readonly document: PdfDocument | string;
}
export interface PdfResult {
  readonly id: number;
  readonly content?: Uint8Array;
  /** Characters missing in all fonts. */
  readonly missing?: readonly string[];
  readonly error?: string;
}

/** How long the idle thread waits for more work before it ends. */
const idleMs = 20_000;
/** Timeout; no document takes this long. */
const timeoutMs = 30_000;

interface Waiting {
  readonly resolve: (content: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Creates PDF files in a separate thread. Takes tens of milliseconds: call it in a job or before a transaction, never within one. */
export class Documents extends service('sale.documents', { log: app.log }) {
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #last = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** Returns the PDF file. Rejects if the document can't be laid out. */
  pdf(document: PdfDocument): Promise<Uint8Array> {
    return this.#ask(document);
  }

  /** Draws one line of text in any script, in italics, as an SVG picture of outlines that needs no fonts. */
  async drawing(text: string): Promise<Uint8Array> {
    return this.#ask(text);
  }

  #ask(document: PdfDocument | string): Promise<Uint8Array> {
    const worker = this.#start();
    if (this.#idle) clearTimeout(this.#idle);
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(new Error('The document took too long to lay out.')), timeoutMs);
      this.#waiting.set(id, { resolve, reject, timer });
      worker.postMessage({ id, document } satisfies PdfJob);
    });
  }

  async dispose(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    this.#rejectAll(new Error('The documents service has ended.'));
    await worker?.terminate();
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    worker.on('message', (result: PdfResult) => this.#done(result));
    worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    // Doesn't keep an otherwise idle process alive.
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #done({ id, content, missing = [], error }: PdfResult): void {
    if (missing.length > 0)
      this.log.warn(
        {
          characters: missing.map(
            (char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
          ),
        },
        'A document has characters that no font has; it shows � in their place',
      );
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) {
      clearTimeout(waiting.timer);
      if (content) waiting.resolve(content);
      else waiting.reject(new Error(`A document cannot be laid out: ${error ?? 'no reason given'}`));
    }
    if (this.#waiting.size > 0) return;
    this.#idle = setTimeout(() => void this.dispose(), idleMs);
    this.#idle.unref();
  }

  /** Discards the broken thread; the next document starts another. */
  #fail(error: Error): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#rejectAll(error);
    void worker?.terminate();
  }

  #rejectAll(error: Error): void {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }
}

import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Application } from '../../core/app/application.ts';
import { repository } from '../../core/base/addon-folders.ts';
import { describeProblem, type Problem } from '../../core/base/errors.ts';
import type { Log } from '../../core/base/log.ts';
import { problemIn } from '../../core/base/stack-places.ts';
import { OpenPages } from './open-pages.ts';
import type { Consequence } from './saved-files.ts';
import { withSourcePlaces } from './source-places.ts';
import { type SourceWatcher, watchSources } from './watch-sources.ts';

const clientFile = path.join(repository, 'tools/dev/browser/page-client.ts');

/** Editors save several files at once, and one file in several steps. */
const TOGETHER_MS = 60;

/** The core, as far as it is needed here. */
export type DevelopedApplication = Pick<Application, 'refresh' | 'ready' | 'problems'> & {
  readonly generation: Pick<Application['generation'], 'number'>;
  readonly lifecycle: Pick<Application['lifecycle'], 'leftOut'>;
};

export interface DevelopmentOptions {
  readonly application: DevelopedApplication;
  readonly log: Log;
  /** Folders to watch. */
  readonly folders: readonly string[];
  /** When the process began to load its code, in ms; what was saved since counts. */
  readonly since?: number;
  /** A template was saved, and pages know of it. */
  readonly onTemplates: () => void;
  /** Server code changed: a fresh process is needed. */
  readonly onServerCode: (files: readonly string[]) => void;
}

/**
 * Rebuilds on save and tells open pages to load again. Templates, islands, styles and texts make a new generation in this process; for server
 * code it asks for a fresh one. A change that cannot be served is told in the log and the pages' consoles, and the site stays as it was.
 */
export class Development {
  readonly #options: DevelopmentOptions;
  readonly #pages = new OpenPages();
  readonly #watcher: SourceWatcher;
  /** Names this process in generations: after a restart their numbers are as before. */
  readonly #started = Date.now();
  #saved = new Map<string, Consequence>();
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: DevelopmentOptions) {
    this.#options = options;
    this.#watcher = watchSources(
      options.folders,
      (file, consequence) => this.#onSaved(file, consequence),
      options.since,
    );
    this.tell();
  }

  /** Tells pages which generation serves, and what of the code does not: an addon that was put out, a database that does not follow. */
  tell(problems: readonly Problem[] = []): void {
    const { application } = this.#options;
    this.#pages.tell('problems', [...problems, ...application.problems].map(describeProblem).join('\n'));
    // Where nothing is served, pages wait for whatever comes after this process.
    this.#pages.tell('generation', `${this.#started}.${application.ready ? application.generation.number : 'none'}`);
  }

  /** Settled when every later save is noticed. */
  get ready(): Promise<void> {
    return this.#watcher.ready;
  }

  /** Answers what pages ask for under `/_dev/` of a server; every other request goes on to it. */
  sitBefore(server: Server): void {
    const listeners = server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[];
    server.removeAllListeners('request');
    server.on('request', (req, res) => {
      if (req.url === '/_dev/events') this.#pages.add(res);
      else if (req.url === '/_dev/client.js') void sendScript(res);
      else if (req.url === '/_dev/source-places') void sendPlaces(req, res);
      else for (const listener of listeners) listener.call(server, req, res);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#pages.close();
    await this.#watcher.close();
    await this.#work;
  }

  #onSaved(file: string, consequence: Consequence): void {
    this.#saved.set(file, consequence);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#work = this.#work.then(() => this.#act()).catch((error: unknown) => this.#failed(error));
    }, TOGETHER_MS);
  }

  async #act(): Promise<void> {
    const { application, log, onServerCode } = this.#options;
    if (this.#closed) return;
    const saved = this.#saved;
    this.#saved = new Map();
    const files = [...saved.keys()];
    if (!application.ready || [...saved.values()].includes('restart') || files.some((file) => this.#isLeftOut(file))) {
      log.info({ files }, 'Server code changed: starting anew');
      onServerCode(files);
      return;
    }
    const problems = await application.refresh();
    if (problems.length > 0) log.error({ problems }, 'The change cannot be served; the site stays as it was');
    this.tell(problems);
    if (files.some((file) => file.endsWith('.hbs'))) this.#options.onTemplates();
  }

  /** What was broken at the start is not among the addons that serve: its repair needs a start too. */
  #isLeftOut(file: string): boolean {
    const folders = file.split(path.sep);
    return [...this.#options.application.lifecycle.leftOut.keys()].some((name) => folders.includes(name));
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, 'A rebuild failed');
    this.tell([problemIn(error, [])]);
  }
}

/** The stack of an error in the browser, which it posts, with the places of the sources. */
async function sendPlaces(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const stack = await text(req);
  const load = async (address: string) => (await fetch(`http://${req.headers.host}${address}`)).text();
  res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(await withSourcePlaces(stack, load));
}

/** The script of pages, as it is on disk: it is there where no generation is. */
async function sendScript(res: ServerResponse): Promise<void> {
  const { transform } = await import('esbuild');
  const { code } = await transform(await readFile(clientFile, 'utf8'), { loader: 'ts' });
  res.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' }).end(code);
}

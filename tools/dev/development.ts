import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Application, Log } from '@pergola/core';
import {
  addonFolderAt,
  addonFolders,
  loopbackName,
  type Problem,
  platformFolders,
  problemIn,
  repository,
  showProblem,
  withSources,
} from '@pergola/core';
import { OpenPages } from './open-pages.ts';
import type { QueryLog } from './query-log.ts';
import { type Consequence, type Swap, swapOf } from './saved-files.ts';
import { authorFirst, withSourcePlaces } from './source-places.ts';
import { type SourceWatcher, watchSources } from './watch-sources.ts';

const clientFile = path.join(repository, 'tools/dev/browser/page-client.ts');

/**
 * Editors may save several files at once, and write one file in several steps. Longer than the 50 ms in which chokidar drops a second
 * change of a file, such as by a formatter, so that the build reads it.
 */
const TOGETHER_MS = 60;

/** Whether a file is platform code, which only a new process can reload. */
export function isOfCore(file: string): boolean {
  return platformFolders.some((folder) => file.startsWith(folder));
}

/** The parts of the application used here. */
type DevelopedApplication = Pick<Application, 'refresh' | 'ready' | 'problems' | 'followed' | 'roots'> & {
  readonly generation: Pick<Application['generation'], 'number'>;
  readonly lifecycle: Pick<Application['lifecycle'], 'leftOut'>;
};

export interface DevelopmentOptions {
  readonly application: DevelopedApplication;
  readonly log: Log;
  /** Text for `/_dev/queries`. */
  readonly queries: Pick<QueryLog, 'text'>;
  /** Folders to watch. */
  readonly folders: readonly string[];
  /** When the process started loading its code, in ms; later saves count as changes. */
  readonly since?: number;
  /** Called after files were saved and pages show them. */
  readonly onSaved: (files: readonly string[]) => void;
  /** Reopens the application after server code in these files changed; null if the process has to be replaced. */
  readonly openAnew: (files: readonly string[]) => Promise<Opened | null>;
}

/** Result of reopening the application. */
interface Opened {
  /** The application that serves from now on. */
  readonly application: DevelopedApplication;
  /** Why it is still the previous one; empty if the changed code is served. */
  readonly refused: readonly Problem[];
}

/**
 * Rebuilds on save and reloads open pages. Templates, islands, styles and texts produce a new generation; server code needs a new
 * application. If a change can't be served, the problem is shown in the log and on open pages, and the site keeps serving the previous
 * version.
 */
export class Development {
  readonly #options: DevelopmentOptions;
  readonly #pages = new OpenPages();
  readonly #watcher: SourceWatcher;
  #application: DevelopedApplication;
  /** Distinguishes generations of different applications, because their numbers repeat. */
  #openedAt = Date.now();
  /** Why the latest server code isn't served. */
  #refused: readonly Problem[] = [];
  /** Why the latest change of templates, islands, styles or texts isn't served. */
  #unbuilt: readonly Problem[] = [];
  /** Problems found by checks of saved files; the code runs anyway. */
  #mistakes: readonly Problem[] = [];
  /** The current generation announced to pages, the previous one, and how to get from one to the other. */
  #told: { generation: string; since: string; swap: Swap } = { generation: '', since: '', swap: 'page' };
  #saved = new Map<string, Consequence>();
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: DevelopmentOptions) {
    this.#options = options;
    this.#application = options.application;
    this.#watcher = watchSources(
      options.folders,
      (file, consequence) => this.#onSaved(file, consequence),
      options.since,
    );
    this.#serves(options.application);
  }

  #serves(application: DevelopedApplication): void {
    this.#application = application;
    this.#openedAt = Date.now();
    this.tell();
    void application.followed.then(() => application === this.#application && this.tell());
  }

  /**
   * Tells pages which generation is served, and which problems keep code from being served, such as a disabled addon or a database that
   * couldn't be upgraded.
   */
  tell(swap: Swap = 'page'): void {
    const application = this.#application;
    const all = [...this.#unbuilt, ...this.#refused, ...application.problems, ...this.#mistakes];
    this.#pages.tell('problems', all.map(showProblem).join('\n\n'));
    // If nothing is served, pages wait for the next process.
    const generation = `${this.#openedAt}.${application.ready ? application.generation.number : 'none'}`;
    if (generation !== this.#told.generation) this.#told = { generation, since: this.#told.generation, swap };
    this.#pages.tell('generation', JSON.stringify(this.#told));
  }

  /** Resolves when the watcher is ready to notice saves. */
  get ready(): Promise<void> {
    return this.#watcher.ready;
  }

  /** Handles requests under `/_dev/`; returns false for all others. */
  handle(req: IncomingMessage, res: ServerResponse): boolean {
    if (req.url === '/_dev/events') this.#pages.add(res);
    else if (req.url === '/_dev/client.js') void sendScript(res);
    else if (req.url === '/_dev/source-places') void sendPlaces(req, res, addonFolders(this.#application.roots));
    else if (req.url === '/_dev/queries') sendQueries(req, res, this.#options.queries);
    else return false;
    return true;
  }

  /** Reopens the application after the current work is done. */
  reload(): void {
    this.#next(() => this.#open([]));
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
      this.#next(() => this.#act());
    }, TOGETHER_MS);
  }

  #next(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#closed ? undefined : work()))
      .catch((error: unknown) => this.#failed(error));
  }

  async #act(): Promise<void> {
    const application = this.#application;
    const saved = this.#saved;
    this.#saved = new Map();
    const files = [...saved.keys()];
    // Saved files are checked again.
    this.#mistakes = [];
    const isStale = !application.ready || this.#refused.length > 0;
    if (isStale || [...saved.values()].includes('restart') || files.some((file) => this.#isLeftOut(file)))
      return this.#open(files);
    // Kept, because pages are told again when the saved files have been checked.
    this.#unbuilt = await application.refresh();
    if (this.#unbuilt.length > 0) this.#logRefused(this.#unbuilt);
    this.tell(swapOf(files.map((file) => path.relative(addonFolderAt(file) ?? repository, file))));
    this.#options.onSaved(files);
  }

  #logRefused(problems: readonly Problem[]): void {
    this.#options.log.error({ problems }, 'The change can’t be served; the site still serves the previous version');
  }

  async #open(files: readonly string[]): Promise<void> {
    this.#options.log.info({ files }, 'Server code changed');
    const opened = await this.#options.openAnew(files);
    if (!opened) return;
    this.#unbuilt = [];
    this.#refused = opened.refused;
    if (opened.refused.length > 0) this.#logRefused(opened.refused);
    if (opened.application === this.#application) this.tell();
    else this.#serves(opened.application);
    this.#options.onSaved(files);
  }

  /** Replaces the problems found by the previous check of saved files. */
  checked(problems: readonly Problem[]): void {
    const { log, application } = this.#options;
    const isChange = problems.length > 0 || this.#mistakes.length > 0;
    this.#mistakes = withSources(problems, addonFolders(application.roots));
    if (problems.length > 0) log.warn({ problems: this.#mistakes }, 'The saved files have mistakes');
    if (isChange) this.tell();
  }

  /** Addons that failed at startup aren't among the served ones, so fixing them needs a restart. */
  #isLeftOut(file: string): boolean {
    const folders = file.split(path.sep);
    return [...this.#application.lifecycle.leftOut.keys()].some((name) => folders.includes(name));
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, 'A rebuild failed');
    this.#unbuilt = [problemIn(error, [])];
    this.tell();
  }
}

/** Sends back a stack trace posted by the browser, with source positions. */
async function sendPlaces(
  req: IncomingMessage,
  res: ServerResponse,
  folders: ReadonlyMap<string, string>,
): Promise<void> {
  const stack = await text(req);
  const load = async (address: string) => (await fetch(`http://${req.headers.host}${address}`)).text();
  const places = await withSourcePlaces(stack, load);
  res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(authorFirst(places, folders));
}

/** Queries contain record values, so other sites, whose names might resolve to this machine, must not read them. */
function sendQueries(req: IncomingMessage, res: ServerResponse, queries: Pick<QueryLog, 'text'>): void {
  const isOwn = loopbackName.test(URL.parse(`http://${req.headers.host}`)?.hostname ?? '');
  const text = isOwn ? queries.text() : 'Open this page on localhost.\n';
  res.writeHead(isOwn ? 200 : 403, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(text);
}

/** Builds the page script from disk, so that it is available even without a generation. */
async function sendScript(res: ServerResponse): Promise<void> {
  const { build } = await import('esbuild');
  const {
    outputFiles: [{ text: code } = { text: '' }],
  } = await build({
    entryPoints: [clientFile],
    bundle: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  res.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' }).end(code);
}

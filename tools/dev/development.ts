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

/** Editors save several files at once, and one file in several steps. */
const TOGETHER_MS = 25;

/** Whether a file is code that only a fresh process loads anew. */
export function isOfCore(file: string): boolean {
  return platformFolders.some((folder) => file.startsWith(folder));
}

/** The core, as far as it is needed here. */
type DevelopedApplication = Pick<Application, 'refresh' | 'ready' | 'problems' | 'followed' | 'roots'> & {
  readonly generation: Pick<Application['generation'], 'number'>;
  readonly lifecycle: Pick<Application['lifecycle'], 'leftOut'>;
};

export interface DevelopmentOptions {
  readonly application: DevelopedApplication;
  readonly log: Log;
  /** What `/_dev/queries` shows. */
  readonly queries: Pick<QueryLog, 'text'>;
  /** Folders to watch. */
  readonly folders: readonly string[];
  /** When the process began to load its code, in ms; what was saved since counts. */
  readonly since?: number;
  /** Files were saved, and pages show them. */
  readonly onSaved: (files: readonly string[]) => void;
  /** Opens the application anew after server code changed in these files; null if a fresh process will. */
  readonly openAnew: (files: readonly string[]) => Promise<Opened | null>;
}

/** Result of opening the application anew. */
interface Opened {
  /** The one that serves from now on. */
  readonly application: DevelopedApplication;
  /** Why that is still the former one; empty if the changed code is served. */
  readonly refused: readonly Problem[];
}

/**
 * Rebuilds on save and tells open pages to load again. Templates, islands, styles and texts make a new generation; for server code it asks for a new
 * application. A change that cannot be served is told in the log and the pages' consoles, and the site stays as it was.
 */
export class Development {
  readonly #options: DevelopmentOptions;
  readonly #pages = new OpenPages();
  readonly #watcher: SourceWatcher;
  #application: DevelopedApplication;
  /** Names the application in generations: the numbers of the next one are as before. */
  #openedAt = Date.now();
  /** Why the newest server code isn't served. */
  #refused: readonly Problem[] = [];
  /** Found by checks of saved files; the code runs all the same. */
  #mistakes: readonly Problem[] = [];
  /** The generation that pages know, the one before it, and how to get from one to the other. */
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

  /** Tells pages which generation serves, and what of the code does not: an addon that was put out, a database that does not follow. */
  tell(problems: readonly Problem[] = [], swap: Swap = 'page'): void {
    const application = this.#application;
    const all = [...problems, ...this.#refused, ...application.problems, ...this.#mistakes];
    this.#pages.tell('problems', all.map(showProblem).join('\n\n'));
    // Where nothing is served, pages wait for whatever comes after this process.
    const generation = `${this.#openedAt}.${application.ready ? application.generation.number : 'none'}`;
    if (generation !== this.#told.generation) this.#told = { generation, since: this.#told.generation, swap };
    this.#pages.tell('generation', JSON.stringify(this.#told));
  }

  /** Settled when every later save is noticed. */
  get ready(): Promise<void> {
    return this.#watcher.ready;
  }

  /** Answers what pages ask for under `/_dev/`; false for every other request. */
  answers(req: IncomingMessage, res: ServerResponse): boolean {
    if (req.url === '/_dev/events') this.#pages.add(res);
    else if (req.url === '/_dev/client.js') void sendScript(res);
    else if (req.url === '/_dev/source-places') void sendPlaces(req, res, addonFolders(this.#application.roots));
    else if (req.url === '/_dev/queries') sendQueries(req, res, this.#options.queries);
    else return false;
    return true;
  }

  /** Opens the application anew, once what is at work is done. */
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
    // They are checked again.
    this.#mistakes = [];
    const isStale = !application.ready || this.#refused.length > 0;
    if (isStale || [...saved.values()].includes('restart') || files.some((file) => this.#isLeftOut(file)))
      return this.#open(files);
    const problems = await application.refresh();
    if (problems.length > 0) this.#sayRefused(problems);
    this.tell(problems, swapOf(files.map((file) => path.relative(addonFolderAt(file) ?? repository, file))));
    this.#options.onSaved(files);
  }

  #sayRefused(problems: readonly Problem[]): void {
    this.#options.log.error({ problems }, 'The change cannot be served; the site stays as it was');
  }

  async #open(files: readonly string[]): Promise<void> {
    this.#options.log.info({ files }, 'Server code changed');
    const opened = await this.#options.openAnew(files);
    if (!opened) return;
    this.#refused = opened.refused;
    if (opened.refused.length > 0) this.#sayRefused(opened.refused);
    if (opened.application === this.#application) this.tell();
    else this.#serves(opened.application);
    this.#options.onSaved(files);
  }

  /** Notes mistakes that a check of saved files found, in place of those of the check before. */
  checked(problems: readonly Problem[]): void {
    const { log, application } = this.#options;
    const isChange = problems.length > 0 || this.#mistakes.length > 0;
    this.#mistakes = withSources(problems, addonFolders(application.roots));
    if (problems.length > 0) log.warn({ problems: this.#mistakes }, 'What was saved has mistakes');
    if (isChange) this.tell();
  }

  /** What was broken at the start is not among the addons that serve: its repair needs a start too. */
  #isLeftOut(file: string): boolean {
    const folders = file.split(path.sep);
    return [...this.#application.lifecycle.leftOut.keys()].some((name) => folders.includes(name));
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, 'A rebuild failed');
    this.tell([problemIn(error, [])]);
  }
}

/** The stack of an error in the browser, which it posts, with the places of the sources. */
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

/** Queries carry values of records: other sites, whose names may lead to this machine, read nothing of them. */
function sendQueries(req: IncomingMessage, res: ServerResponse, queries: Pick<QueryLog, 'text'>): void {
  const isOwn = loopbackName.test(URL.parse(`http://${req.headers.host}`)?.hostname ?? '');
  const text = isOwn ? queries.text() : 'Open this page at localhost.\n';
  res.writeHead(isOwn ? 200 : 403, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(text);
}

/** The script of pages, as it is on disk: it is there where no generation is. */
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

/**
 * Options of Pergola's errors.
 *
 * There is one base class with a few subclasses, each with the HTTP status of its response. `code` is permanent (`forum.karma_too_low`), so
 * callers and translations can rely on it. `message` is a clear sentence for the user in the source language; `params` fill its
 * `{placeholders}`. Any other error is a bug: visitors only see a reference, never the message.
 */
export interface ErrorDetails {
  /** Permanent, `addon.thing`; defaults to the code of the class. */
  code?: string;
  /** Values for the `{placeholders}` of the message. */
  params?: Readonly<Record<string, string | number>>;
  /** Messages by field name, shown next to the fields. */
  fields?: Readonly<Record<string, string>>;
  /** Labels of these fields, by field name. */
  labels?: Readonly<Record<string, string>>;
  /** Heading for dialogs ("Access denied"); defaults to the title of the class. */
  title?: string;
  cause?: unknown;
}

/**
 * Thrown for the platform to catch: a transaction that has to be repeated, a redirect, a visitor who left. It isn't a fault of the code it
 * passes through.
 */
export class ControlSignal extends Error {}

/** Base class of all errors; throw one of its subclasses, which define the response. */
export class PergolaError extends Error {
  /** HTTP status of the response to a page or form request. */
  readonly status: number = 500;
  readonly code: string;
  readonly title: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.code = details.code ?? `core.${snake(new.target.name)}`;
    this.title = details.title ?? defaults[new.target.name]?.title ?? 'Error';
    this.params = details.params ?? {};
    this.fields = details.fields ?? {};
    this.labels = details.labels ?? {};
  }
}

/** Invalid input: 422 with messages next to form fields, 400 for API calls. */
export class InvalidInput extends PergolaError {
  override readonly status: number = 422;
}

/** The object doesn't exist, or its existence must be hidden from the caller. */
export class NotFound extends PergolaError {
  override readonly status: number = 404;
}

/** The caller is signed in but lacks permission. */
export class NotAllowed extends PergolaError {
  override readonly status: number = 403;
}

/** The visitor has to sign in first. */
export class Unauthenticated extends PergolaError {
  override readonly status: number = 401;
}

/** Another change was faster, or the current state doesn't allow this one. */
export class Conflict extends PergolaError {
  override readonly status: number = 409;
}

/** Too many requests from one client. */
export class TooMany extends PergolaError {
  override readonly status: number = 429;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number;

  constructor(message: string, details: ErrorDetails & { retryAfter: number }) {
    super(message, details);
    this.retryAfter = details.retryAfter;
  }
}

/** The request exceeds the limit of its route. */
export class TooLarge extends PergolaError {
  override readonly status: number = 413;
}

/** The database or another node is down or too busy; retry after `retryAfter` seconds. */
export class Unavailable extends PergolaError {
  override readonly status: number = 503;
  readonly retryAfter: number;

  constructor(message: string, details: ErrorDetails & { retryAfter?: number } = {}) {
    super(message, details);
    this.retryAfter = details.retryAfter ?? 1;
  }
}

/** Permanent error code of a process that isn't serving yet, or no longer. */
export const NOT_READY = 'core.not_ready';

export function isNotReady(error: unknown): boolean {
  return error instanceof Unavailable && error.code === NOT_READY;
}

/**
 * Code uses something that doesn't exist, such as a missing field of a model: a bug in the addon that visitors can't fix. They see a
 * reference; the log has the message with the suggested fix. Outside input is checked earlier and rejected with {@link InvalidInput}.
 */
export class WrongCode extends PergolaError {
  /** `near` is the name that was probably meant. */
  constructor(message: string, suggestion: string | null = null) {
    super(suggestion === null ? message : `${message} Did you mean “${suggestion}”?`);
  }
}

/** A problem in an addon, found while planning or building a generation. */
export interface Problem {
  addon: string;
  /** Relative to the addon's folder. */
  file?: string;
  line?: number;
  /** The problem and its reason. */
  message: string;
  /** How to fix it. */
  remedy?: string;
  /** The line with its neighbours; only during development. */
  source?: string;
  /** Name of the addon whose problem causes this one. */
  because?: string;
  /** Names of fields and models lost because of this problem; only during the build. */
  lost?: readonly string[];
}

/** Drops problems caused by another one. */
export function rootCauses(problems: readonly Problem[]): Problem[] {
  const roots = problems.filter(({ because }) => because === undefined);
  return roots.length > 0 ? roots : [...problems];
}

/** A generation can't be built. Contains every problem of every addon, not just the first. */
export class BrokenAddons extends PergolaError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(`${problems.length} problem(s):\n${problems.map(describeProblem).join('\n')}`, {
      code: 'core.broken_addons',
    });
    this.problems = problems;
  }
}

/** Returns the message of an error with its `{placeholders}` filled, in the source language. */
export function fullMessage(error: Error): string {
  if (!(error instanceof PergolaError)) return error.message;
  return error.message.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(error.params[name] ?? placeholder));
}

/** Names the command that explains an error; causes and fixes are in the `errors.md` of its owner. */
export function explainHint(code: string): string {
  return `More: npx pergola explain ${code}`;
}

/** Formats a problem as one line: `forum templates/forum.index.hbs:12: what happened. What to do.` */
export function describeProblem({ addon, file, line, message, remedy }: Problem): string {
  const place = [addon, file ? ` ${file}` : '', line ? `:${line}` : ''].join('');
  return `${place}: ${message}${remedy ? ` ${remedy}` : ''}`;
}

/** Formats a problem, followed by its source lines if known. */
export function showProblem(problem: Problem): string {
  return [describeProblem(problem), problem.source].filter(Boolean).join('\n');
}

const defaults: Readonly<Record<string, { readonly title: string }>> = {
  InvalidInput: { title: 'Check your input' },
  NotFound: { title: 'Not found' },
  NotAllowed: { title: 'Access denied' },
  Unauthenticated: { title: 'Sign-in required' },
  Conflict: { title: 'This isn’t possible' },
  TooMany: { title: 'Too many requests' },
  TooLarge: { title: 'Too large' },
  Unavailable: { title: 'Not available' },
};

function snake(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
}

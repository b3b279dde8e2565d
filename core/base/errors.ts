/**
 * The errors Pergola raises on purpose.
 *
 * One base class and few subclasses, each with the HTTP status a page answers. `code` is permanent (`forum.karma_too_low`), so callers
 * and translations may rely on it; `message` is a clear sentence for the person who caused it, in the source language, and `params` fill
 * its `{placeholders}`. What is thrown and is none of these is a fault of ours: visitors then get a reference, never the text.
 */
export interface ErrorDetails {
  /** Permanent, `addon.thing`; the class's own when left out. */
  code?: string;
  /** Values for the `{placeholders}` of the message. */
  params?: Readonly<Record<string, string | number>>;
  /** Texts beside the fields they are about, by field name. */
  fields?: Readonly<Record<string, string>>;
  /** Names of these fields as the reader knows them, by field name. */
  labels?: Readonly<Record<string, string>>;
  /** A heading for dialogs ("Access denied"); the class's own when left out. */
  title?: string;
  cause?: unknown;
}

/** The class of all of them; throw one of the others, which say what the answer is. */
export class PergolaError extends Error {
  /** The HTTP status of the answer to a page or form. */
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

/** What was sent does not fit: 422 beside the form's fields, 400 in calls. */
export class InvalidInput extends PergolaError {
  override readonly status: number = 422;
}

/** There is no such thing, or the caller may not know that there is. */
export class NotFound extends PergolaError {
  override readonly status: number = 404;
}

/** The caller is known and may not do this. */
export class NotAllowed extends PergolaError {
  override readonly status: number = 403;
}

/** Somebody has to sign in first. */
export class Unauthenticated extends PergolaError {
  override readonly status: number = 401;
}

/** Somebody else was faster, or the state no longer allows it. */
export class Conflict extends PergolaError {
  override readonly status: number = 409;
}

/** Too many requests from one place. */
export class TooMany extends PergolaError {
  override readonly status: number = 429;
  /** Seconds after which a new try makes sense. */
  readonly retryAfter: number;

  constructor(message: string, details: ErrorDetails & { retryAfter: number }) {
    super(message, details);
    this.retryAfter = details.retryAfter;
  }
}

/** Larger than the route's limit. */
export class TooLarge extends PergolaError {
  override readonly status: number = 413;
}

/** The database or another node is away or too busy; the caller may try again after `retryAfter` seconds. */
export class Unavailable extends PergolaError {
  override readonly status: number = 503;
  readonly retryAfter: number;

  constructor(message: string, details: ErrorDetails & { retryAfter?: number } = {}) {
    super(message, details);
    this.retryAfter = details.retryAfter ?? 1;
  }
}

/** The permanent code of the refusal of a process that serves nothing yet, or no more. */
export const NOT_READY = 'core.not_ready';

export function isNotReady(error: unknown): boolean {
  return error instanceof Unavailable && error.code === NOT_READY;
}

/**
 * Code asks for something that is not there, such as a field its model does not have: a fault of the addon, which nobody who visits can mend. They
 * get a reference, the log the text with what would be right. What comes from outside is checked before, and refused as {@link InvalidInput}.
 */
export class WrongCode extends PergolaError {
  /** `near` is what was probably meant. */
  constructor(message: string, near: string | null = null) {
    super(near === null ? message : `${message} Did you mean “${near}”?`);
  }
}

/** Something wrong in an addon, found while a generation is planned or built. */
export interface Problem {
  addon: string;
  /** Relative to the addon's folder. */
  file?: string;
  line?: number;
  /** What is wrong, and why. */
  message: string;
  /** What would be right. */
  remedy?: string;
  /** The line among its neighbours; while somebody develops. */
  source?: string;
  /** Name of the addon whose own problem causes this one. */
  because?: string;
  /** Names of fields and models that are missing because of this problem; until the build is done. */
  lost?: readonly string[];
}

/** Leaves out problems that end when another of these is solved. */
export function rootCauses(problems: readonly Problem[]): Problem[] {
  const roots = problems.filter(({ because }) => because === undefined);
  return roots.length > 0 ? roots : [...problems];
}

/** A generation that cannot be built: every problem of every addon, never only the first. */
export class BrokenAddons extends PergolaError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(`${problems.length} problem(s):\n${problems.map(describeProblem).join('\n')}`, {
      code: 'core.broken_addons',
    });
    this.problems = problems;
  }
}

/** The message of an error, its `{placeholders}` filled; in the source language. */
export function fullMessage(error: Error): string {
  if (!(error instanceof PergolaError)) return error.message;
  return error.message.replace(/\{(\w+)\}/g, (whole, name: string) => String(error.params[name] ?? whole));
}

/** Names the command that says more of an error: its cause and cure stand in `errors.md` of whose it is. */
export function explainHint(code: string): string {
  return `More: npx pergola explain ${code}`;
}

/** One line for people: `forum templates/forum.index.hbs:12: what happened. What to do.` */
export function describeProblem({ addon, file, line, message, remedy }: Problem): string {
  const place = [addon, file ? ` ${file}` : '', line ? `:${line}` : ''].join('');
  return `${place}: ${message}${remedy ? ` ${remedy}` : ''}`;
}

/** The same with the line and its neighbours below, where they are known. */
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

import type { Generation } from '@pergola/core';
import {
  explainHint,
  NOT_READY,
  ownStack,
  PergolaError,
  type Problem,
  problemIn,
  showProblem,
  withSources,
} from '@pergola/core';
import { TemplateError, templates } from '@pergola/pages';
import type { ErrorContext } from './error-reply.ts';
import { type Failure, NO_SUCH_ROUTE } from './failure.ts';

/** Error report shown to developers. */
export interface ForDeveloper {
  /** Description of the error, with addon, file and line. */
  readonly text: string;
  readonly stack: string;
  /** For rejections: the command that explains them. */
  readonly hint: string;
}

const emptyReport: ForDeveloper = Object.freeze({ text: '', stack: '', hint: '' });

/**
 * Same details as in the log, in development: for faults the location, the surrounding line and our part of the stack; for missing
 * addresses the code that isn't served; for rejections the command that explains them. Empty in production (C34).
 */
export function forDeveloper(
  { parts: { application }, info, match }: Pick<ErrorContext, 'parts' | 'info' | 'match'>,
  error: unknown,
  { isInternal, code }: Failure,
): ForDeveloper {
  if (!application.config.dev) return emptyReport;
  if (code === NO_SUCH_ROUTE || code === NOT_READY)
    return { ...emptyReport, text: application.problems.map(showProblem).join('\n\n') };
  if (!isInternal) return { ...emptyReport, hint: explainHint(code) };
  const generation = info?.site.generation;
  const located = (generation && problemInTemplate(error, generation)) ?? problemIn(error, generation?.addons ?? []);
  const { addon, route } = match?.bound ?? {};
  const problem =
    addon && route && located.file === undefined
      ? { addon, message: `The route “${route.name}” failed: ${located.message}` }
      : located;
  const folders = new Map((generation?.addons ?? []).map(({ name, folder }) => [name, folder]));
  const texts = withSources([problem], folders).map(showProblem);
  if (error instanceof PergolaError) texts.push(explainHint(error.code));
  return { ...emptyReport, text: texts.join('\n\n'), stack: Error.isError(error) ? callsOf(error) : '' };
}

/** Calls that led to an error, below its name. The message is shown with its location. */
function callsOf({ name, stack = '' }: Error): string {
  const calls = /^ +(?:at|…) .*/ms.exec(ownStack(stack))?.[0] ?? '';
  return name === 'Error' || calls === '' ? calls : `${name}\n${calls}`;
}

/** Location of a template error: its file and line, unless another addon's change moved the line. */
function problemInTemplate(error: unknown, generation: Generation): Problem | null {
  if (!(error instanceof TemplateError)) return null;
  const [, id = '', line = ''] = /\b([\w-]+(?:\.[\w-]+)+):(\d+)/.exec(error.message) ?? [];
  const place = generation
    .get(templates)
    .slots()
    .find(({ template }) => template === id);
  return place ? { addon: place.addon, file: place.file, line: Number(line), message: error.message } : null;
}

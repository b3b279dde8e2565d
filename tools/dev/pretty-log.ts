import { styleText } from 'node:util';
import { describeProblem, explainHint, ownStack } from '@pergola/core';
import { z } from 'zod';
import { usesColors } from '../cli/colors.ts';

const problemSchema = z.object({
  addon: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  message: z.string(),
  remedy: z.string().optional(),
});
const lineSchema = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string().optional(),
  err: z
    .looseObject({
      message: z.string().optional(),
      code: z.unknown().optional(),
      stack: z.string().optional(),
      problems: z.array(problemSchema).optional(),
    })
    .optional(),
  problem: problemSchema.optional(),
  problems: z.array(problemSchema).optional(),
});

const levels: readonly {
  readonly from: number;
  readonly name: string;
  readonly color: Parameters<typeof styleText>[0];
}[] = [
  { from: 50, name: 'ERROR', color: 'red' },
  { from: 40, name: 'WARN', color: 'yellow' },
  { from: 30, name: 'info', color: 'green' },
  { from: 0, name: 'debug', color: 'dim' },
];

/**
 * Formats log lines for reading at a terminal: time, level, message and subject, with the error below. An error is printed only once, no
 * matter what else it affects.
 *
 * @param hasColors whether to use colours; by default as for standard error
 */
export function prettyLines(
  write: (text: string) => void,
  hasColors = usesColors(process.stderr),
): (line: string) => void {
  const paint = (color: Parameters<typeof styleText>[0], text: string): string =>
    hasColors ? styleText(color, text, { validateStream: false }) : text;
  const printedProblems = new Set<string>();
  return (line) => {
    const parsed = lineSchema.safeParse(JSON.parse(line));
    if (!parsed.success) return write(line);
    const { level, time, msg = '', err, problem, problems = [], node, ...fields } = parsed.data;
    const { name, color } = levels.find(({ from }) => level >= from) ?? { name: 'debug', color: 'dim' };
    const timeOfDay = new Date(time).toTimeString().slice(0, 8);
    const details = Object.entries(fields).map(([key, value]) => paint('dim', `${key}=${textOf(value)}`));
    write(`${[paint('dim', timeOfDay), paint(color, name), msg, ...details].join(' ')}\n`);
    const all = [...(problem ? [problem] : []), ...problems, ...(err?.problems ?? [])].map(describeProblem);
    const faults =
      all.length > 0
        ? [...new Set(all)].filter((text) => !printedProblems.has(text))
        : [ownStack(err?.stack ?? err?.message ?? '')];
    const code = typeof err?.code === 'string' && /^[a-z_]+\.[a-z_]+$/.test(err.code) ? err.code : null;
    if (code && all.length === 0) faults.push(explainHint(code));
    for (const text of all) printedProblems.add(text);
    for (const text of faults.filter(Boolean)) write(`${text.replace(/^/gm, '    ')}\n`);
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

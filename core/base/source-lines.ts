import { readFileSync } from 'node:fs';

/** So many lines are shown before and after the one that is meant. */
const AROUND = 2;

/** A line of a file among its neighbours, marked, for whoever develops; empty where there is no such line. */
export function sourceLines(file: string, line: number): string {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return '';
  }
  if (line < 1 || line > lines.length) return '';
  const first = Math.max(line - AROUND, 1);
  const shown = lines.slice(first - 1, line + AROUND);
  const width = String(line + AROUND).length;
  return shown
    .map((text, index) => {
      const number = first + index;
      return `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`.trimEnd();
    })
    .join('\n');
}

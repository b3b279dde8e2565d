import { readFileSync } from 'node:fs';

/** Number of lines shown before and after the marked one. */
const CONTEXT_LINES = 2;

/** Returns a line of a file, marked, with its neighbours, for developers; empty if the line doesn't exist. */
export function sourceLines(file: string, line: number): string {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return '';
  }
  if (line < 1 || line > lines.length) return '';
  const first = Math.max(line - CONTEXT_LINES, 1);
  const excerpt = lines.slice(first - 1, line + CONTEXT_LINES);
  const width = String(line + CONTEXT_LINES).length;
  return excerpt
    .map((text, index) => {
      const number = first + index;
      return `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`.trimEnd();
    })
    .join('\n');
}

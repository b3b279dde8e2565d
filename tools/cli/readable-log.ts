import { createLog, describeProblem, type Log, type Problem } from '@pergola/core';

interface Line {
  /** Of pino: 40 warnings, 50 errors. */
  readonly level: number;
  readonly msg?: string;
  readonly problem?: Problem;
  readonly err?: { readonly message?: string };
}

/** Creates a log for commands: warnings and errors as lines for people, not for programs. */
export function readableLog(write: (line: string) => void = (line) => process.stderr.write(`${line}\n`)): Log {
  return createLog('warn', {}, (line) => {
    const { level, msg = '', problem, err } = JSON.parse(line) as Line;
    const details = [problem && describeProblem(problem), err?.message].filter(Boolean);
    write(`${level >= 50 ? 'error' : 'warning'}: ${[msg, ...details].join(': ')}`);
  });
}

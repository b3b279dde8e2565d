import { type Logger, pino } from 'pino';

/** Structured log on standard error, one JSON object per line. */
export type Log = Logger;

/** Header and field names whose values are never logged. */
const secretPaths = ['password', 'token', 'secret', 'authorization', 'cookie'].flatMap((name) => [name, `*.${name}`]);

/** Creates the application's log. `level` is a pino level or `silent`; `write` receives the lines instead of standard error. */
export function createLog(level: string, bindings: Record<string, unknown> = {}, write?: (line: string) => void): Log {
  const options = { level, base: bindings, redact: { paths: secretPaths, censor: '[hidden]' } };
  return pino(options, write ? { write } : pino.destination(2));
}

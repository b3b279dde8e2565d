import { type Logger, pino } from 'pino';

/** Structured log lines on standard error, one JSON object each. */
export type Log = Logger;

/** Header and field names whose values never reach a log line. */
const secretPaths = ['password', 'token', 'secret', 'authorization', 'cookie'].flatMap((name) => [name, `*.${name}`]);

/** Makes the application's log; `level` is a pino level or `silent`, `write` takes each line where it is not standard error. */
export function createLog(level: string, about: Record<string, unknown> = {}, write?: (line: string) => void): Log {
  const options = { level, base: about, redact: { paths: secretPaths, censor: '[hidden]' } };
  return pino(options, write ? { write } : pino.destination(2));
}

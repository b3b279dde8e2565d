import { type Logger, pino } from 'pino';

/** Structured log lines on standard error, one JSON object each. */
export type Log = Logger;

/** Header and field names whose values never reach a log line. */
const secretPaths = ['password', 'token', 'secret', 'authorization', 'cookie'].flatMap((name) => [name, `*.${name}`]);

/** Makes the application's log; `level` is a pino level or `silent`. */
export function createLog(level: string, about: Record<string, unknown> = {}): Log {
  return pino({ level, base: about, redact: { paths: secretPaths, censor: '[hidden]' } }, pino.destination(2));
}

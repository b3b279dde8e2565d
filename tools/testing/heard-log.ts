import { createLog, type Log } from '@pergola/core';
import type { Client } from './client.ts';

/** The log of an application under test, and the clients whose secrets must not appear in it. */
export interface HeardLog {
  readonly log: Log;
  /** Adds a client whose secrets must not appear. */
  follow(client: Client): Client;
  /** Throws if a line isn't a JSON object, or contains a password, session id or token sent by a client, or a key of the site. */
  expectDiscreet(): void;
}

/**
 * Records the log of an application under test (C45); `TEST_LOG=<level>` prints it instead.
 *
 * @param secrets secrets of the site itself
 */
export function hearLog(secrets: readonly string[]): HeardLog {
  const level = process.env.TEST_LOG;
  const lines: string[] = [];
  const clients: Client[] = [];
  const log = level === undefined ? createLog('debug', {}, (line) => lines.push(line)) : createLog(level);
  return {
    log,
    follow(client) {
      clients.push(client);
      client.logged = (reference) => lines.filter((line) => line.includes(reference));
      return client;
    },
    expectDiscreet() {
      const output = lines.join('');
      const leakedSecrets = [...secrets, ...clients.flatMap(({ secrets: clientSecrets }) => [...clientSecrets])].filter(
        (secret) => output.includes(secret),
      );
      const first = leakedSecrets[0];
      if (first !== undefined)
        throw new Error(`The log contains a secret: ${lines.find((line) => line.includes(first))?.slice(0, 2000)}`);
      const broken = lines.find((line) => !isObject(line));
      if (broken !== undefined) throw new Error(`A log line is not a JSON object: ${broken.slice(0, 500)}`);
    },
  };
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

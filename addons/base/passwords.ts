import { readFileSync } from 'node:fs';
import { hash, verify } from '@node-rs/argon2';
import { InvalidInput, service } from '#core';

/** Argon2id, 19 MiB, two passes, one lane. */
export const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** At most so many are worked out at once: a storm of sign-ins must not take the threads of everybody else. */
const PARALLEL = 2;

/** Hashes passwords, and checks them against what is kept. */
export class Passwords extends service('base.passwords') {
  readonly #places = createPlaces(PARALLEL);
  readonly #decoy = this.#places(() => hash('no password is this', cost));

  /** A hash to keep. Takes about 20 ms: call it before the transaction. InvalidInput for a password that is too short or too long. */
  async hash(password: string): Promise<string> {
    checkPassword(password);
    return this.#places(() => hash(password, cost));
  }

  /** Whether the password belongs to the hash. Takes as long for a missing hash, so that nobody learns which logins exist. */
  async verify(kept: string | null, password: string): Promise<boolean> {
    const against = kept ?? (await this.#decoy);
    const right = await this.#places(() => verify(against, password.slice(0, 1024)).catch(() => false));
    return kept !== null && right;
  }
}

/**
 * NIST 800-63B: length is what counts; eight characters at least, any sign allowed; but none of those that are tried first: the commonest, and what
 * everybody knows of the account (`known`: login, address, name of the site).
 *
 * @throws InvalidInput beside `password`
 */
export function checkPassword(password: string, known: readonly (string | null | undefined)[] = []): void {
  const length = [...password].length;
  const plain = plainly(password);
  const words = known.flatMap((word) => (word ? [word, word.split('@')[0] ?? ''] : []));
  const isKnown = words.some((word) => plainly(word) === plain);
  const fits = length >= 8 && length <= 256;
  if (fits && !isKnown && !commonest().has(plain)) return;
  const message = !fits
    ? 'A password has at least 8 and at most 256 characters.'
    : isKnown
      ? 'A password is not your login, your name, your e-mail address or the name of the site.'
      : 'This password is one of those that are tried first. Take a few words that only you put together.';
  throw new InvalidInput(message, { code: 'base.bad_password', fields: { password: message } });
}

function plainly(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
}

/** Read each time: passwords are chosen seldom, and nothing is kept between. */
function commonest(): ReadonlySet<string> {
  return new Set(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n'));
}

/** Runs work with at most `places` at once, the others waiting in order. */
function createPlaces(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

import { readFileSync } from 'node:fs';
import { hash, verify } from '@node-rs/argon2';
import { type Ctx, InvalidInput, service } from 'pergola';
import { Company } from './models/company.ts';

/** Argon2id, 19 MiB, two passes, one lane. */
export const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Maximum number of concurrent hash computations, so sign-in bursts don't exhaust the thread pool. */
const PARALLEL = 2;

/** Hashes and verifies passwords. */
export class Passwords extends service('base.passwords') {
  readonly #places = createPlaces(PARALLEL);
  readonly #decoy = this.#places(() => hash('no password is this', cost));

  /**
   * Hashes a password. Takes about 20 ms, so call it before the transaction.
   *
   * @throws InvalidInput for a password that is too short or too long
   */
  async hash(password: string): Promise<string> {
    checkPassword(password);
    return this.#places(() => hash(password, cost));
  }

  /** Whether the password matches the hash. Takes the same time without a hash, so existing logins can't be detected. */
  async verify(storedHash: string | null, password: string): Promise<boolean> {
    const comparedHash = storedHash ?? (await this.#decoy);
    const right = await this.#places(() => verify(comparedHash, password.slice(0, 1024)).catch(() => false));
    return storedHash !== null && right;
  }
}

/**
 * Rejects weak passwords according to NIST 800-63B: too short (fewer than eight characters; any character is allowed), too common, or
 * derived from the context. `forbiddenNames` contains logins, names and addresses of the account, and names of the site ({@link siteNames}).
 *
 * @throws InvalidInput for `password`
 */
export function checkPassword(password: string, forbiddenNames: readonly (string | null | undefined)[] = []): void {
  const length = [...password].length;
  const plain = password.normalize('NFKC').toLowerCase();
  const message =
    length < 8 || length > 256
      ? 'Use 8 to 256 characters for the password.'
      : containsName(password, forbiddenNames)
        ? 'Choose a password without your login, your name, your email address, or the name of the site or company.'
        : isRepetitive([...plain])
          ? 'Choose a password that isn’t made of repeated or consecutive characters.'
          : commonest().has(plain.replaceAll(/\s/g, ''))
            ? 'This password is too common. Use a few words that only you would combine.'
            : null;
  if (message !== null) throw new InvalidInput(message, { code: 'base.bad_password', fields: { password: message } });
}

/**
 * Names of the site that a password must not contain: of the program, the companies and everything addons add to {@link
 * Company.publicNames}.
 */
export async function siteNames(ctx: Ctx): Promise<string[]> {
  return ['Pergola', new URL(ctx.config.baseUrl).hostname, ...(await ctx.sudo().model(Company).publicNames())];
}

/** Shorter names occur in too many words. */
const MIN_NAME = 4;
/** Normalises digits and symbols used for letters, and similar-looking letters. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  ['o0', 'il1!|', 'e3', 'a4@', 's5$', 't7', 'b8', 'g69'].flatMap((lookalikeGroup) =>
    [...lookalikeGroup].map((sign) => [sign, lookalikeGroup.charAt(0)]),
  ),
);

/** Whether the password contains one of these names, or consists of a word from one with only a few characters added. */
function containsName(password: string, forbiddenNames: readonly (string | null | undefined)[]): boolean {
  const letters = lettersOf(password);
  for (const name of forbiddenNames) {
    if (!name) continue;
    const [local = '', host = ''] = name.split('@');
    // The domain of `www.club.example` is `club`.
    const domain = /^[^\s.]+(\.[^\s.]+)+$/.test(host || name) ? ((host || name).split('.').at(-2) ?? '') : '';
    const fullNames = [name, local, host === '' ? domain : ''].map(lettersOf);
    if (fullNames.some((part) => part === letters || (part.length >= MIN_NAME && letters.includes(part)))) return true;
    const words = [...name.split(/[\s@._-]+/)].map(lettersOf).filter((word) => word.length >= MIN_NAME);
    if (words.some((word) => letters.includes(word) && letters.length - word.length <= MIN_NAME)) return true;
  }
  return false;
}

function lettersOf(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase();
  return [...plain]
    .map((sign) => lookalikes[sign] ?? sign)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
];

/**
 * Whether the password repeats a few characters, or consists of fewer than five pieces, counting runs such as `aaaa`, `1234` or `qwerty` as
 * one.
 */
function isRepetitive(signs: readonly string[]): boolean {
  for (let period = 1; period < 8 && period * 2 <= signs.length; period += 1)
    if (signs.every((sign, index) => index < period || sign === signs[index - period])) return true;
  let pieces = 0;
  for (let start = 0; start < signs.length; pieces += 1) {
    const length = Math.max(...steps.map((step) => runLength(signs, start, step)));
    start += length >= 3 ? length : 1;
  }
  return pieces < 5;
}

const steps: readonly ((sign: string, next: string) => boolean)[] = [
  (sign, next) => sign === next,
  (sign, next) => rows.some((row) => row.includes(sign + next)),
  (sign, next) => rows.some((row) => row.includes(next + sign)),
];

function runLength(signs: readonly string[], start: number, isStep: (sign: string, next: string) => boolean): number {
  let end = start + 1;
  while (end < signs.length && isStep(signs[end - 1] ?? '', signs[end] ?? '')) end += 1;
  return end - start;
}

/** Read on each call instead of cached, because passwords rarely change. */
function commonest(): ReadonlySet<string> {
  return new Set(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n'));
}

/** Runs work with limited concurrency, in order. */
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

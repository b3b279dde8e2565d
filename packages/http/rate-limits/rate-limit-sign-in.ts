import { createHash } from 'node:crypto';
import type { Log } from '@pergola/core';
import { networkOf } from '../security/hosts-address.ts';
import type { RatedCall, RateVerdict, SignInTry } from './types.ts';

interface Waiter {
  readonly timer: NodeJS.Timeout;
  giveUp(): void;
}

/** Maximum number of waiting requests in this process. */
const maxWaiting = 200;

/**
 * Limits password attempts to 10 a minute per account and 60 a minute per address (C32), whether the account exists or not, without locking
 * out its owner:
 *
 *   address     60 a minute
 *   account      5 a minute, from anywhere
 *   newcomers    1 in 12 s beyond that, for addresses that tried this account at most 3 times in the last hour
 *
 * An attacker using many addresses uses up the first five and makes those addresses known. The owner, from a different address, uses the
 * newcomer lane and waits for a turn if necessary. The latest newcomer goes first, so the lane can't be filled in advance.
 *
 * Only wrong passwords count in the end: successful attempts are given back.
 */
export class SignInGuard {
  readonly #tryTake: (call: RatedCall) => Promise<RateVerdict>;
  readonly #log: Log;
  readonly #waiters = new Map<string, Waiter>();

  constructor(tryTake: (call: RatedCall) => Promise<RateVerdict>, log: Log) {
    this.#tryTake = tryTake;
    this.#log = log;
  }

  async take({ account, address }: SignInTry): Promise<RateVerdict> {
    const network = networkOf(address);
    const accountKey = plain(account);
    const verdict = await this.#decide(accountKey, network);
    if (!verdict.ok) {
      // Logs a hash: people sometimes type their password into the login field.
      const accountHash = createHash('sha256').update(accountKey).digest('hex').slice(0, 12);
      this.#log.warn(
        { account: accountHash, address, retryAfter: verdict.retryAfter },
        'A sign-in was refused: too many tries',
      );
    }
    return verdict;
  }

  /** Counts taken by an attempt, to be given back if its password was right. */
  static countsOf({ account, address }: SignInTry): readonly RatedCall[] {
    const network = networkOf(address);
    const accountKey = plain(account);
    return [byAddress(network), byNewcomer(network, accountKey), byAccount(accountKey)];
  }

  /** Rejects all waiting attempts. */
  close(): void {
    for (const waiter of this.#waiters.values()) waiter.giveUp();
  }

  async #decide(account: string, network: string): Promise<RateVerdict> {
    const anywhere = await this.#tryTake(byAddress(network));
    if (!anywhere.ok) return anywhere;
    const [newcomer, anybody] = await Promise.all([
      this.#tryTake(byNewcomer(network, account)),
      this.#tryTake(byAccount(account)),
    ]);
    if (anybody.ok || !newcomer.ok) return anybody;
    const lane = await this.#takeLane(account);
    return lane.ok ? lane : this.#waitForLane(account, lane.retryAfter);
  }

  #takeLane(account: string): Promise<RateVerdict> {
    return this.#tryTake({ name: 'core.sign_in.lane', key: account, calls: 1, seconds: 12 });
  }

  async #waitForLane(account: string, seconds: number): Promise<RateVerdict> {
    this.#waiters.get(account)?.giveUp();
    if (this.#waiters.size >= maxWaiting) return { ok: false, retryAfter: seconds };
    const turn = await new Promise<boolean>((resolve) => {
      const leave = (hasTurn: boolean): void => {
        clearTimeout(waiter.timer);
        if (this.#waiters.get(account) === waiter) this.#waiters.delete(account);
        resolve(hasTurn);
      };
      const waiter: Waiter = { timer: setTimeout(() => leave(true), seconds * 1_000), giveUp: () => leave(false) };
      this.#waiters.set(account, waiter);
    });
    return turn ? this.#takeLane(account) : { ok: false, retryAfter: 12 };
  }
}

const plain = (account: string): string => account.trim().normalize('NFKC').toLowerCase();
const byAddress = (network: string): RatedCall => ({
  name: 'core.sign_in.address',
  key: network,
  calls: 60,
  seconds: 60,
});
const byNewcomer = (network: string, account: string): RatedCall => ({
  name: 'core.sign_in.newcomer',
  key: `${network} ${account}`,
  calls: 3,
  seconds: 3_600,
});
const byAccount = (account: string): RatedCall => ({
  name: 'core.sign_in.account',
  key: account,
  calls: 5,
  seconds: 60,
});

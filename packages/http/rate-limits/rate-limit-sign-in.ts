import { createHash } from 'node:crypto';
import type { Log } from '@pergola/core';
import { networkOf } from '../security/hosts-address.ts';
import type { RatedCall, RateVerdict, SignInTry } from './types.ts';

interface Waiter {
  readonly timer: NodeJS.Timeout;
  giveUp(): void;
}

/** Requests that wait for their turn, in this process. */
const mostWaiting = 200;

/**
 * How often somebody may try a password: at most 10 times a minute for one account, 60 times for one address (C32), whether the account exists or
 * not, without shutting out its owner:
 *
 *   address     60 a minute
 *   account      5 a minute, from anywhere
 *   newcomers    1 in 12 s beyond that, for addresses that tried this account at most 3 times in the last hour
 *
 * Who attacks an account from many addresses uses up the first five and makes those addresses known. The owner, from an address of their own, then
 * has the lane for newcomers, and waits for its turn if need be; the latest newcomer goes first, so nobody can line up there beforehand.
 *
 * Only passwords that were wrong count in the end: a try that succeeded is given back.
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
    const who = plain(account);
    const verdict = await this.#decide(who, network);
    if (!verdict.ok) {
      // Not as it was typed: now and then somebody types a password there.
      const about = createHash('sha256').update(who).digest('hex').slice(0, 12);
      this.#log.warn(
        { account: about, address, retryAfter: verdict.retryAfter },
        'A sign-in was refused: too many tries',
      );
    }
    return verdict;
  }

  /** What a try counted, to be given back when its password was right. */
  static countsOf({ account, address }: SignInTry): readonly RatedCall[] {
    const network = networkOf(address);
    const who = plain(account);
    return [byAddress(network), byNewcomer(network, who), byAccount(who)];
  }

  /** Sends away everybody who waits. */
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
    if (this.#waiters.size >= mostWaiting) return { ok: false, retryAfter: seconds };
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

import type { Ctx, Id, Ids } from '#core';
import { MailRecipient } from '../models/recipient.ts';

/** What became of a mailing's mails. */
export interface Figures {
  /** How many are in each state. */
  readonly states: Readonly<Record<string, number>>;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
}

/** Of a mailing nobody gets. */
export const noFigures: Figures = { states: {}, opened: 0, clicked: 0, unsubscribed: 0 };

/** Figures of mailings, in one query for all that are asked for at the same time; the next question gets new ones. */
export class SharedFigures {
  readonly #ctx: () => Ctx;
  #asked: { readonly key: string; readonly answer: Promise<Map<Id, Figures>> } | null = null;

  constructor(ctx: () => Ctx) {
    this.#ctx = ctx;
  }

  of(ids: Ids): Promise<Map<Id, Figures>> {
    const key = ids.join();
    if (this.#asked?.key === key) return this.#asked.answer;
    const answer = figuresOf(this.#ctx(), ids);
    const asked = { key, answer };
    this.#asked = asked;
    const forget = (): void => {
      if (this.#asked === asked) this.#asked = null;
    };
    answer.then(forget, forget);
    return answer;
  }
}

async function figuresOf(ctx: Ctx, ids: Ids): Promise<Map<Id, Figures>> {
  const rows = await ctx.model(MailRecipient).group([['mass_mailing_id', 'in', ids]], {
    by: ['mass_mailing_id', 'state'],
    aggregates: ['opened:count', 'clicked:count', 'unsubscribed:count'],
  });
  const found = new Map<Id, Figures>();
  for (const row of rows) {
    const [id] = [row.mass_mailing_id].flat().map(Number);
    const before = found.get(id ?? 0) ?? noFigures;
    found.set(id ?? 0, {
      states: { ...before.states, [String(row.state)]: row.count },
      opened: before.opened + Number(row['opened:count'] ?? 0),
      clicked: before.clicked + Number(row['clicked:count'] ?? 0),
      unsubscribed: before.unsubscribed + Number(row['unsubscribed:count'] ?? 0),
    });
  }
  return found;
}

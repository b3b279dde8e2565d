import type { Ctx } from 'pergola';
import { holdMinutes, paymentMinutes, pendingDays, transferHours } from '../../settings.ts';

const MINUTE = 60_000;

/** Returns until when a cart changed now keeps its holds. */
export async function cartUntil(ctx: Ctx): Promise<Date> {
  return later(ctx, (await ctx.settings.get(holdMinutes)) * MINUTE);
}

/** Returns until when an order whose payment starts now keeps its holds. */
export async function paymentUntil(ctx: Ctx): Promise<Date> {
  return later(ctx, (await ctx.settings.get(paymentMinutes)) * MINUTE);
}

/** Returns until when an order waits for a payment that is pending from now on. */
export async function pendingUntil(ctx: Ctx): Promise<Date> {
  return later(ctx, (await ctx.settings.get(pendingDays)) * 24 * 60 * MINUTE);
}

/** Returns until when limited items are held for a transfer announced now. */
export async function transferUntil(ctx: Ctx): Promise<Date> {
  return later(ctx, (await ctx.settings.get(transferHours)) * 60 * MINUTE);
}

function later(ctx: Ctx, milliseconds: number): Date {
  return new Date(ctx.now().getTime() + milliseconds);
}

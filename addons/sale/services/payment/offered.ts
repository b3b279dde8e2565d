import type { Ctx, FileRef, Id } from '#core';
import { PaymentAcquirer } from '../../models/payment-acquirer.ts';
import { providerOf } from './provider.ts';

/** A way to pay as the payment page shows it. */
export interface OfferedMethod {
  readonly id: Id;
  /** `Wire Transfer` */
  readonly name: string;
  readonly provider: string;
  readonly validation: 'manual' | 'automatic';
  /** HTML, sanitised. */
  readonly pre_msg: string | null;
  readonly image: FileRef | null;
  readonly test: boolean;
}

/** Which methods customers may pay by: those that are published, and where it counts none that only plays. */
export function offered(ctx: Ctx) {
  const played = ctx.config.production ? ([['environment', '=', 'prod']] as const) : ([] as const);
  return [['website_published', '=', true], ...played] as const;
}

/** Says in the log that methods which only play are published, and left out, on a site that counts. */
export async function warnOfTestMethods(ctx: Ctx): Promise<readonly []> {
  if (!ctx.config.production) return [];
  const played = await ctx.model(PaymentAcquirer).find(
    [
      ['website_published', '=', true],
      ['environment', '=', 'test'],
    ],
    { select: { name: true } },
  );
  for (const { name } of played)
    ctx.log.warn({ method: name }, 'A payment method for tests is published; in production nobody is offered it');
  return [];
}

/** The ways to pay that customers are offered, in order; those whose provider's addon is off are left out. */
export async function offeredMethods(ctx: Ctx): Promise<OfferedMethod[]> {
  const rows = await ctx
    .sudo() // What is published is for everybody; secrets are not read.
    .model(PaymentAcquirer)
    .find(offered(ctx), {
      select: { name: true, provider: true, validation: true, pre_msg: true, image: true, environment: true },
    });
  return rows
    .filter(({ provider }) => providerOf(ctx, provider) !== null)
    .map(({ environment, ...row }) => ({ ...row, test: environment === 'test' && row.provider !== 'transfer' }));
}

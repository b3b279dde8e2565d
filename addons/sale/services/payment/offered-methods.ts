import { type Ctx, type FileRef, type Id, NotFound } from 'pergola';
import { PaymentAcquirer } from '../../models/payment-acquirer.ts';
import { type PaymentProvider, paymentProviders, providerOf } from './payment-providers.ts';

/** A payment method as shown on the payment page. */
export interface OfferedMethod {
  readonly id: Id;
  /** `Wire Transfer` */
  readonly name: string;
  readonly provider: string;
  readonly validation: 'manual' | 'automatic';
  /** Sanitized HTML. */
  readonly pre_msg: string | null;
  readonly image: FileRef | null;
  readonly test: boolean;
}

/** Returns the methods offered to customers of a company, in order. */
export async function offeredMethods(ctx: Ctx, company: Id): Promise<OfferedMethod[]> {
  const rows = await ctx.model(PaymentAcquirer).find(offeredDomain(ctx), {
    select: { name: true, provider: true, validation: true, pre_msg: true, image: true, environment: true },
  });
  const lacking = await lackingProviders(ctx, rows, company);
  return rows
    .filter(({ provider }) => providerOf(ctx, provider) !== null && !lacking.has(provider))
    .map(({ environment, ...row }) => ({ ...row, test: environment === 'test' && row.provider !== 'transfer' }));
}

/** Returns the method and its provider. @throws NotFound unless it is offered to customers */
export async function offeredMethod(
  ctx: Ctx,
  id: Id,
  company: Id,
): Promise<{ acquirer: Id; provider: PaymentProvider }> {
  const acquirer = await ctx
    .model(PaymentAcquirer)
    .first([['id', '=', id], ...offeredDomain(ctx)], { select: { provider: true } });
  const provider = acquirer && providerOf(ctx, acquirer.provider);
  if (!acquirer || !provider || (await provider.missing?.(ctx, company)))
    throw new NotFound('This payment method isn’t available.', { code: 'sale.no_acquirer' });
  return { acquirer: acquirer.id, provider };
}

/** Returns the codes of providers that lack a requirement for a company. */
async function lackingProviders(
  ctx: Ctx,
  methods: readonly { readonly provider: string }[],
  company: Id,
): Promise<ReadonlySet<string>> {
  const lacking = new Set<string>();
  for (const code of new Set(methods.map(({ provider }) => provider)))
    if (await providerOf(ctx, code)?.missing?.(ctx, company)) lacking.add(code);
  return lacking;
}

/** Domain of the methods offered to customers: published ones, without test methods in production. */
function offeredDomain(ctx: Ctx) {
  const published = ['website_published', '=', true] as const;
  if (!ctx.config.production) return [published] as const;
  const playing = ctx.get(paymentProviders).filter(({ playsOnly }) => playsOnly);
  const real = [
    ['environment', '=', 'prod'],
    ['provider', 'not in', playing.map(({ code }) => code)],
  ] as const;
  return [published, ...real] as const;
}

/** Logs a warning in production for published test methods, which aren't offered. */
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
    ctx.log.warn({ method: name }, 'A test payment method is published; it isn’t offered in production');
  return [];
}

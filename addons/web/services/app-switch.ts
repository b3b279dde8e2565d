import { Conflict, type Ctx, errorText, InvalidInput, PergolaError, Unavailable } from 'pergola';
import { addonManager, BrokenAddons, type Plan } from 'pergola/kernel';
import { type AppAction, partiesOf, problemText } from './apps.ts';

/** What became of a switch that was asked for. */
export type Outcome =
  | { readonly kind: 'done' }
  /** It goes on; its line in the log of switches will have a higher number than `after`. */
  | { readonly kind: 'running'; readonly after: number }
  | { readonly kind: 'failed'; readonly problems: readonly string[] };

/** What somebody agreed to: who takes part, and for an uninstall the typed name. */
export interface Consent {
  readonly parties: string;
  readonly confirm: string;
}

/**
 * Begins a switch after what was agreed to; nothing happens when the plan is another one by now. Never in a transaction.
 *
 * @throws InvalidInput when the plan has changed or the typed name is not the one
 */
export async function beginSwitch(
  ctx: Ctx,
  name: string,
  action: AppAction,
  consent: Consent,
): Promise<
  | { readonly kind: 'failed'; readonly problems: readonly string[] }
  | { readonly kind: 'begun'; readonly after: number; readonly ended: Promise<Plan> }
> {
  const manager = addonManager(ctx);
  const plan = await manager.plan(action, [name]);
  if (plan.problems.length > 0) return { kind: 'failed', problems: plan.problems.map(problemText) };
  if (partiesOf(plan) !== consent.parties) {
    throw new InvalidInput('Something has changed in the meantime. Please look at the plan again.', {
      code: 'web.plan_changed',
    });
  }
  if (plan.confirm !== null && consent.confirm.trim() !== plan.confirm) {
    const message = 'Type the name exactly as it is shown.';
    throw new InvalidInput(message, { code: 'web.confirm_uninstall', fields: { confirm: message } });
  }
  const [latest] = await manager.history(1);
  const { ended } = manager.begin(action, [name], {
    by: ctx.user.login ?? '',
    yes: true,
    ...(plan.confirm === null ? {} : { confirm: plan.confirm }),
  });
  return { kind: 'begun', after: latest?.id ?? 0, ended };
}

/** The same, waiting for its end where that can be waited for. */
export async function runSwitch(ctx: Ctx, name: string, action: AppAction, consent: Consent): Promise<Outcome> {
  const begun = await beginSwitch(ctx, name, action, consent);
  if (begun.kind === 'failed') return begun;
  // Taking data out waits for all requests that began before it: this one, too.
  if (action === 'uninstall') return { kind: 'running', after: begun.after };
  return outcomeOf(ctx, begun.ended);
}

async function outcomeOf(ctx: Ctx, ended: Promise<unknown>): Promise<Outcome> {
  try {
    await ended;
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof BrokenAddons) return { kind: 'failed', problems: error.problems.map(problemText) };
    if (error instanceof Conflict || error instanceof Unavailable) {
      throw new InvalidInput(error.message, { code: error.code, params: error.params });
    }
    if (error instanceof PergolaError && !(error instanceof InvalidInput))
      return { kind: 'failed', problems: [errorText(ctx, error)] };
    throw error;
  }
}

/**
 * Tries an addon again that is enabled but left out because it was found broken: it is switched off and on, with all that went with it. When it still
 * does not fit it stays off, its data untouched, and the report says why.
 */
export async function retryBroken(ctx: Ctx, name: string): Promise<Outcome> {
  const manager = addonManager(ctx);
  const addon = (await manager.list({ look: true })).find((one) => one.name === name);
  if (!addon) throw new InvalidInput('There is no app “{name}”.', { code: 'web.no_app', params: { name } });
  // What was never enabled is only looked at again.
  if (addon.state === 'uninstalled')
    return addon.versionOnDisk === null
      ? { kind: 'failed', problems: addon.problems.map(problemText) }
      : { kind: 'done' };
  if (!addon.leftOut || addon.permanent)
    throw new InvalidInput('This app is not broken.', { code: 'web.app_not_broken' });
  const by = ctx.user.login ?? '';
  const off = await outcomeOf(ctx, manager.begin('disable', [name], { by, yes: true }).ended);
  if (off.kind !== 'done') return off;
  const [latest] = await manager.history(1);
  // What only a fresh process can load is served by that one: nobody waits for it here.
  manager.begin('enable', [name], { by, yes: true });
  return { kind: 'running', after: latest?.id ?? 0 };
}

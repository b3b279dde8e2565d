import { Conflict, type Ctx, errorText, InvalidInput, PergolaError, Unavailable } from 'pergola';
import { addonManager, BrokenAddons, changedSinceRehearsal, type Plan } from 'pergola/kernel';
import { type AppAction, partiesOf, problemText } from './apps.ts';

/** Outcome of a requested switch. */
export type Outcome =
  | { readonly kind: 'done' }
  /** Still running. The id of its entry in the switch history will be greater than `after`. */
  | { readonly kind: 'running'; readonly after: number }
  | { readonly kind: 'failed'; readonly problems: readonly string[] }
  /** The administrator has to review the plan of enabling it again. */
  | { readonly kind: 'review' };

/** The plan that a user confirmed: its addons, and for an uninstall the typed name. */
export interface Confirmation {
  readonly parties: string;
  readonly confirm: string;
  /** Fingerprint of the rehearsal whose report was confirmed. */
  readonly rehearsed?: string;
}

/**
 * Starts a switch that a user confirmed, unless its plan has changed since. Never call it in a transaction.
 *
 * @throws InvalidInput if the plan has changed or the typed name is wrong
 */
export async function beginSwitch(
  ctx: Ctx,
  name: string,
  action: AppAction,
  confirmation: Confirmation,
): Promise<
  | { readonly kind: 'failed'; readonly problems: readonly string[] }
  | { readonly kind: 'begun'; readonly after: number; readonly ended: Promise<Plan> }
> {
  const manager = addonManager(ctx);
  const plan = await manager.plan(action, [name]);
  if (plan.problems.length > 0) return { kind: 'failed', problems: plan.problems.map(problemText) };
  if (partiesOf(plan) !== confirmation.parties) {
    throw new InvalidInput('Something has changed in the meantime. Review the plan again.', {
      code: 'web.plan_changed',
    });
  }
  if (plan.confirm !== null && confirmation.confirm.trim() !== plan.confirm) {
    const message = 'Type the name exactly as shown.';
    throw new InvalidInput(message, { code: 'web.confirm_uninstall', fields: { confirm: message } });
  }
  const { rehearsed } = confirmation;
  if (rehearsed !== undefined && (await changedSinceRehearsal(ctx, plan, rehearsed)))
    throw new InvalidInput('The site has changed since the rehearsal. Rehearse again.', {
      code: 'web.rehearsal_outdated',
    });
  const [latest] = await manager.history(1);
  const { ended } = manager.begin(action, [name], {
    by: ctx.user.login ?? '',
    yes: true,
    ...(rehearsed !== undefined && { rehearsed }),
    ...(plan.confirm === null ? {} : { confirm: plan.confirm }),
  });
  return { kind: 'begun', after: latest?.id ?? 0, ended };
}

/** Same as `beginSwitch`, but waits for the end if possible. */
export async function runSwitch(
  ctx: Ctx,
  name: string,
  action: AppAction,
  confirmation: Confirmation,
): Promise<Outcome> {
  const start = await beginSwitch(ctx, name, action, confirmation);
  if (start.kind === 'failed') return start;
  // An uninstall waits for all requests that started before it, including this one.
  if (action === 'uninstall') return { kind: 'running', after: start.after };
  return outcomeOf(ctx, start.ended);
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
 * Retries an addon that is enabled but left out as broken: disables and enables it, along with all addons left out because of it. If it is
 * still broken, it stays disabled with its data intact, and the report contains the reason.
 */
export async function retryBroken(ctx: Ctx, name: string): Promise<Outcome> {
  const manager = addonManager(ctx);
  const addon = (await manager.list({ look: true })).find((candidate) => candidate.name === name);
  if (!addon) throw new InvalidInput('Unknown app “{name}”.', { code: 'web.no_app', params: { name } });
  // Addons that were never enabled are only checked again.
  if (addon.state === 'uninstalled')
    return addon.versionOnDisk === null
      ? { kind: 'failed', problems: addon.problems.map(problemText) }
      : { kind: 'done' };
  if (!addon.leftOut || addon.permanent)
    throw new InvalidInput('This app is not broken.', { code: 'web.app_not_broken' });
  const login = ctx.user.login ?? '';
  const off = await outcomeOf(ctx, manager.begin('disable', [name], { by: login, yes: true }).ended);
  if (off.kind !== 'done') return off;
  // Someone has to allow what the code can do now.
  if ((await manager.plan('enable', [name])).reviews.length > 0) return { kind: 'review' };
  const [latest] = await manager.history(1);
  // Code that needs a fresh process to load is served by that process, so this doesn't wait.
  manager.begin('enable', [name], { by: login, yes: true });
  return { kind: 'running', after: latest?.id ?? 0 };
}

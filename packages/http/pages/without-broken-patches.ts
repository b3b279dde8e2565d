import { type Breakers, breakers, type GuardedCall, type GuardedPart } from '@pergola/cluster';
import { currentAccount } from '@pergola/core';
import { type PlannedChange, templates } from '@pergola/pages';
import { guardedCall } from '../routes/guarded.ts';
import type { Rendering } from './render.ts';

/** Renders a template without these changes of other addons. */
type Render<T> = (omitted: ReadonlySet<PlannedChange>) => T;

/**
 * Renders a template without the patches that are off. If it fails, renders it without the patches that break it, and charges their addons. Fails
 * if it doesn't work without any patch either.
 */
export function withoutBrokenPatches<T>(rendering: Rendering, template: string, render: Render<T>): T {
  const { info } = rendering;
  const { generation } = info.site;
  const guard = generation.get(breakers);
  const call = guardedCall(info);
  const changes = guard.isQuiet ? [] : generation.get(templates).changesOf(template);
  const omitted = new Set(changes.filter((change) => guard.blocks(partOf(change), call)));
  try {
    const result = render(omitted);
    for (const change of changes) {
      if (omitted.has(change)) guard.note(rendering.tracker, partOf(change));
      else guard.succeed(partOf(change), call);
    }
    return result;
  } catch (error) {
    if (!guard.isChargeable(error)) throw error;
    return renderWithout(rendering, { template, omitted, error }, render, guard, call);
  }
}

function renderWithout<T>(
  { info, tracker }: Rendering,
  failure: { readonly template: string; readonly omitted: ReadonlySet<PlannedChange>; readonly error: unknown },
  render: Render<T>,
  guard: Breakers,
  call: GuardedCall,
): T {
  const { template, omitted, error } = failure;
  const suspects = new Set(info.site.generation.get(templates).changesOf(template)).difference(omitted);
  if (suspects.size === 0) throw error;
  let without = omitted.union(suspects);
  let result = attempt(render, without, error);
  for (const change of suspects) {
    // Put back, the change is sound if the page still works.
    const fewer = without.difference(new Set([change]));
    try {
      result = render(fewer);
      without = fewer;
    } catch {
      const part = partOf(change);
      info.log.error(
        { err: error, addon: part.addon, file: change.file, line: change.line, template },
        'A patch broke a page and was left out',
      );
      currentAccount()?.failed(error);
      guard.fail(part, call, error);
      guard.note(tracker, part);
    }
  }
  return result;
}

function attempt<T>(render: Render<T>, omitted: ReadonlySet<PlannedChange>, reported: unknown): T {
  try {
    return render(omitted);
  } catch {
    throw reported;
  }
}

function partOf({ addon, target, file, line }: PlannedChange): GuardedPart {
  return { addon, kind: 'patch', name: `${target}:${line}`, place: () => ({ file, line }) };
}

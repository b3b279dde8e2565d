import { app, type Ctx } from 'pergola';
import { type KeptRights, mayOperate, models, operationByLetter } from 'pergola/orm';
import { ownText } from 'pergola/pages';
import { operationText } from '../services/scope.ts';
import { plural } from '../texts.ts';

/** Selectable lifetimes of tokens in days. */
export const DAYS = ['7', '30', '90', '365'] as const;

interface TokenFormState {
  readonly values?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** Form for a new token, with the rights the user can grant. */
export async function tokenForm(ctx: Ctx, { values = {}, errors = {}, message }: TokenFormState) {
  const { kind = 'some', days = '90', name = '' } = values;
  return {
    message,
    errors,
    values: { name },
    days: DAYS.map((value) => ({
      value,
      chosen: value === days,
      text: plural(ctx, '{n} day', '{n} days', Number(value)),
    })),
    isSome: kind === 'some',
    isRead: kind === 'read',
    isAll: kind === 'all',
    apps: rightsByApp(ctx),
  };
}

/** The caller's rights per model, grouped by app. */
function rightsByApp(ctx: Ctx) {
  const registry = ctx.get(models);
  const byAddon = Map.groupBy(registry.models.values(), ({ addon }) => addon);
  return ctx.get(app.addons).flatMap(({ name, definition }) => {
    const listedModels = (byAddon.get(name) ?? []).flatMap((model) => {
      const rights = Object.entries(operationByLetter)
        .filter(([, operation]) => mayOperate(ctx, registry, model.name, operation))
        .map(([letter, operation]) => ({ value: `${model.name}:${letter}`, text: operationText(ctx, operation) }));
      return rights.length > 0 ? [{ name: model.name, label: ownText(ctx, name, model.label), rights }] : [];
    });
    const sorted = listedModels.toSorted((a, b) => a.label.localeCompare(b.label, ctx.lang.replace('_', '-')));
    return sorted.length > 0 ? [{ addon: name, title: ownText(ctx, name, definition.title), models: sorted }] : [];
  });
}

/** Converts the selection to the stored scope. */
export function scopeOf(kind: 'some' | 'read' | 'all', rights: readonly string[]): KeptRights {
  if (kind !== 'some') return { '*': kind === 'read' ? 'r' : 'rwcd' };
  const lettersByModel = Map.groupBy(rights, (right) => right.slice(0, right.indexOf(':')));
  return Object.fromEntries(
    [...lettersByModel].map(([model, list]) => [model, list.map((right) => right.at(-1)).join('')]),
  );
}

import { breakersPart } from '@pergola/cluster';
import { type Ctx, contextTools, definePart } from '@pergola/core';
import { database, dbPart, transactionOf } from '@pergola/db';
import { textsPart } from '@pergola/texts';
import { clockRepair } from './clock-repair.ts';
import { resolveRef } from './data/resolve.ts';
import { tables } from './data/tables.ts';
import { pendingFields, pendingFieldsOf } from './pending-fields.ts';
import { modelPoints } from './points.ts';
import { changeRecording } from './recording.ts';
import { modelRegistry } from './registry-key.ts';
import type { AnyModel, ModelRef } from './types.ts';

/** Models with their rights, computed fields and shipped records. */
export const ormPart = definePart({
  name: 'orm',
  needs: [dbPart, breakersPart, textsPart],
  points: modelPoints,
  tables,
  provide(host) {
    const recording = host.parts.map(({ recordChanges }) => recordChanges?.(host)).find((start) => start !== undefined);
    host.set(changeRecording, recording ?? null);
  },
  record: (_host, { previous }) => previous ?? [],
  generation: (_host, { record }) => ({ [pendingFields.name]: pendingFieldsOf(record) }),
  clockRepair: ({ get, parts }) =>
    clockRepair(
      get(database),
      parts.flatMap(({ clockStamps = [] }) => clockStamps),
    ),
  context: {
    model: (ctx) => ((ref: ModelRef | string) => modelNamed(ctx, nameOf(ref))) as Ctx['model'],
    modelNamed: (ctx) => (name) => modelNamed(ctx, name),
    lock: (ctx) => async (model, ids) => {
      await transactionOf(ctx).lock(tableOf(ctx, model), ids);
    },
    lineUp: (ctx) => (model, ids) => transactionOf(ctx).lineUp(tableOf(ctx, model), ids),
    ref: (ctx) => (externalId) => resolveRef(ctx, externalId),
  },
});

/** Returns the model's instance for the context, created once. */
function modelNamed(ctx: Ctx, name: string): AnyModel {
  const { memo } = ctx.get(contextTools);
  const key = `as addons see it:${name}`;
  const existing = memo.get(key);
  if (existing) return existing as AnyModel;
  const model = ctx.get(modelRegistry).model(ctx, name);
  memo.set(key, model);
  return model;
}

function tableOf(ctx: Ctx, model: ModelRef | string): string {
  return ctx.get(modelRegistry).need(nameOf(model)).table;
}

function nameOf(model: ModelRef | string): string {
  return typeof model === 'string' ? model : model.modelName;
}

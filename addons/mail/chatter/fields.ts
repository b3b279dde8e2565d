import { callModel } from '#addons/web';
import type { Ctx } from '#core';

/** A field as a screen names it; only fields that the caller may know of. */
export interface ShownField {
  readonly type: string;
  readonly string: string;
  readonly readonly: boolean;
  readonly relation?: string;
  readonly selection?: readonly (readonly [value: string, label: string])[];
  readonly currency_field?: string;
}

/** The fields of a model that the caller may read, by name. */
export async function shownFields(ctx: Ctx, model: string): Promise<ReadonlyMap<string, ShownField>> {
  const found = await callModel(ctx, { model, method: 'fields_get', args: [], kwargs: {} });
  return new Map(Object.entries(found as Readonly<Record<string, ShownField>>));
}

import type { Ctx } from '@pergola/core';
import { ownText } from '@pergola/texts';
import { modelRegistry } from './registry-key.ts';

/** Returns the label of a selection field's value in the context's language, or the value itself if it has no label. */
export function choiceText(ctx: Ctx, model: string, field: string, value: string): string {
  const choice = ctx.get(modelRegistry).get(model)?.fields.get(field)?.choices?.get(value);
  return choice ? ownText(ctx, choice.addon, choice.label) : value;
}

import type { FileRef } from 'pergola';
import { fromBase64 } from 'pergola/http';
import {
  type BoundModel,
  bindOther,
  type CompiledField,
  FieldProblem,
  isWritable,
  mayOperate,
  mayUseField,
  Problems,
} from 'pergola/orm';
import { isPlainObject } from './plain-object.ts';

/** A file of a call that is already stored. Only this module creates instances, so callers can't refer to files of others. */
class UploadedFile {
  readonly ref: FileRef;

  constructor(ref: FileRef) {
    this.ref = ref;
  }
}

/** Returns the file of a value. Throws FieldProblem for anything not stored by {@link storeFiles}. */
export function fileRefOf(value: unknown): FileRef {
  if (value instanceof UploadedFile) return value.ref;
  throw new FieldProblem('Send the file content as base64.');
}

/**
 * Stores the files in values and their lines. It is slow, so it runs before the call's transaction. Values of fields that the caller may
 * not write are left unchanged and refused later.
 *
 * @throws InvalidInput for content that isn't base64, is too large, or isn't an image if one is required
 */
export async function storeFiles(bound: BoundModel, raw: unknown): Promise<unknown> {
  if (!isPlainObject(raw)) return raw;
  const problems = new Problems(bound.ctx, bound.compiled);
  const values: [string, unknown][] = [];
  for (const [name, value] of Object.entries(raw)) {
    try {
      values.push([name, await storeValue(bound, name, value)]);
    } catch (error) {
      problems.takeOver(name.slice(0, 64), error);
    }
  }
  problems.throwIfAny();
  return Object.fromEntries(values);
}

async function storeValue(bound: BoundModel, name: string, value: unknown): Promise<unknown> {
  const { ctx, registry, compiled } = bound;
  const field = compiled.fields.get(name);
  if (!field || !isWritable(field) || !mayUseField(ctx, field)) return value;
  if (field.type === 'binary' || field.type === 'image') {
    return typeof value === 'string' && value !== '' ? storeFile(bound, field, value) : value === '' ? null : value;
  }
  const isLines = field.relation && field.relation.kind !== 'many2one' && Array.isArray(value);
  if (!isLines || !field.relation || !mayWrite(bound, field.relation.to)) return value;
  const lines = bindOther(bound, field.relation.to);
  if (!registry.get(field.relation.to)) return value;
  const stored: unknown[] = [];
  for (const item of value) stored.push(await storeCommand(lines, item));
  return stored;
}

async function storeCommand(lines: BoundModel, item: unknown): Promise<unknown> {
  if (!Array.isArray(item) || (item[0] !== 0 && item[0] !== 1)) return item;
  return [item[0], item[1], await storeFiles(lines, item[2])];
}

function mayWrite({ ctx, registry }: BoundModel, model: string): boolean {
  return mayOperate(ctx, registry, model, 'create') || mayOperate(ctx, registry, model, 'write');
}

async function storeFile({ ctx }: BoundModel, field: CompiledField, text: string): Promise<UploadedFile> {
  const content = fromBase64(text);
  if (!content) throw new FieldProblem('Send the file content as base64.');
  const maxBytes = field.options.maxBytes;
  if (maxBytes !== undefined && content.length > maxBytes) {
    throw new FieldProblem('This file is too large. The limit is {size} bytes.', { size: maxBytes });
  }
  return new UploadedFile(field.type === 'image' ? await ctx.files.putImage(content) : await ctx.files.put(content));
}

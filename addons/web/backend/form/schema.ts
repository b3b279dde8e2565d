import { plural, t } from 'pergola/browser';
import * as z from 'zod/mini';
import { isUnreadable } from '../fields/wire.ts';
import { formatNumber, plainText } from '../lib/format.ts';
import type { FieldInfo, ModelInfo } from '../types.ts';
import { isLines, shownOf } from './values.ts';
import { inState } from './view.ts';

/**
 * Builds the client-side schema of a form from the server's field definitions. The server validates everything again, and more.
 *
 * @param hidden names of hidden fields, which are not required
 */
export function schemaOf(
  info: ModelInfo,
  names: readonly string[],
  hidden: ReadonlySet<string>,
  values: Readonly<Record<string, unknown>>,
) {
  return z.object(
    Object.fromEntries(
      names.flatMap((name) => {
        const declared = info.fields[name];
        const field = declared && inState(declared, values);
        return field && !field.readonly && !hidden.has(name)
          ? [[name, z.unknown().check(checkOf(field))] as const]
          : [];
      }),
    ),
  );
}

function checkOf(field: FieldInfo) {
  return z.superRefine((value: unknown, ctx) => {
    const fault = faultOf(field, value);
    if (fault) ctx.issues.push({ code: 'custom', message: fault, input: value });
  });
}

/** Returns the error text of a value, or null if it is valid. */
export function faultOf(field: FieldInfo, value: unknown): string | null {
  if (isLines(value)) return faultOfLines(value);
  if (isUnreadable(value)) return value.fault;
  if (isMissing(field, value)) return field.required ? t('Fill in this field.') : null;
  switch (field.kind) {
    case 'char':
    case 'text':
      return field.size !== null && String(value).length > field.size
        ? plural('Use at most one character.', 'Use at most {n} characters.', field.size)
        : null;
    case 'integer':
    case 'float':
    case 'decimal':
    case 'money':
      return faultOfNumber(field, Number(value));
    default:
      return null;
  }
}

/** Whether a required value is missing. */
function isMissing(field: FieldInfo, value: unknown): boolean {
  if (field.kind === 'boolean') return false;
  if (value === false || value === null || value === undefined) return true;
  if (field.kind === 'html') return plainText(String(value)) === '' && !/<(img|video|iframe|hr)\b/i.test(String(value));
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) && value.length === 0;
}

function faultOfNumber({ min, max }: FieldInfo, value: number): string | null {
  if (!Number.isFinite(value)) return t('Enter a number.');
  if (min !== null && value < min) return t('Enter {n} or more.', { n: formatNumber(min) });
  if (max !== null && value > max) return t('Enter {n} or less.', { n: formatNumber(max) });
  return null;
}

/** Checks the cells of lines. The table marks the invalid ones. */
function faultOfLines(value: unknown): string | null {
  if (!isLines(value)) return null;
  const { fields, columns, lines } = value;
  const isFaulty = lines.some(
    (line) =>
      !line.follows &&
      // All cells of a new line are checked, but only the changed ones of an existing line.
      (line.id === null ? columns : Object.keys(line.changes)).some((name) => {
        const values = shownOf(line);
        const field = fields[name] && inState(fields[name], values);
        return field !== undefined && !field.readonly && faultOf(field, values[name]) !== null;
      }),
  );
  return isFaulty ? t('Some lines are incomplete.') : null;
}

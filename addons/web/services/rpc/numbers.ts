import { FieldProblem } from 'pergola/orm';

/** Clients calculate in floating point: `0.1 + 0.2` is meant to be 0.3. Integers are exact and never rounded. */
export function withoutNoise(value: unknown): string | number {
  if (typeof value === 'number' && Number.isInteger(value)) {
    if (Number.isSafeInteger(value)) return value;
    throw new FieldProblem('This number is too large.');
  }
  if (typeof value === 'number' && Number.isFinite(value)) return Number(value.toPrecision(15));
  if (typeof value === 'string') return value;
  throw new FieldProblem('Enter a number.');
}

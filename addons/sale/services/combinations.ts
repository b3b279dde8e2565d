import { type Id, type Ids, InvalidInput } from 'pergola';

/** Maximum number of variants; more indicate a mistake, or several products. */
const MAX_VARIANTS = 1000;

/** Values of one attribute that a product is available in. */
export interface ValuesOfLine {
  readonly values: Ids;
}
/** An existing variant. */
export interface ExistingVariant {
  readonly id: Id;
  readonly active: boolean;
  readonly attribute_value_ids: Ids;
}

/** Returns all combinations of one value per line, except the ones that contain all values of an exclusion. */
export function combinations(lines: readonly ValuesOfLine[], exclusions: readonly Ids[]): Id[][] {
  const number = lines.reduce((product, { values }) => product * Math.max(1, values.length), 1);
  if (number > MAX_VARIANTS) {
    throw new InvalidInput('These attributes would create {number} variants; the limit is {most}.', {
      code: 'sale.too_many_variants',
      params: { number, most: MAX_VARIANTS },
    });
  }
  return lines
    .filter(({ values }) => values.length > 0)
    .reduce<Id[][]>(
      (partials, { values }) => partials.flatMap((partial) => values.map((value) => [...partial, value])),
      [[]],
    )
    .filter(
      (combination) => !exclusions.some((set) => set.length > 0 && set.every((value) => combination.includes(value))),
    );
}

/** Returns the canonical key of a set of values; `-` if empty. */
export function combinationKey(values: Ids): string {
  return [...values].sort((a, b) => a - b).join(',') || '-';
}

/**
 * Returns the variant with this combination, or one that differs only by attributes with a single value, which don't distinguish variants.
 */
export function bestMatch(
  values: Ids,
  lines: readonly ValuesOfLine[],
  unmatched: ReadonlySet<ExistingVariant>,
): ExistingVariant | undefined {
  const key = combinationKey(values);
  const candidates = [...unmatched];
  const exact = candidates.find(({ attribute_value_ids }) => combinationKey(attribute_value_ids) === key);
  if (exact) return exact;
  const single = new Set(lines.filter((line) => line.values.length === 1).flatMap((line) => line.values));
  const telling = combinationKey(values.filter((value) => !single.has(value)));
  return candidates.find(
    ({ attribute_value_ids }) =>
      attribute_value_ids.every((value) => values.includes(value)) &&
      combinationKey(attribute_value_ids.filter((value) => !single.has(value))) === telling,
  );
}

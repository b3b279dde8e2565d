/** Rules of the page check. */
export const faultRules = ['alt', 'contrast', 'headings', 'names', 'links', 'pictures', 'languages', 'other'] as const;
export type FaultRule = (typeof faultRules)[number];

/** Number of violations of a rule on a page. */
export interface FaultCount {
  readonly rule: FaultRule;
  readonly count: number;
}

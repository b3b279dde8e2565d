/** What may be wrong with a page for those who visit it. */
export const faultRules = ['alt', 'contrast', 'headings', 'names', 'links', 'pictures', 'languages', 'other'] as const;
export type FaultRule = (typeof faultRules)[number];

/** How often a rule is broken on a page. */
export interface FaultCount {
  readonly rule: FaultRule;
  readonly count: number;
}

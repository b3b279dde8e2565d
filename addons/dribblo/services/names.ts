/** From this age on people are shown by their full name, in years. */
export const FULL_NAME_AGE = 16;

/** Age in whole years on a day; both as `2026-11-21`. */
export function ageOn(birthDate: string, day: string): number {
  return Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (day.slice(5) < birthDate.slice(5) ? 1 : 0);
}

/**
 * Whether somebody is to be shown as a child. Where the date of birth is not known the category decides (`ageLimit`: null for adults, undefined
 * when there is none), and where nothing is known the answer is the careful one.
 */
export function isProtected(birthDate: string | null, ageLimit: number | null | undefined, today: string): boolean {
  if (birthDate !== null) return ageOn(birthDate, today) < FULL_NAME_AGE;
  return ageLimit !== null;
}

/** A name as the website shows it: whole, or for children first name and initial (`Léo M.`). */
export function publicName(name: string, isChild: boolean): string {
  const words = name.trim().split(/\s+/u);
  if (!isChild || words.length < 2) return isChild ? (words[0] ?? '') : name.trim();
  const [initial = ''] = words.at(-1) ?? '';
  return `${words[0]} ${initial.toLocaleUpperCase()}.`;
}

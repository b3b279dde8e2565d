/** A moment as calls carry it, `2026-11-21 09:30:00` in UTC. */
export function wireTime(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}

/** The moment behind such a text. */
export function momentOf(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`);
}

/** Wire format of a moment: `2026-11-21 09:30:00` in UTC. */
export function wireTime(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}

/** Parses the wire format. */
export function momentOf(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`);
}

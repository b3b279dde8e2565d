/** Names the zone of a time at a place to visitors whose clocks show another time. The page itself is the same for everyone. */
export default function nameZone(element: HTMLTimeElement): void {
  const { zone, zoneName = '' } = element.dataset;
  const shown = (timeZone?: string): string =>
    new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(
      new Date(element.dateTime),
    );
  if (shown(zone) === shown()) return;
  element.append(` (${zoneName})`);
  // Once is enough, also when the page's behaviours are set up again.
  delete element.dataset.zone;
}

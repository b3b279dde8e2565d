/** Shows the time zone of a local time to visitors in another zone. The page HTML is the same for everyone. */
export default function nameZone(element: HTMLTimeElement): void {
  const { zone, zoneName = '' } = element.dataset;
  const timeIn = (timeZone?: string): string =>
    new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(
      new Date(element.dateTime),
    );
  if (timeIn(zone) === timeIn()) return;
  element.append(` (${zoneName})`);
  // Prevents a second run when the page's behaviours are set up again.
  delete element.dataset.zone;
}

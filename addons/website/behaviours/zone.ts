import { isSameTime } from '#core/browser';

/** Names the zone of a time at a place to visitors whose clocks show another time. The page itself is the same for everyone. */
export default function nameZone(element: HTMLTimeElement): void {
  const { zone = '', zoneName = '' } = element.dataset;
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  if (isSameTime(zone, here, new Date(element.dateTime))) return;
  element.append(` (${zoneName})`);
  // Once is enough, also when the page's behaviours are set up again.
  delete element.dataset.zone;
}

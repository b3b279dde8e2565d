/** Tells the shop's own statistics what was looked at. Nothing of the visitor goes along, and nothing is set. */
export function count(path: string): void {
  if (navigator.doNotTrack !== '1') navigator.sendBeacon(`/stats/ecom/${path}`);
}

/** Reports a view to the shop's own statistics. Sends no visitor data and sets no cookies. */
export function count(path: string): void {
  if (navigator.doNotTrack !== '1') navigator.sendBeacon(`/stats/ecom/${path}`);
}

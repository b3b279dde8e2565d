const degrees = String.raw`(-?\d{1,3}(?:\.\d+)?)`;

/** How links of maps say where a place is, what says it best first: the place itself, then the middle of the map. */
const ways = [
  `!3d${degrees}!4d${degrees}`,
  `[?&]mlat=${degrees}&mlon=${degrees}`,
  String.raw`[?&](?:q|query|ll|center|destination)=(?:loc:)?${degrees},[\s+]*${degrees}`,
  String.raw`#map=[\d.]+/${degrees}/${degrees}`,
  `@${degrees},${degrees}`,
  `^geo:${degrees},${degrees}`,
  String.raw`/${degrees},[\s+]*${degrees}`,
  String.raw`^${degrees}°?\s*[,;\s]\s*${degrees}°?$`,
  // With decimal commas.
  String.raw`^(-?\d{1,3},\d+)°?\s*[,;\s]\s*(-?\d{1,3},\d+)°?$`,
].map((way) => new RegExp(way));

/** Latitude and longitude from a link to a place on OpenStreetMap or Google Maps, a `geo:` address, or “47.25, 6.03”; null where it says neither. */
export function positionIn(text: string): { readonly latitude: number; readonly longitude: number } | null {
  const plain = text.trim().replaceAll('%2C', ',').replaceAll('%20', ' ');
  for (const way of ways) {
    const [, north, east] = way.exec(plain) ?? [];
    if (!north || !east) continue;
    const [latitude, longitude] = [north, east].map((one) => Number(one.replace(',', '.'))) as [number, number];
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  }
  return null;
}

/** Links that only the site that made them can read. */
export function isShortLink(text: string): boolean {
  return /^(?:https?:\/\/)?(?:maps\.app\.goo\.gl|goo\.gl|g\.co|osm\.org\/go)\//.test(text.trim());
}

const sites: readonly (readonly [pattern: RegExp, frame: (...parts: string[]) => string])[] = [
  [
    /^https:\/\/(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:.*&)?v=|embed\/|shorts\/)|youtu\.be\/)([\w-]{6,20})/,
    (id) => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0`,
  ],
  [
    /^https:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d{5,15})/,
    (id) => `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
  ],
  [
    /^https:\/\/(?:(?:www\.)?dailymotion\.com\/(?:embed\/)?video\/|dai\.ly\/)([a-zA-Z0-9]{5,15})/,
    (id) => `https://www.dailymotion.com/embed/video/${id}?autoplay=1`,
  ],
  [
    /^https:\/\/open\.spotify\.com\/(?:intl-\w+\/)?(?:embed\/)?(album|artist|episode|playlist|show|track)\/(\w{10,30})/,
    (kind, id) => `https://open.spotify.com/embed/${kind}/${id}`,
  ],
  [
    /^https:\/\/www\.openstreetmap\.org\/\?mlat=(-?\d{1,2}(?:\.\d{1,8})?)&mlon=(-?\d{1,3}(?:\.\d{1,8})?)#map=(\d{1,2})\//,
    (latitude, longitude, zoom) => {
      const [north, east] = [Number(latitude), Number(longitude)];
      // Half the width in degrees of a 600 pixel map at this zoom.
      const half = (360 / 2 ** Number(zoom)) * (300 / 256);
      const box = [east - half, north - half / 2, east + half, north + half / 2].map((edge) => edge.toFixed(5));
      return `https://www.openstreetmap.org/export/embed.html?bbox=${box.join('%2C')}&layer=mapnik&marker=${north}%2C${east}`;
    },
  ],
];

/** Allowed sources for embedded frames. */
export const frameSources = [
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://www.dailymotion.com',
  'https://open.spotify.com',
  'https://www.openstreetmap.org',
] as const;

/** Embed URL for a video, map or music link, or null for unknown sites. */
export function playerAddress(address: string): string | null {
  for (const [pattern, frame] of sites) {
    const parts = pattern.exec(address);
    if (parts) return frame(...parts.slice(1));
  }
  return null;
}

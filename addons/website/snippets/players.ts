const players: readonly (readonly [pattern: RegExp, player: (id: string) => string])[] = [
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
];

/** The address of a video's player, or null for what is none of YouTube's, Vimeo's or Dailymotion's. */
export function playerAddress(video: string): string | null {
  for (const [pattern, player] of players) {
    const id = pattern.exec(video)?.[1];
    if (id !== undefined) return player(id);
  }
  return null;
}

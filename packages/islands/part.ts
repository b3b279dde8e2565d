import { breakersPart } from '@pergola/cluster';
import { definePart, generations } from '@pergola/core';
import { textsPart } from '@pergola/texts';
import { clearDrafts } from './kept-build.ts';
import { assets, islandPoints } from './points.ts';

/** Browser assets: islands, behaviours, style sheets and icons. */
export const islandsPart = definePart({
  name: 'islands',
  needs: [breakersPart, textsPart],
  points: islandPoints,
  phases: {
    start: () => clearDrafts(),
    ready: ({ get }) => {
      // Loaded ahead, so that the first page doesn't wait for the components.
      if (get(generations).ready) void get(generations).current.get(assets).ready();
    },
  },
});

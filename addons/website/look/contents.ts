import type { Contents } from '../contents.ts';
import { looks } from './point.ts';
import { fontFile, lookSheet, openLook, previewLook } from './routes.ts';
import { shippedLooks } from './shipped.ts';

/** What the look of sites brings: colours, fonts, header and footer, chosen by who owns the site. */
export const look: Contents = {
  points: [looks],
  looks: shippedLooks,
  routes: [lookSheet, fontFile, [openLook, previewLook]],
};

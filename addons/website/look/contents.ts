import type { Contents } from '../contents.ts';
import { looks } from './point.ts';
import { fontFile, lookSheet, openLook, previewLook } from './routes.ts';
import { shippedLooks } from './shipped.ts';

/** Look of sites: colours, fonts, header and footer, chosen by the site owner. */
export const look: Contents = {
  points: [looks],
  looks: shippedLooks,
  routes: [lookSheet, fontFile, [openLook, previewLook]],
};

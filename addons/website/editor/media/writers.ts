import { type Ctx, listPoint } from 'pergola';

/** Returns whether the caller writes texts that can contain images. */
export type PictureWriter = (ctx: Ctx) => boolean | Promise<boolean>;

declare module 'pergola/contributions' {
  interface Contributions {
    /** Users who may upload images for texts, in addition to employees. */
    pictureWriters: readonly PictureWriter[];
  }
}

/**
 * Lets addons with rich-text editors for visitors decide who may upload images, in addition to employees.
 *
 * ```ts
 * pictureWriters: [(ctx) => ctx.get(Permissions).mayUsePictures()],
 * ```
 */
export const pictureWriters = listPoint('pictureWriters');

/** Returns whether the caller may upload images. */
export async function mayUploadPictures(ctx: Ctx): Promise<boolean> {
  if (isEmployee(ctx)) return true;
  for (const isWriter of ctx.get(pictureWriters)) if (await isWriter(ctx)) return true;
  return false;
}

/** Returns whether the caller may manage the website's media. */
export function isEmployee(ctx: Ctx): boolean {
  return ctx.has('base.group_user');
}

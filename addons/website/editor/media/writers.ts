import { type Ctx, listPoint } from 'pergola';

/** Whether the caller writes texts that may hold pictures. */
export type PictureWriter = (ctx: Ctx) => boolean | Promise<boolean>;

declare module 'pergola/contributions' {
  interface Contributions {
    /** Who may upload pictures for texts, besides employees. */
    pictureWriters: readonly PictureWriter[];
  }
}

/**
 * Where addons whose visitors write rich text say who of them may upload pictures, besides employees.
 *
 * ```ts
 * pictureWriters: [(ctx) => ctx.get(Permissions).mayUsePictures()],
 * ```
 */
export const pictureWriters = listPoint('pictureWriters');

/** Whether the caller may upload pictures at all. */
export async function mayUploadPictures(ctx: Ctx): Promise<boolean> {
  if (isEmployee(ctx)) return true;
  for (const isWriter of ctx.get(pictureWriters)) if (await isWriter(ctx)) return true;
  return false;
}

/** Whether the caller may keep files and pictures of the website by themselves. */
export function isEmployee(ctx: Ctx): boolean {
  return ctx.has('base.group_user');
}

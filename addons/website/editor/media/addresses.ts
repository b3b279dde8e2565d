import type { FileRef } from 'pergola';

/** Widths in pixels in which images are generated on demand. Other widths are rounded up, so that requests can't fill the disk. */
const pictureWidths = [160, 320, 480, 640, 960, 1280, 1920, 2560] as const;

/** Width in which a requested image is generated. */
export function roundedWidth(pixels: number): number {
  return pictureWidths.find((width) => width >= pixels) ?? 2560;
}

/** URL of an attached image. It changes with the content, so it can be cached forever. */
export function pictureAddress(id: number, hash: string): string {
  return `/website/image/ir.attachment/${id}_${hash.slice(0, 7)}/datas`;
}

/** Download URL of an attached file. */
export function fileAddress(id: number, name: string): string {
  return `/web/content/${id}/${encodeURIComponent(name)}`;
}

/** Prefixes shared by all URLs of an attachment, to find where it is used. */
export function needlesFor(id: number): readonly string[] {
  return [`/website/image/ir.attachment/${id}_`, `/web/content/${id}/`, `/web/image/ir.attachment/${id}/`];
}

/** Returns whether browsers may display the file inline: images re-encoded by the filestore, never SVG or other active content. */
export function isRaster({ mimetype }: Pick<FileRef, 'mimetype'>): boolean {
  return /^image\/(png|jpeg|webp|gif|avif)$/.test(mimetype);
}

import type { FileRef } from 'pergola';

/** Widths pictures are made in when they are asked for, in pixels. Any other is rounded up to one of these, so that nobody fills the disk. */
const pictureWidths = [160, 320, 480, 640, 960, 1280, 1920, 2560] as const;

/** The width a picture is made in for somebody who asks for this one. */
export function roundedWidth(pixels: number): number {
  return pictureWidths.find((width) => width >= pixels) ?? 2560;
}

/** Where an attached picture is served; the address changes with its content, so that it may be kept for ever. */
export function pictureAddress(id: number, hash: string): string {
  return `/website/image/ir.attachment/${id}_${hash.slice(0, 7)}/datas`;
}

/** Where an attached file is fetched. */
export function fileAddress(id: number, name: string): string {
  return `/web/content/${id}/${encodeURIComponent(name)}`;
}

/** What every address of an attached file holds, whatever follows: for finding where it is used. */
export function needlesFor(id: number): readonly string[] {
  return [`/website/image/ir.attachment/${id}_`, `/web/content/${id}/`, `/web/image/ir.attachment/${id}/`];
}

/** Whether browsers show the file in place: what the filestore re-encoded, never SVG or anything else that may run. */
export function isRaster({ mimetype }: Pick<FileRef, 'mimetype'>): boolean {
  return /^image\/(png|jpeg|webp|gif|avif)$/.test(mimetype);
}

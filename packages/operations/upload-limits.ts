import type { Ctx } from '@pergola/core';
import type { UploadLimits } from '@pergola/files';
import { setting } from '@pergola/settings';
import { z } from 'zod';

const megabytes = z.number().int().min(1).max(10_000_000).nullable();
const MB = 1_000_000;

/** Megabytes of all files together; null: as many as fit on the disk. The base addon shows it among the settings. */
export const uploadSpace = setting<number | null>('base.upload_space', megabytes, null, { label: '' });
/** Megabytes of one file; null: the limit of the kind of upload. */
export const uploadSize = setting<number | null>('base.upload_size', megabytes, null, { label: '' });

/** Current upload limits. */
export async function uploadLimitsOf(ctx: Ctx): Promise<UploadLimits> {
  const [file, total] = [await ctx.settings.get(uploadSize), await ctx.settings.get(uploadSpace)];
  return { file: file === null ? null : file * MB, total: total === null ? null : total * MB };
}

import type { Ctx } from 'pergola';

/** Groups whose members edit pages in place. Record access depends on their own rights. */
export const editorGroups = ['website.group_website_publisher', 'website.group_website_designer'] as const;

/** Returns whether members of these groups can edit pages in place. */
export function edits(groups: ReadonlySet<string>): boolean {
  return editorGroups.some((group) => groups.has(group));
}

/** Returns whether the request is from an editor. */
export function isEditor(ctx: Ctx): boolean {
  return edits(ctx.user.groups);
}

import type { Ctx } from 'pergola';

/** Groups whose members edit pages in place. What they may change of a record its own rights say. */
export const editorGroups = ['website.group_website_publisher', 'website.group_website_designer'] as const;

/** Whether somebody in these groups edits pages in place. */
export function edits(groups: ReadonlySet<string>): boolean {
  return editorGroups.some((group) => groups.has(group));
}

/** Whether the request is one of an editor. */
export function isEditor(ctx: Ctx): boolean {
  return edits(ctx.user.groups);
}

/** Extracts the content of a rendered email without the common layout: the cell `mail-main` of `web.mail_layout`. */
export function mailBody(html: string): string {
  const [, body] =
    /data-slot="mail-main"[^>]*>([\s\S]*)<\/td>\s*<\/tr>\s*<tr>\s*<td[^>]*data-slot="mail-footer"/.exec(html) ?? [];
  return (body ?? html).trim();
}

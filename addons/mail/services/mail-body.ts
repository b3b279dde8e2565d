/** What a rendered email says, without the frame that all emails share: the content of the cell `mail-main` of `web.mail_layout`. */
export function mailBody(html: string): string {
  const [, body] =
    /data-slot="mail-main"[^>]*>([\s\S]*)<\/td>\s*<\/tr>\s*<tr>\s*<td[^>]*data-slot="mail-footer"/.exec(html) ?? [];
  return (body ?? html).trim();
}

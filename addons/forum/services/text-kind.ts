/** Whether a text was written as HTML: by an editor, or by a program. */
export function looksLikeHtml(text: string): boolean {
  return /<\/?(p|br|div|span|ul|ol|li|a|b|i|em|strong|code|pre|blockquote|h[1-6]|img|table|hr|s|u|del)\b[^<>]*>/i.test(
    text,
  );
}

/** Whether a text has marks that nobody types by chance. */
export function looksLikeMarkdown(text: string): boolean {
  return (
    /^(#{1,6}\s|[ \t]{0,20}[-*+][ \t]{1,20}\S|[ \t]{0,20}\d{1,3}[.)][ \t]{1,20}\S|>\s|```|~~~)/m.test(text) ||
    /\*\*\S[^*]*\*\*|`[^`\n]+`|\[[^[\]\n]{1,300}\]\((https?:|\/)[^)\s]{1,2000}\)/.test(text)
  );
}

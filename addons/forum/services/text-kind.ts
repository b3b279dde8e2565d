/** Whether a text contains Markdown syntax that is unlikely to be accidental. */
export function looksLikeMarkdown(text: string): boolean {
  return (
    /^(#{1,6}\s|[ \t]{0,20}[-*+][ \t]{1,20}\S|[ \t]{0,20}\d{1,3}[.)][ \t]{1,20}\S|>\s|```|~~~|\|? ?:?-{3,}:? ?\|)/m.test(
      text,
    ) || /\*\*\S[^*]*\*\*|`[^`\n]+`|\[[^[\]\n]{1,300}\]\((https?:|\/)[^)\s]{1,2000}\)/.test(text)
  );
}

/** For `describe.each`: both languages of a test, with the path prefix of their pages (`at`) and the expected texts (`say`). */
export function byLanguage<T>({
  en,
  fr,
}: {
  readonly en: T;
  readonly fr: T;
}): { readonly at: string; readonly say: T }[] {
  return [
    { at: '', say: en },
    { at: '/fr', say: fr },
  ];
}

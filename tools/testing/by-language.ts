/** For `describe.each`: both languages of a test, by what the paths of their pages begin with (`at`) and the words that stand there (`say`). */
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

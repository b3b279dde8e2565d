/** An address as orders keep it, relations with their names. */
export interface OrderAddress {
  readonly name: string | null;
  readonly company?: string | null;
  readonly street: string | null;
  readonly street2: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly state: { readonly name: string | null } | null;
  readonly country: { readonly name: string | null } | null;
}

/** An address as lines of text, the way it stands on a letter; what is empty has no line. */
export function addressLines(address: OrderAddress): string[] {
  const { name, company, street, street2, zip, city, state, country } = address;
  const place = [zip, city].filter(Boolean).join(' ');
  return filledLines([name, company, street, street2, place, state?.name, country?.name]);
}

/** The lines that say something. */
export function filledLines(lines: readonly (string | null | undefined)[]): string[] {
  return lines.filter((text): text is string => Boolean(text));
}

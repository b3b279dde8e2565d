/** A text in English and French. */
export type Said = readonly [english: string, french: string];

/**
 * An attribute of a product with its values, by the keys of `attributes.ts`; a value may have a surcharge (a decimal, in the company's
 * currency).
 */
interface Choice {
  readonly attribute: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A product of the demo shop; its picture is `../pictures/<article>.png`. */
export interface Article {
  readonly name: Said;
  /** Description on orders, and first lines of the product page. */
  readonly text: Said;
  /** Further paragraphs of the product page. */
  readonly more?: readonly Said[];
  readonly price: string;
  readonly categories: readonly string[];
  readonly code?: string;
  /** Values whose variants have their own picture: `../pictures/<article>-<value>.png`. */
  readonly looks?: readonly string[];
  /** Captions of additional pictures, for one value or for all: `../pictures/<article>-view-<place>.png`. */
  readonly views?: readonly { readonly text: Said; readonly of?: string }[];
  readonly choices?: readonly Choice[];
  /** Pairs of values that are not available together. */
  readonly without?: readonly (readonly [string, string])[];
  /** Whether the reduced tax rate applies (food and books). */
  readonly reduced?: boolean;
  readonly service?: boolean;
  /** Stock of each variant; not tracked if left out. */
  readonly stock?: number;
  readonly ribbon?: 'sale' | 'new';
  /** Whether the card takes two columns and rows of the grid. */
  readonly wide?: boolean;
  readonly accessories?: readonly string[];
  readonly alternatives?: readonly string[];
}

/** Returns a text as the value of a translated field. */
export function said([english, french]: Said): { readonly en_US: string; readonly fr_FR: string } {
  return { en_US: english, fr_FR: french };
}

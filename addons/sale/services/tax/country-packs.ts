/** Level of a VAT rate. */
export type RateLevel =
  | 'standard'
  | 'intermediate'
  | 'reduced'
  | 'second_reduced'
  | 'super_reduced'
  | 'lodging'
  | 'zero';

/** Countries with a pack, as ISO codes. */
export type PackCountry = 'FR' | 'BE' | 'DE' | 'NL' | 'ES' | 'IT' | 'LU' | 'AT' | 'IE' | 'CH' | 'GB' | 'US';

/** Taxes that a shop in a country needs for its first sale. */
export interface CountryPack {
  readonly country: PackCountry;
  /** Countries of its VAT area. */
  readonly domestic: readonly string[];
  /** Whether it is a member of the European Union, whose businesses buy under reverse charge. */
  readonly isInUnion: boolean;
  /** Rates in per cent, the default first; empty for a country without VAT. */
  readonly rates: readonly (readonly [level: RateLevel, percent: string])[];
  /** Legal note on exports; the European Union's if left out. */
  readonly exportNote?: { readonly en_US: string; readonly fr_FR: string };
}

/** Member states of the European Union. */
export const union: readonly string[] = [
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'],
  ...['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
];

/** Legal notes required on documents without VAT. */
export const notes = {
  union: {
    en_US: 'Reverse charge: VAT is due from the customer (Articles 138 and 196 of Directive 2006/112/EC).',
    fr_FR: 'Autoliquidation\u00a0: TVA due par le client (articles 138 et 196 de la directive 2006/112/CE).',
  },
  export: {
    en_US: 'Export exempt from VAT (Article 146 of Directive 2006/112/EC).',
    fr_FR: 'Exportation exonérée de TVA (article 146 de la directive 2006/112/CE).',
  },
} as const;

/** Creates the pack of a European Union member state. */
function member(country: PackCountry, rates: CountryPack['rates'], more: Partial<CountryPack> = {}): CountryPack {
  return { country, domestic: [country], isInUnion: true, rates, ...more };
}

/** VAT rates in force in November 2026. If a rate changes, add a tax instead of editing it: past sales keep their tax. */
export const countryPacks: readonly CountryPack[] = [
  member(
    'FR',
    [
      ['standard', '20'],
      ['intermediate', '10'],
      ['reduced', '5.5'],
      ['super_reduced', '2.1'],
    ],
    {
      // Monaco belongs to the French VAT area.
      domestic: ['FR', 'MC'],
      exportNote: {
        en_US: 'Export exempt from VAT (Article 262 I of the French Tax Code).',
        fr_FR: 'Exportation exonérée de TVA (article 262 I du CGI).',
      },
    },
  ),
  member('BE', [
    ['standard', '21'],
    ['intermediate', '12'],
    ['reduced', '6'],
    ['zero', '0'],
  ]),
  member('DE', [
    ['standard', '19'],
    ['reduced', '7'],
    ['zero', '0'],
  ]),
  member('NL', [
    ['standard', '21'],
    ['reduced', '9'],
    ['zero', '0'],
  ]),
  member('ES', [
    ['standard', '21'],
    ['reduced', '10'],
    ['super_reduced', '4'],
  ]),
  member('IT', [
    ['standard', '22'],
    ['intermediate', '10'],
    ['reduced', '5'],
    ['super_reduced', '4'],
  ]),
  member('LU', [
    ['standard', '17'],
    ['intermediate', '14'],
    ['reduced', '8'],
    ['super_reduced', '3'],
  ]),
  member('AT', [
    ['standard', '20'],
    ['intermediate', '13'],
    ['reduced', '10'],
  ]),
  member('IE', [
    ['standard', '23'],
    ['reduced', '13.5'],
    ['second_reduced', '9'],
    ['zero', '0'],
  ]),
  {
    country: 'CH',
    // Liechtenstein belongs to the Swiss VAT area.
    domestic: ['CH', 'LI'],
    isInUnion: false,
    rates: [
      ['standard', '8.1'],
      ['lodging', '3.8'],
      ['reduced', '2.6'],
    ],
    exportNote: {
      en_US: 'Export exempt from VAT (Article 23 of the Swiss VAT Act).',
      fr_FR: 'Exportation exonérée de TVA (art. 23 LTVA).',
    },
  },
  {
    country: 'GB',
    // The Isle of Man belongs to the British VAT area.
    domestic: ['GB', 'IM'],
    isInUnion: false,
    rates: [
      ['standard', '20'],
      ['reduced', '5'],
      ['zero', '0'],
    ],
    exportNote: {
      en_US: 'Export, zero-rated for UK VAT.',
      fr_FR: 'Exportation, TVA britannique au taux zéro.',
    },
  },
  { country: 'US', domestic: ['US'], isInUnion: false, rates: [] },
];

import type { Said } from './types.ts';

interface Attribute {
  readonly name: Said;
  readonly type: 'radio' | 'select' | 'color';
  readonly values: Readonly<Record<string, { readonly name: Said; readonly color?: string }>>;
}

const untranslated = (text: string): Said => [text, text];

/** Attributes of the demo shop's products. */
export const attributes: Readonly<Record<string, Attribute>> = {
  colour: {
    name: ['Colour', 'Couleur'],
    type: 'color',
    values: {
      green: { name: ['Leaf green', 'Vert feuille'], color: '#3f7d55' },
      sky: { name: ['Sky blue', 'Bleu ciel'], color: '#4a7f96' },
      clay: { name: ['Terracotta', 'Terre cuite'], color: '#c06f45' },
      cream: { name: ['Cream', 'Crème'], color: '#f3ead6' },
      ink: { name: ['Night', 'Nuit'], color: '#34454c' },
    },
  },
  size: {
    name: ['Size', 'Taille'],
    type: 'radio',
    values: {
      s: { name: untranslated('S') },
      m: { name: untranslated('M') },
      l: { name: untranslated('L') },
      xl: { name: untranslated('XL') },
    },
  },
  volume: {
    name: ['Volume', 'Contenance'],
    type: 'radio',
    values: { l5: { name: ['5 litres', '5 litres'] }, l9: { name: ['9 litres', '9 litres'] } },
  },
  diameter: {
    name: ['Diameter', 'Diamètre'],
    type: 'select',
    values: {
      cm12: { name: untranslated('12 cm') },
      cm18: { name: untranslated('18 cm') },
      cm24: { name: untranslated('24 cm') },
    },
  },
  weight: {
    name: ['Weight', 'Poids'],
    type: 'radio',
    values: { g250: { name: untranslated('250 g') }, g500: { name: untranslated('500 g') } },
  },
  pages: {
    name: ['Pages', 'Pages'],
    type: 'select',
    values: {
      lined: { name: ['Lined', 'Lignées'] },
      dotted: { name: ['Dotted', 'Pointées'] },
      blank: { name: ['Blank', 'Blanches'] },
    },
  },
  amount: {
    name: ['Amount', 'Montant'],
    type: 'radio',
    values: {
      e25: { name: untranslated('25 €') },
      e50: { name: untranslated('50 €') },
      e100: { name: untranslated('100 €') },
    },
  },
};

/** Returns the external id of a value, without the addon's name. */
export function valueKey(attribute: string, value: string): string {
  return `value_${attribute}_${value}`;
}

import { ProductAttribute, ProductAttributeValue } from '@pergola/sale';
import { data, ref } from 'pergola';
import { PublicCategory } from '../models/product-public-category.ts';
import { attributes, valueKey } from './catalogue/attributes.ts';
import { categories } from './catalogue/categories.ts';
import { said } from './catalogue/types.ts';

const tree = data(
  PublicCategory,
  Object.fromEntries(
    Object.entries(categories).map(([key, { name, parent, text }], index) => [
      `category_${key}`,
      {
        name: said(name),
        sequence: index,
        website_published: true,
        ...(parent ? { parent_id: ref(`category_${parent}`) } : {}),
        ...(text ? { description: said(text) } : {}),
      },
    ]),
  ),
);

const kinds = data(
  ProductAttribute,
  Object.fromEntries(
    Object.entries(attributes).map(([key, { name, type }], index) => [
      `attribute_${key}`,
      { name: said(name), type, sequence: index },
    ]),
  ),
);

const values = data(
  ProductAttributeValue,
  Object.fromEntries(
    Object.entries(attributes).flatMap(([attribute, { values: attributeValues }]) =>
      Object.entries(attributeValues).map(([key, { name, color }], index) => [
        valueKey(attribute, key),
        {
          name: said(name),
          attribute_id: ref(`attribute_${attribute}`),
          sequence: index,
          ...(color ? { color } : {}),
        },
      ]),
    ),
  ),
);

export default [tree, kinds, values];

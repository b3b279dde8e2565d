import { models } from '@pergola/orm';
import { listing } from '../listing.ts';

export const command = listing({
  summary: 'Lists the models of the enabled addons with their fields',
  rows: ({ generation }) =>
    [...generation.get(models).models.values()].map((model) => ({
      model: model.name,
      label: model.label,
      addon: model.addon,
      publishable: model.options.publishable ?? false,
      fields: [...model.fields.values()].map(({ name, type, addon, groups, secret, relation, required }) => ({
        field: name,
        type,
        addon,
        required,
        to: relation?.to ?? null,
        groups,
        html: type === 'html',
        secret,
      })),
    })),
  lines: ({ model, addon, fields }) => [
    `${model} (${addon})`,
    ...fields.map(
      ({ field, type, to, addon: fieldAddon }) =>
        `  ${field.padEnd(28)} ${type}${to ? ` → ${to}` : ''}${fieldAddon === addon ? '' : ` (${fieldAddon})`}`,
    ),
  ],
});

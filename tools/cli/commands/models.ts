import type { Command } from '../../../core/app/commands.ts';
import { models } from '../../../core/model/points.ts';
import { withKernel } from '../with-kernel.ts';

export const command: Command = {
  summary: 'Lists the models of the enabled addons with their fields',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  run: ({ options, io }) =>
    withKernel(async (kernel) => {
      const rows = [...kernel.generation.get(models).models.values()].map((model) => ({
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
      }));
      if (options.json) io.out(JSON.stringify(rows, null, 2));
      else {
        for (const { model, addon, fields } of rows) {
          io.out(`${model} (${addon})`);
          for (const { field, type, to, addon: by } of fields)
            io.out(`  ${field.padEnd(28)} ${type}${to ? ` → ${to}` : ''}${by === addon ? '' : ` (${by})`}`);
        }
      }
      return 0;
    }),
};

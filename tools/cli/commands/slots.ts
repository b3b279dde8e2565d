import type { Command } from '@pergola/core';
import { templates } from '@pergola/pages';
import { withApplication } from '../with-application.ts';

export const command: Command = {
  summary: 'Lists a template’s anchors for patches',
  usage: '[template] [--source]',
  details: [
    'Under pergola dev, the header X-Pergola-Template names the template of a page: curl -sI http://localhost:8069/shop',
  ],
  options: { source: { type: 'boolean' } },
  run: ({ words: [template], options, io }) =>
    withApplication(async (application) => {
      const set = application.generation.get(templates);
      if (options.source && template) {
        io.out(set.sourceOf(template) ?? `There is no template "${template}".`);
        return set.has(template) ? 0 : 1;
      }
      for (const { template: id, anchors } of set.slots()) {
        if (template === undefined || id === template)
          io.out(
            [id, ...anchors.map(({ selector, element, line }) => `  ${selector} (<${element}>, line ${line})`)].join(
              '\n',
            ),
          );
      }
      return template === undefined || set.has(template) ? 0 : 1;
    }),
};

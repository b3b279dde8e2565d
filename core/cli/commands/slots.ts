import type { Command } from '../command.ts';
import { withKernel } from '../with-kernel.ts';

export const command: Command = {
  summary: 'Lists the anchors that patches of a template may name',
  usage: '[template] [--source]',
  options: { source: { type: 'boolean' } },
  run: ({ words: [template], options, io }) =>
    withKernel(async (kernel) => {
      const { templates } = kernel.generation;
      if (options.source && template) {
        io.out(templates.sourceOf(template) ?? `There is no template "${template}".`);
        return templates.has(template) ? 0 : 1;
      }
      for (const { template: id, anchors } of templates.slots()) {
        if (template === undefined || id === template)
          io.out(
            [id, ...anchors.map(({ selector, element, line }) => `  ${selector} (<${element}>, line ${line})`)].join(
              '\n',
            ),
          );
      }
      return template === undefined || templates.has(template) ? 0 : 1;
    }),
};

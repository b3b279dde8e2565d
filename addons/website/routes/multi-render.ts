import { route, z } from 'pergola';
import { publicTemplates } from 'pergola/pages';

/** Renders several templates in one call. Only public templates are rendered; other ids are omitted from the response. */
export const multiRender = route.rpc(
  '/website/multi_render',
  {
    name: 'website.multi_render',
    input: z.object({
      ids_or_xml_ids: z.array(z.union([z.string().max(200), z.number()])).max(100),
      values: z.record(z.string().max(64), z.unknown()).nullish(),
    }),
  },
  async ({ ctx, input, renderFragment }) => {
    const publicIds = [...ctx.get(publicTemplates)];
    const rendered: Record<string, string> = {};
    for (const id of new Set(input.ids_or_xml_ids)) {
      const template = publicIds.find((candidate) => candidate === id);
      if (!template) continue;
      try {
        rendered[template] = await renderFragment(template, input.values ?? {});
      } catch (error) {
        // With invalid values the template has nothing to show.
        ctx.log.info({ err: error, template: id }, 'A template asked for by a call could not be rendered');
      }
    }
    return rendered;
  },
);

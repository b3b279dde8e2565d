import { f, type Ids, InvalidInput, model } from 'pergola';

/** Block saved by editors for other pages: inserted as a copy, or shared, in which case changes apply everywhere. */
export class SavedBlock extends model(
  'website.saved_block',
  {
    name: f.char({ required: true, size: 120, label: 'Block' }),
    content: f.html({ translate: true, sanitize: 'page', required: true }),
    is_shared: f.boolean({ label: 'Shared', help: 'Changes apply everywhere it’s used. Otherwise pages get a copy.' }),
  },
  { order: 'name, id', label: 'Saved block' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!changed.has('content')) return;
    for (const { content } of await this.read(ids, { select: { content: true } })) {
      if (!content.includes('data-block="website.saved"')) continue;
      throw new InvalidInput('A shared block can’t contain another one.', { code: 'website.nested_block' });
    }
  }
}

declare module 'pergola' {
  interface Models {
    'website.saved_block': SavedBlock;
  }
}

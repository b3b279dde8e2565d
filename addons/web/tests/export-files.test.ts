import { toXlsx } from '../services/backend/export-files.ts';

const written = (text: string) => toXlsx({ headers: ['Text'], rows: [[text]] });

it('a text that no cell of a spreadsheet holds is refused, not cut short', async () => {
  expect((await written('x'.repeat(32_767))).subarray(0, 2).toString()).toBe('PK');
  await expect(written('x'.repeat(32_768))).rejects.toMatchObject({ code: 'web.export_text' });
});

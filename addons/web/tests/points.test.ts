import { join } from 'node:path';
import { createTestApp } from '#core/testing';

test('Views, menus and public methods are checked against the models before they serve', async () => {
  const roots = [join(import.meta.dirname, 'fixtures')];
  const told = await createTestApp({ addons: ['fx_wrong_views'], database: 'sqlite', roots }).then(
    () => '',
    (error: Error) => error.message,
  );
  for (const part of [
    /menu "fx_wrong_views\.menu" names the model "fx\.absent"/,
    /menu "fx_wrong_views\.menu" names the group "fx_wrong_views\.editr".*Did you mean “fx_wrong_views\.editor”/,
    /the list of "fx\.wrong": .*“tittle”/,
    /the form of "fx\.wrong": the button's method "publish" is not declared public/,
    /the pivot of "fx\.wrong": "display_name" cannot be grouped by or added up/,
    /the graph of "fx\.wrong": .*“nope”/,
    /widget "fx_wrong_views\.widget" counts "fx\.wrong" for "Wrong", and "fx_wrong_views\.menu" leads to other records/,
    /widget "fx_wrong_views\.widget" names the filter "absent"/,
    /public method "fx\.wrong\.absent" is not there/,
  ])
    expect(told).toMatch(part);
});

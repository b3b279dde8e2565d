import { withOwnedFunctions } from '../costs/owned-code.ts';

test('functions of a contributed object keep their state, and may be replaced afterwards', () => {
  const provider = {
    calls: 0,
    refund() {
      this.calls += 1;
      return 'done';
    },
  };
  const measured = withOwnedFunctions('fx_shop', provider);
  expect([measured.refund(), measured.refund(), provider.calls]).toEqual(['done', 'done', 2]);
  provider.refund = () => 'pending';
  expect(measured.refund()).toBe('pending');
});

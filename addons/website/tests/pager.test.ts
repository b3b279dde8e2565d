import { pagerOf } from '../services/pager.ts';

const address = (page: number) => `/list?page=${page}`;
const pageNumbers = (page: number, count: number) => {
  const { pages } = pagerOf({ page, count, size: 10, address });
  return pages.map(({ number, current, gap }) => `${gap ? '… ' : ''}${number}${current ? '!' : ''}`).join(' ');
};

describe('Links to the pages of a list', () => {
  it.each([
    [1, 5, ''],
    [1, 25, '1! 2 3'],
    [1, 95, '1! 2 3 … 10'],
    [5, 95, '1 … 3 4 5! 6 7 … 10'],
    [10, 95, '1 … 8 9 10!'],
  ])('of page %s of %s records', (page, count, links) => {
    expect(pageNumbers(page, count)).toBe(links);
  });

  it('leads to the pages beside it, and to the last where there are not so many', () => {
    expect(pagerOf({ page: 2, count: 25, size: 10, address })).toMatchObject({
      offset: 10,
      previous: '/list?page=1',
      next: '/list?page=3',
    });
    expect(pagerOf({ page: 9, count: 25, size: 10, address })).toMatchObject({ page: 3, offset: 20, next: null });
    expect(pagerOf({ page: 0, count: 0, size: 10, address })).toMatchObject({ page: 1, offset: 0, previous: null });
  });
});

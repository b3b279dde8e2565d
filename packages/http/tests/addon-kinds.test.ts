import { createTestApp, type TestApp } from 'pergola/testing';

describe('A kind of routes of an addon', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_open'] });
  });
  afterAll(() => app.close());

  test('turns the result of its handlers into its replies, and reads the declared query', async () => {
    const { status, text, headers } = await app.get('/fx/open/list.csv?to=2');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(text).toBe('"1","a ""b"""\n"2","a ""b"""');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('reads and answers in its own way, and refuses cross-site requests by default', async () => {
    const put = (origin: string) =>
      app.request('/fx/open/lines', { method: 'PUT', body: 'one\ntwo', headers: { Origin: origin } });
    expect((await put(app.url)).text).toBe('one\nen_US\n');
    expect((await put('https://elsewhere.example')).status).toBe(403);
  });
});

import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { InvalidInput } from '../../../core/base/errors.ts';
import { createHosts, type HostRules } from '../security/hosts.ts';
import { isPrivateNetwork, networkOf } from '../security/hosts-address.ts';

const development: HostRules = {
  baseUrl: 'http://localhost:8069',
  allowedHosts: [],
  trustedProxies: [],
  production: false,
  port: 8069,
};
const production: HostRules = {
  baseUrl: 'https://club.example',
  allowedHosts: ['shop.example', 'admin.example:8443', '*.teams.example', 'café.example'],
  trustedProxies: [],
  production: true,
  port: 8069,
};

interface Said {
  host?: string | string[];
  url?: string;
  peer?: string;
  headers?: Record<string, string>;
}
function request({ host = [], url = '/', peer = '203.0.113.9', headers = {} }: Said): IncomingMessage {
  const rawHeaders = [...[host].flat().flatMap((value) => ['Host', value]), ...Object.entries(headers).flat()];
  return { url, rawHeaders, headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage;
}
const originOf = (rules: HostRules, said: Said, more: readonly string[] = []): string | null =>
  createHosts(rules).resolve(request(said), more)?.origin ?? null;

describe('The host of a request', () => {
  test.each([
    ['localhost:8069', 'http://localhost:8069'],
    ['LOCALHOST:8069', 'http://localhost:8069'],
    ['localhost', 'http://localhost'],
    ['127.0.0.1:23456', 'http://127.0.0.1:23456'],
    ['127.8.8.8', 'http://127.8.8.8'],
    ['[::1]:8069', 'http://[::1]:8069'],
    ['club.localhost:8069', 'http://club.localhost:8069'],
    ['evil.example', null],
    ['localhost.evil.example', null],
    ['127.0.0.1.evil.example', null],
    ['192.168.0.5:8069', null],
  ])('in development, %s is %p', (host, expected) => {
    expect(originOf(development, { host })).toBe(expected);
  });

  test.each([
    ['club.example', 'https://club.example'],
    ['club.example:443', 'https://club.example'],
    ['Club.Example.', 'https://club.example'],
    ['club.example:8069', 'https://club.example:8069'],
    ['club.example:1337', null],
    ['shop.example', 'https://shop.example'],
    ['shop.example:8443', null],
    ['admin.example:8443', 'https://admin.example:8443'],
    ['admin.example', null],
    ['u9.teams.example', 'https://u9.teams.example'],
    ['teams.example', null],
    ['.teams.example', null],
    ['evilteams.example', null],
    ['xn--caf-dma.example', 'https://xn--caf-dma.example'],
    ['localhost:8069', null],
    ['127.0.0.1:8069', null],
    ['evil.example', null],
    ['club.example@evil.example', null],
    ['club.example/evil', null],
    ['club.example:', null],
    ['club.example:99999', null],
    ['club.example, evil.example', null],
    ['', null],
  ])('in production, %s is %p', (host, expected) => {
    expect(originOf(production, { host })).toBe(expected);
  });

  test('may be one that an addon serves, for as long as it does', () => {
    const hosts = createHosts(production);
    const names = ['blog.example'];
    expect(hosts.resolve(request({ host: 'blog.example' }), names)?.origin).toBe('https://blog.example');
    expect(hosts.resolve(request({ host: 'Blog.example' }), names)?.name).toBe('blog.example');
    expect(hosts.resolve(request({ host: 'blog.example:1337' }), names)).toBeNull();
    expect(hosts.resolve(request({ host: 'blog.example' }), [])).toBeNull();
  });

  test('is nobody with two Host lines, with none, or with an absolute target of another host', () => {
    expect(originOf(production, { host: ['club.example', 'club.example'] })).toBeNull();
    expect(originOf(production, { host: [] })).toBeNull();
    expect(originOf(production, { host: 'club.example', url: 'http://evil.example/' })).toBeNull();
    expect(originOf(production, { host: 'club.example', url: 'http://club.example@evil.example/' })).toBeNull();
    expect(originOf(production, { host: 'evil.example', url: 'http://club.example/' })).toBeNull();
    expect(originOf(production, { host: 'club.example', url: 'ftp://club.example/' })).toBeNull();
    expect(originOf(production, { host: 'club.example', url: 'http://CLUB.example/x' })).toBe('https://club.example');
  });

  test('is what a named proxy says, and never what anybody else says', () => {
    const headers = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'http' };
    const behind = { ...production, trustedProxies: ['10.0.0.0/8'] };
    expect(originOf(behind, { host: 'club.example', headers, peer: '10.1.2.3' })).toBe('http://shop.example');
    expect(originOf(behind, { host: 'club.example', headers, peer: '::ffff:10.1.2.3' })).toBe('http://shop.example');
    expect(originOf(behind, { host: 'club.example', headers })).toBe('https://club.example');
    expect(originOf(production, { host: 'club.example', headers, peer: '10.1.2.3' })).toBe('https://club.example');
    const evil = { 'x-forwarded-host': 'evil.example' };
    expect(originOf(behind, { host: 'club.example', headers: evil, peer: '10.1.2.3' })).toBeNull();
    expect(originOf(production, { host: 'club.example', headers: { forwarded: 'host=evil.example' } })).toBe(
      'https://club.example',
    );
    expect(originOf(production, { host: 'club.example', headers: evil })).toBe('https://club.example');
  });

  test('is checked on what node really hands over', async () => {
    const hosts = createHosts(development);
    const server = createServer((req, res) => res.end(hosts.resolve(req, [])?.origin ?? 'nobody')).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const send = (text: string): Promise<string> =>
      new Promise((resolve) => {
        let answer = '';
        const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\nConnection: close\r\n\r\n`));
        socket.on('data', (data) => {
          answer += data;
        });
        socket.on('close', () => resolve(answer.split('\r\n\r\n')[1]?.replace(/^\w+\r\n|\r\n0$/g, '') ?? ''));
      });
    try {
      const one = `Host: localhost:${port}`;
      expect(await send(`GET / HTTP/1.1\r\n${one}`)).toContain(`http://localhost:${port}`);
      expect(await send(`GET / HTTP/1.1\r\n${one}\r\nhost: evil.example`)).toContain('nobody');
      expect(await send(`GET http://evil.example/ HTTP/1.1\r\n${one}`)).toContain('nobody');
      expect(await send(`GET http://localhost:${port}/ HTTP/1.1\r\n${one}`)).toContain(`http://localhost:${port}`);
      expect(await send('GET / HTTP/1.0')).toContain('nobody');
    } finally {
      server.close();
    }
  });
});

describe('The address of a visitor', () => {
  test.each([
    ['the peer itself', [], '203.0.113.9', undefined, '203.0.113.9'],
    ['the peer, written as IPv4', [], '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['the peer, written in hexadecimal', [], '::ffff:cb00:7109', undefined, '203.0.113.9'],
    [
      'a visitor behind a proxy, written in hexadecimal',
      ['loopback'],
      '127.0.0.1',
      '0:0:0:0:0:FFFF:cb00:7109',
      '203.0.113.9',
    ],
    ['an IPv6 address in its shortest spelling', [], '2001:0DB8:0:0::1', undefined, '2001:db8::1'],
    ['not what a stranger says', [], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['not what a stranger says beside a proxy', ['10.0.0.1'], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['what a named proxy says', ['10.0.0.1'], '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the last one that is no proxy', ['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.7', '198.51.100.1'],
    ['IPv6 as a proxy says', ['loopback'], '127.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['the peer when a proxy says nonsense', ['10.0.0.1'], '10.0.0.1', 'unknown', '10.0.0.1'],
    ['the peer when a proxy says nothing', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
  ])('is %s', (_, trustedProxies, peer, forwardedFor, expected) => {
    const hosts = createHosts({ ...production, trustedProxies });
    const headers: Record<string, string> = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    expect(hosts.clientAddress(request({ peer, headers }))).toBe(expected);
  });

  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.0.0.1', true],
    ['203.0.113.9', false],
  ])('counts as a trusted peer: %s %p', (peer, expected) => {
    expect(createHosts({ ...production, trustedProxies: ['10.0.0.1'] }).isTrustedPeer(request({ peer }))).toBe(
      expected,
    );
  });

  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['192.168.7.7', true],
    ['172.17.0.1', true],
    ['fd00::7', true],
    ['fe80::1%eth0', true],
    ['203.0.113.9', false],
    ['2001:db8::1', false],
  ])('is of a private network, which many share: %s %p', (address, expected) => {
    expect(isPrivateNetwork(networkOf(address))).toBe(expected);
  });

  test('stands for a network of 64 bits in IPv6 and for itself in IPv4', () => {
    expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:db8:1:2::6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:0DB8::1')).toBe('2001:db8:0:0::/64');
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(networkOf('64:ff9b::192.0.2.1')).toBe('64:ff9b:0:0::/64');
  });
});

describe('A configuration', () => {
  test.each([
    ['TRUSTED_PROXIES', { trustedProxies: ['10.0.0.1', 'my-proxy'] }],
    ['ALLOWED_HOSTS', { allowedHosts: ['https://shop.example'] }],
    ['ALLOWED_HOSTS', { allowedHosts: ['a b'] }],
  ])('that does not fit names %s', (variable, rules) => {
    const make = () => createHosts({ ...production, ...rules });
    expect(make).toThrow(InvalidInput);
    expect(make).toThrow(variable);
  });
});

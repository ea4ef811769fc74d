import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isPublicAddress, reasonNotPublic } from '#api/fetch/public-address.ts';
import { parseTarget, publicPolicy, TargetRefused, toDisplayHost } from '#api/fetch/target.ts';

describe('addresses', () => {
  const refused = [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:0:4136:e378::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:0a00:0001::1',
    '2620:4f:8000::1',
    '3ffe::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%lo',
    'fec0::1',
    'ff02::1',
    '2a00:1450:4001::5efe:7f00:1',
    '2a00:1450:4001:0:200:5efe:10.0.0.1',
    '4000::1',
    'e000::1',
    '',
    'localhost',
    '127.1',
    '0177.0.0.1',
    '0x7f000001',
    '2130706433',
    '1.2.3',
    '1.2.3.4.5',
    '[::1]',
    '2a00:1450::1%eth0',
  ];
  const accepted = [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '168.63.129.17',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700:4700::1111',
    '2620:4f:8001::1',
    '2a00:1450:4001:0:0:5eff:7f00:1',
    '3000::1',
  ];
  for (const address of refused) {
    test(`${address || '(empty)'} is refused`, () => {
      assert.equal(isPublicAddress(address), false);
      assert.match(reasonNotPublic(address) ?? '', /^(is|names|belonged) /);
    });
  }
  for (const address of accepted) {
    test(`${address} is public`, () => assert.equal(reasonNotPublic(address), null));
  }
});

describe('targets', () => {
  const accepted: [text: string, href: string][] = [
    ['https://example.com', 'https://example.com/'],
    ['HTTP://EXAMPLE.com:80/a?b#c', 'http://example.com/a?b'],
    ['https://example.com./', 'https://example.com/'],
    ['https://example.com../x', 'https://example.com/x'],
    ['http://example.com:443/', 'http://example.com:443/'],
    ['https://bücher.de/', 'https://xn--bcher-kva.de/'],
    ['https://例え.jp/', 'https://xn--r8jz45g.jp/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://a_b.example.com/', 'https://a_b.example.com/'],
  ];
  for (const [text, href] of accepted) {
    test(`${text} is ${href}`, () => assert.equal(parseTarget(text, publicPolicy).href, href));
  }

  const refused: [text: string, code: string][] = [
    ['', 'not-a-url'],
    ['example.com', 'not-a-url'],
    ['//example.com/', 'not-a-url'],
    ['http:example.com', 'not-a-url'],
    ['http:///example.com', 'not-a-url'],
    ['http:/\\example.com', 'not-a-url'],
    [' https://example.com', 'not-a-url'],
    ['https://example.com/a b', 'not-a-url'],
    ['https://exam\tple.com/', 'not-a-url'],
    ['https://example.com/\r\nx: y', 'not-a-url'],
    ['https://example.com\\@127.0.0.1/', 'not-a-url'],
    ['https://[fe80::1%25eth0]/', 'not-a-url'],
    ['https://exa%00mple.com/', 'not-a-url'],
    ['http://256.256.256.256/', 'not-a-url'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://127.0.0.1:6379/_x', 'scheme'],
    ['ws://example.com/', 'scheme'],
    ['javascript:alert(1)', 'not-a-url'],
    ['data:text/html,hello', 'not-a-url'],
    ['https://user@example.com/', 'user-info'],
    ['https://user:secret@example.com/', 'user-info'],
    ['https://@example.com/', 'user-info'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:8080/', 'port'],
    ['https://example.com:0/', 'port'],
    ['http://wiki/', 'single-label-host'],
    ['http://intranet/', 'special-use-host'],
    ['http://localhost/', 'special-use-host'],
    ['http://localhost./', 'special-use-host'],
    ['http://LOCALHOST/', 'special-use-host'],
    ['http://a.localhost/', 'special-use-host'],
    ['http://printer.local/', 'special-use-host'],
    ['http://metadata.google.internal/', 'special-use-host'],
    ['http://site.test/', 'special-use-host'],
    ['http://abcdef.onion/', 'special-use-host'],
    ['http://nas.home.arpa/', 'special-use-host'],
    ['http://1.0.0.127.in-addr.arpa/', 'special-use-host'],
    ['http://a.invalid/', 'special-use-host'],
    ['http://a.example/', 'special-use-host'],
    ['http://a..example.com/', 'invalid-host'],
    [`http://${'a'.repeat(64)}.com/`, 'invalid-host'],
    [`http://${'a.'.repeat(130)}com/`, 'invalid-host'],
    [`https://example.com/${'a'.repeat(2048)}`, 'too-long'],
    [`https://example.com/${'é'.repeat(1000)}`, 'too-long'],
    ['http://127.0.0.1/', 'private-address'],
    ['http://127.0.0.1./', 'private-address'],
    ['http://127.1/', 'private-address'],
    ['http://2130706433/', 'private-address'],
    ['http://0x7f000001/', 'private-address'],
    ['http://0177.0.0.1/', 'private-address'],
    ['http://0/', 'private-address'],
    ['http://１２７.０.０.１/', 'private-address'],
    ['http://①②⑦.0.0.1/', 'private-address'],
    ['http://127。0。0。1/', 'private-address'],
    ['http://%31%32%37.0.0.1/', 'private-address'],
    ['http://169.254.169.254/latest/meta-data/', 'private-address'],
    ['http://[::1]/', 'private-address'],
    ['http://[::]/', 'private-address'],
    ['http://[::127.0.0.1]/', 'private-address'],
    ['http://[::ffff:127.0.0.1]/', 'private-address'],
    ['http://[64:ff9b::127.0.0.1]/', 'private-address'],
    ['http://[fd00:ec2::254]/', 'private-address'],
  ];
  for (const [text, code] of refused) {
    test(`${JSON.stringify(text).slice(0, 60)} is refused: ${code}`, () => {
      assert.throws(
        () => parseTarget(text, publicPolicy),
        (error) => error instanceof TargetRefused && error.code === code && /[.]$/.test(error.message),
      );
    });
  }

  test('a private host is allowed by its exact name, and a port with it', () => {
    const policy = { ports: [8080], allowPrivate: ['localhost', '127.0.0.1:4321', '[::1]', 'Intranet'] };
    assert.equal(parseTarget('http://localhost/', policy).href, 'http://localhost/');
    assert.equal(parseTarget('http://localhost:8080/', policy).port, '8080');
    assert.equal(parseTarget('http://127.0.0.1:4321/', policy).port, '4321');
    assert.equal(parseTarget('http://2130706433:4321/', policy).hostname, '127.0.0.1');
    assert.equal(parseTarget('http://[0:0::1]/', policy).hostname, '[::1]');
    assert.equal(parseTarget('http://intranet/', policy).hostname, 'intranet');
    for (const text of [
      'http://localhost:4321/',
      'http://127.0.0.1/',
      'http://127.0.0.1:8080/',
      'http://127.0.0.2:4321/',
      'http://a.localhost/',
      'http://[::2]/',
    ]) {
      assert.throws(() => parseTarget(text, policy), TargetRefused, text);
    }
  });

  test('an internationalised host is shown in both forms', () => {
    assert.equal(toDisplayHost(new URL('https://bücher.de/')), 'bücher.de (xn--bcher-kva.de)');
    assert.equal(toDisplayHost(new URL('https://example.com:8443/')), 'example.com:8443');
  });
});

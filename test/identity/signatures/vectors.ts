/** The Ed25519 example key of RFC 9421 appendix B.1.4. */
export const rfc9421Key = {
  privatePem: `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----
`,
  publicPem: `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=
-----END PUBLIC KEY-----
`,
  thumbprint: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
};

/** The request `test-request` of RFC 9421 appendix B.2. */
export const rfc9421Request = {
  method: 'POST',
  targetUri: 'https://example.com/foo?param=Value&Pet=dog',
  headers: {
    Host: 'example.com',
    Date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'Content-Type': 'application/json',
    'Content-Digest':
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
    'Content-Length': '18',
  },
  body: '{"hello": "world"}',
};

/** RFC 9421 appendix B.2.6: a signature with the Ed25519 example key. */
export const rfc9421B26 = {
  label: 'sig-b26',
  signatureInput:
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  signature: 'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
};

const digest = rfc9421Request.headers['Content-Digest'];

/** Signature bases that RFC 9421 prints for `test-request`, with the section. */
export const rfc9421Bases = [
  {
    section: '2.5',
    input:
      '("@method" "@authority" "@path" "content-digest" "content-length" "content-type");created=1618884473;keyid="test-key-rsa-pss"',
    lines: [
      '"@method": POST',
      '"@authority": example.com',
      '"@path": /foo',
      `"content-digest": ${digest}`,
      '"content-length": 18',
      '"content-type": application/json',
    ],
  },
  {
    section: 'B.2.1',
    input: '();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"',
    lines: [],
  },
  {
    section: 'B.2.3',
    input:
      '("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"',
    lines: [
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@method": POST',
      '"@path": /foo',
      '"@query": ?param=Value&Pet=dog',
      '"@authority": example.com',
      '"content-type": application/json',
      `"content-digest": ${digest}`,
      '"content-length": 18',
    ],
  },
];

const keyid = rfc9421Key.thumbprint;

/** Ed25519 request vectors of draft-meunier-webbotauth-httpsig-protocol-02, its legacy form, and of the draft before. */
export const webBotAuthVectors = [
  {
    name: 'Signature-Agent as a dictionary',
    label: 'sig2',
    signatureAgent: 'agent2="https://signature-agent.test"',
    signatureInput: `sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="${keyid}";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"`,
    signature: 'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
  },
  {
    name: 'Signature-Agent as a bare string',
    label: 'sig2',
    signatureAgent: '"https://signature-agent.test"',
    signatureInput: `sig2=("@authority" "signature-agent");created=1735689600;keyid="${keyid}";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"`,
    signature: 'sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:',
  },
  {
    name: 'without Signature-Agent (earlier draft)',
    label: 'sig1',
    signatureAgent: null,
    signatureInput: `sig1=("@authority");created=1735689600;keyid="${keyid}";alg="ed25519";expires=4889289600;nonce="zIW8+cdmA3vdYagbxojpONwa/l0EKJ/O3/wD486VvsQjO/RxPaSt6ZxvQaMcQzNnqKN/mQ6hpGiFro2L2qkz5A==";tag="web-bot-auth"`,
    signature: 'sig1=:QKN4fTdIYfh82fvoZCQiQA1weuozfCS/Led2zTMbewMMqH8PI2Wsy/5c4ao6B6D09nraNQdBNOADg8aM1MqfCg==:',
  },
];

/** The signed directory response of draft-meunier-webbotauth-httpsig-protocol-02. */
export const signedDirectoryVector = {
  origin: 'https://signature-agent.test',
  createdSeconds: 1_735_689_600,
  expiresSeconds: 4_889_289_600,
  body: `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"${keyid}","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","use":"sig"}]}`,
  headers: {
    'Content-Digest': 'sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:',
    'Signature-Input': `binding=("@authority";req "content-digest");created=1735689600;expires=4889289600;keyid="${keyid}";tag="http-message-signatures-directory"`,
    Signature: 'binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:',
  },
};

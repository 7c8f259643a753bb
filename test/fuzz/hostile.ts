import fc from 'fast-check'
import { anyCharacter } from '../../src/content/testing/sources.ts'

/** Text that has broken something somewhere. */
export const oddTexts = [
  '', ' ', '\t', '\n', '\0', 'a\0b', '\u0001', '\u007f', '\ud800', 'a\udc00b', '\ufeff', '\u202e', '\u200b', '\u2028',
  'é', 'e\u0301', 'ß', 'İ', '🦉', '👩‍👩‍👧‍👦', 'ﷺ'.repeat(20), '%', '%00', '%zz', '%2f', '%c0%af', '..', '../..', './', '/', '//', '\\', 'a/b', '~', '*', '?', '#', '&', '+',
  "'", '"', "' or 1=1 --", '$1', '$$', '{}', '[]', '{{', '${x}', '{% raw', 'null', 'undefined', 'NaN', '-1', '0', '1', '1e999', '0x10', '٣', 'true', 'false',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'inherit', 'latest', 'trash', 'export',
  '<script>alert(1)</script>', '<!--', ']]>', '\r\nX-A: b', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'ftp://127.0.0.1:1', 'http://', 'http://a b', 'http://[::1', 'https://127.0.0.1:99999/',
  'http://user:pass@127.0.0.1:1', 'https://127.0.0.1:1', '//127.0.0.1:1', 'http://0x7f000001:1/', 'http://[::ffff:127.0.0.1]:1/', 'git@127.0.0.1:x.git', 'ssh://127.0.0.1:1/x', 'http://127.0.0.1:1/', 'http://lectern.test/sites/', 'http://lectern.test/app/o/x',
  'a@example.com', 'A@EXAMPLE.COM', '@', 'a@b@c', 'example.com', '.example', 'a..b',
  '2030-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z', '2030-02-30T00:00:00Z', '2030-01-01', '-271821-04-20T00:00:00Z',
  '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '01A1DE58-AB1B-7385-BC9B-7AFAB5411929', '01a1de58ab1b7385bc9b7afab5411929',
  '99999999999999999999', '2147483648', '9223372036854775808', '1.5', '-0', '1f4c4', '110000', 'd800', '🏳️‍🌈🏳️‍🌈',
  'visitor.claims.a', '!'.repeat(300), '('.repeat(200), 'a.'.repeat(300), '^(a+)+$', '[['.repeat(100), '# '.repeat(500), '> '.repeat(300), '| '.repeat(500), '{% hint %}'.repeat(50),
  'x'.repeat(51), 'x'.repeat(257), 'x'.repeat(5_000),
] // prettier-ignore

export const oddValues: unknown[] = [
  null, true, false, 0, -0, -1, 1, 1.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 1e-7,
  [], {}, [[]], [{}], [null], [''], [0], { length: 3 }, { toString: 'x' }, { constructor: { prototype: {} } }, { id: 'x' },
  Array.from({ length: 60 }, () => 'x'), Array.from({ length: 1200 }, (_, i) => i), nested(70), nested(30),
  { object: 'document', nodes: [] }, { object: 'document', data: {}, nodes: [{ object: 'block', type: 'paragraph' }] }, { markdown: 5 }, { markdown: '' }, { type: 'rules', rules: [{}] },
] // prettier-ignore

function nested(depth: number): unknown {
  let value: unknown = 'x'
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value }
  return value
}

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }) },
)

export const odd: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 4, arbitrary: fc.constantFrom(...oddValues) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

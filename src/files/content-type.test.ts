import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentTypeOf } from './content-type.ts'
import { dimensionsOf } from './dimensions.ts'

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')

const png = hex('89504e470d0a1a0a 0000000d 49484452 00000003 00000002 08060000 00')
const gif = Buffer.concat([Buffer.from('GIF89a'), hex('0400 0300')])
const jpeg = hex('ffd8ffe0 0004 0000 ffc4 0004 0000 ffc0 0011 08 0005 0007 03')
const vp8x = Buffer.concat([Buffer.from('RIFF....WEBPVP8X'), hex('0a000000 00000000 090000 130000')])
const vp8l = Buffer.concat([Buffer.from('RIFF....WEBPVP8L'), hex('00000000 2f 09c00400 00')])
const vp8 = Buffer.concat([Buffer.from('RIFF....WEBPVP8 '), hex('00000000 000000 9d012a 0a00 1400')])
const avif = Buffer.concat([
  hex('0000001c'),
  Buffer.from('ftypavif'),
  hex('00000000'),
  Buffer.from('ispe'),
  hex('00000000 00000002 00000002'),
  Buffer.from('ispe'),
  hex('00000000 00000010 00000008'),
])
const svg = Buffer.from('<?xml version="1.0"?>\n<!-- a -->\n<svg xmlns="x" viewBox="0 0 24 12"></svg>')

test('the content type of a file is determined by its bytes, not by its name or the type that was sent', () => {
  const cases: [Buffer | string, string][] = [
    [png, 'image/png'],
    [gif, 'image/gif'],
    [jpeg, 'image/jpeg'],
    [vp8x, 'image/webp'],
    [avif, 'image/avif'],
    [svg, 'image/svg+xml'],
    ['  <svg onload="x">', 'image/svg+xml'],
    // As written by Illustrator.
    ['<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "a" "b" [\n<!ENTITY ns "c">\n]>\n<svg x="&ns;">', 'image/svg+xml'],
    ['%PDF-1.7 x', 'application/pdf'],
    [hex('00000018 66747970 6d703432'), 'video/mp4'],
    [hex('1a45dfa3 42828477 65626d'), 'video/webm'],
    ['ID3x', 'audio/mpeg'],
    ['RIFF....WAVEfmt ', 'audio/wav'],
    [
      Buffer.concat([hex('504b0304'), Buffer.from('................[Content_Types].xml..word/document.xml')]),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    [Buffer.concat([hex('504b0304'), Buffer.from('.....a.txt')]), 'application/zip'],
    ['<!DOCTYPE html><script>alert(1)</script>', 'text/html'],
    ['<script>alert(1)</script>', 'text/html'],
    [hex('00ff00ff'), 'application/octet-stream'],
  ]
  for (const [bytes, type] of cases) {
    assert.equal(contentTypeOf(Buffer.from(bytes), 'innocent.png', 'image/png'), type)
  }
})

test('the sender may name the type of text and of unknown bytes, but no type that browsers show unless the bytes match', () => {
  const text = Buffer.from('a,b\n1,2\n')
  assert.equal(contentTypeOf(text, 'a.csv'), 'text/csv')
  assert.equal(contentTypeOf(text, 'a', 'application/json; charset=utf-8'), 'application/json')
  assert.equal(contentTypeOf(text, 'a', 'video/mp4'), 'text/plain')
  assert.equal(contentTypeOf(text, 'a.html'), 'text/html')
  const bytes = hex('00112233')
  assert.equal(contentTypeOf(bytes, 'a', 'application/x-thing'), 'application/x-thing')
  for (const lie of ['image/png', 'application/pdf', 'video/mp4', 'text/html', 'application/xhtml+xml', 'nonsense']) {
    assert.equal(contentTypeOf(bytes, 'a', lie), 'application/octet-stream')
  }
})

test('the dimensions of an image are read from its header', () => {
  const cases: [string, Buffer, [number, number]][] = [
    ['image/png', png, [3, 2]],
    ['image/gif', gif, [4, 3]],
    ['image/jpeg', jpeg, [7, 5]],
    ['image/webp', vp8x, [10, 20]],
    ['image/webp', vp8l, [10, 20]],
    ['image/webp', vp8, [10, 20]],
    ['image/avif', avif, [16, 8]],
    ['image/svg+xml', svg, [24, 12]],
    ['image/svg+xml', Buffer.from('<svg width="10px" height=\'5.4\' viewBox="0 0 1 1">'), [10, 5]],
  ]
  for (const [type, bytes, [width, height]] of cases)
    assert.deepEqual(dimensionsOf(type, bytes), { width, height }, type)
})

test('a truncated image header never has a width of zero, and other types or relative sizes have no dimensions', () => {
  for (const [type, bytes] of [
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/gif', gif],
    ['image/webp', vp8x],
    ['image/avif', avif],
  ] as const) {
    for (let length = 0; length < bytes.length - 4; length++) {
      const found = dimensionsOf(type, bytes.subarray(0, length))
      assert.ok(found === undefined || found.width > 0)
    }
  }
  assert.equal(dimensionsOf('text/plain', png), undefined)
  assert.equal(dimensionsOf('image/svg+xml', Buffer.from('<svg width="100%" height="1em">')), undefined)
  // These are refused by their dimensions, so those must not get lost.
  const huge = Buffer.from(png)
  huge.writeUInt32BE(2 ** 32 - 1, 16)
  assert.deepEqual(dimensionsOf('image/png', huge), { width: 2 ** 32 - 1, height: 2 })
  // No database column holds such a number.
  for (const size of ['viewBox="0 0 1e300 1e300"', 'viewBox="0 0 24 1e400"', 'width="24" height="999999999999"'])
    assert.equal(dimensionsOf('image/svg+xml', Buffer.from(`<svg ${size}>`)), undefined, size)
})

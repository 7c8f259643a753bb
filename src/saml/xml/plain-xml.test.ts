import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlainXml } from './plain-xml.ts'

test('XML as identity providers write it is plain, in any namespaces, quotes and line ends', () => {
  const plain = [
    '<a/>',
    '<a></a>',
    ' \r\n<a>\n</a>\n',
    `<saml2p:Response xmlns:saml2p="urn:oasis:names:tc:SAML:2.0:protocol" ID='_1'\n  Version = "2.0"><b c="&amp;&#13;"/></saml2p:Response>`,
    '<ds:SignatureValue>abc=&#xD;\ndef==</ds:SignatureValue>',
    '<Name>Zoë &lt;3 &#128522; 日本</Name>',
    '<a b="x > y, \'quoted\'">]]></a>',
    `<a>${'<b>group</b>'.repeat(500)}</a>`,
  ]
  for (const xml of plain) assert.equal(isPlainXml(xml), true, xml)
})

test('XML that parsers would have to repair, or could read in two ways, is not plain', () => {
  const others = [
    '',
    'text',
    '<a>',
    '</a>',
    '<a></b>',
    '<a><b></a></b>',
    '<a/><b/>',
    '<a/>text',
    '&amp;<a/>',
    '<a b=c/>',
    '<a b/>',
    '<a b="c/>',
    '<a b="<"/>',
    '<a b="1"c="2"/>',
    '<a b="&c;"/>',
    '<a>&c;</a>',
    '<a>& </a>',
    '<a>&#0;</a>',
    '<a>&#xD800;</a>',
    '<a>&#x110000;</a>',
    '< a/>',
    '<1/>',
    '</a b="c">',
    '<a><!-- --></a>',
    '<a><![CDATA[b]]></a>',
    '<a><?b c?></a>',
    '<!DOCTYPE a><a/>',
    `${'<a>'.repeat(33)}${'</a>'.repeat(33)}`,
    `<a>${'<b/>'.repeat(600)}</a>`,
    `<a ${Array.from({ length: 1201 }, (_, i) => `b${i}=""`).join(' ')}/>`,
  ]
  for (const xml of others) assert.equal(isPlainXml(xml), false, xml)
})

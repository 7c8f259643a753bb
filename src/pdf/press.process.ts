// The process that prints books: one after the other, from data alone. It reads no file but the template and fonts.
import { readFileSync } from 'node:fs'
import { NodeCompiler, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler'
import type { FromPress, ToPress } from './press.ts'

/** Nothing is there: whatever the template names was handed over under this path. */
const workspace = '/lectern-press'
const template = readFileSync(new URL('template.typ', import.meta.url), 'utf8')

let compiler: NodeCompiler | undefined

process.on('message', (message: ToPress) => process.send!(print(message)))
process.on('disconnect', () => process.exit())

function print({ id, data, pictures, fonts }: ToPress): FromPress {
  compiler ??= NodeCompiler.create({ workspace, ...(fonts !== undefined && { fontArgs: [{ fontPaths: [fonts] }] }) })
  try {
    return { id, memory: process.memoryUsage.rss(), ...printWith(compiler, data, pictures) }
  } catch (error) {
    return { id, memory: process.memoryUsage.rss(), failure: String(error) }
  } finally {
    compiler.resetShadow()
    compiler.evictCache(0)
  }
}

function printWith(press: NodeCompiler, data: string, pictures: ToPress['pictures']) {
  press.mapShadow(`${workspace}/book.json`, Buffer.from(data))
  for (const { name, bytes } of pictures) press.mapShadow(`${workspace}/${name}`, Buffer.from(bytes))
  let made = compile(press, template)
  if ('failure' in made && pictures.length > 0) {
    // One picture that cannot be read spoils all of it: they are tried one by one, and an empty one takes its place.
    const dropped = pictures.flatMap(({ name }) => ('failure' in compile(press, `#image("${name}")`) ? [name] : []))
    for (const name of dropped)
      press.mapShadow(`${workspace}/${name}`, Buffer.from(name.endsWith('.svg') ? nothing : dot(name)))
    if (dropped.length > 0) made = compile(press, template)
  }
  return 'failure' in made ? made : { pdf: press.pdf(made.document) }
}

const nothing = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

/** The ending says how it is read: one transparent dot of that kind. */
function dot(name: string): Buffer {
  const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=='
  return Buffer.from(name.endsWith('.gif') ? gif : png, 'base64')
}

function compile(press: NodeCompiler, source: string): { document: NodeTypstDocument } | { failure: string } {
  const made = press.compile({ mainFileContent: source })
  if (made.result) return { document: made.result }
  const diagnostics = (made.takeError()?.shortDiagnostics ?? []) as { message?: string }[]
  return { failure: diagnostics.map(({ message }) => message).join('; ') || 'unknown' }
}

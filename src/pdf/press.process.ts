// The process that prints books: one after the other, from data alone. It reads no files except the template and fonts.
import { readFileSync } from 'node:fs'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { keepCompiled } from '../apart.ts'
import type { FromPress, Picture, ToPress } from './press.ts'
import { pngOfWebp } from './webp.ts'

/** Nothing exists at this path: every file that the template names is passed in under it. */
const workspace = '/lectern-press'
const template = readFileSync(new URL('template.typ', import.meta.url), 'utf8')

let compiler: NodeCompiler | undefined
let data: Uint8Array[] = []
let pictures: Picture[] = []

process.on('message', async (message: ToPress) => {
  if ('data' in message) data.push(message.data)
  else if ('picture' in message) pictures.push(message.picture)
  else process.send!(await print(message.print, message.fonts))
})
process.on('disconnect', () => process.exit())
keepCompiled()

async function print(id: number, fonts: string | undefined): Promise<FromPress> {
  compiler ??= NodeCompiler.create({ workspace, ...(fonts !== undefined && { fontArgs: [{ fontPaths: [fonts] }] }) })
  try {
    return { id, memory: process.memoryUsage.rss(), ...(await printWith(compiler)) }
  } catch (error) {
    return { id, memory: process.memoryUsage.rss(), failure: String(error) }
  } finally {
    data = []
    pictures = []
    compiler.resetShadow()
    compiler.evictCache(0)
  }
}

type Printed = { pdf: Uint8Array } | { failure: string }

async function printWith(press: NodeCompiler): Promise<Printed> {
  press.mapShadow(`${workspace}/book.json`, Buffer.concat(data))
  for (const { name, bytes } of pictures) press.mapShadow(`${workspace}/${name}`, await readable(name, bytes))
  const made = make(press, template)
  if ('pdf' in made || pictures.length === 0) return made
  // A single unreadable picture makes the whole book fail. Each is tried alone, and unreadable ones are replaced by an
  // empty picture.
  const dropped = pictures.flatMap(({ name }) => ('failure' in make(press, `#image("${name}")`) ? [name] : []))
  for (const name of dropped) press.mapShadow(`${workspace}/${name}`, empty(name))
  return dropped.length > 0 ? make(press, template) : made
}

async function readable(name: string, bytes: Uint8Array): Promise<Buffer> {
  if (!name.endsWith('.webp.png')) return Buffer.from(bytes)
  return pngOfWebp(bytes).catch(() => empty(name))
}

/** The extension decides how a picture is read, so this returns one transparent dot in the matching format. */
function empty(name: string): Buffer {
  if (name.endsWith('.svg')) return Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
  const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=='
  return Buffer.from(name.endsWith('.gif') ? gif : png, 'base64')
}

/** The content of a picture may turn out to be unreadable only when the PDF is written. */
function make(press: NodeCompiler, source: string): Printed {
  try {
    const made = press.compile({ mainFileContent: source })
    if (made.result) return { pdf: press.pdf(made.result) }
    const diagnostics = (made.takeError()?.shortDiagnostics ?? []) as { message?: string }[]
    return { failure: diagnostics.map(({ message }) => message).join('; ') || 'unknown' }
  } catch (error) {
    return { failure: String(error) }
  }
}

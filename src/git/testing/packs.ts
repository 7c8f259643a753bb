import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'

/** A pack made by hand, as no git server would send it. */
export interface MadePack {
  commit: string
  bytes: Buffer
}

const types = { commit: 1, tree: 2, blob: 3, refDelta: 7 }

/** A pack with a page, and a few bytes that unfold into a huge blob. */
export function packThatUnfolds(unfoldedBytes: number): MadePack {
  const page = Buffer.from('# One\n')
  const base = Buffer.alloc(0xff_ff_ff)
  const copies = Math.ceil(unfoldedBytes / base.length)
  const copyAll = Buffer.from([0xf0, 0xff, 0xff, 0xff])
  const delta = Buffer.concat([
    sevenBits(base.length),
    sevenBits(copies * base.length),
    ...Array<Buffer>(copies).fill(copyAll),
  ])
  const { commit, tree } = commitWith(page)
  return packOf(commit, [
    packed('commit', commit),
    packed('tree', tree),
    packed('blob', page),
    packed('blob', base),
    Buffer.concat([head('refDelta', delta.length), idOf('blob', base), deflateSync(delta)]),
  ])
}

/**
 * A pack with a commit and only part of what belongs to it: its tree, or nothing. With `other`, it also contains an
 * object whose base does not exist.
 */
export function packThatLacks(lacking: 'page' | 'tree', { other = false } = {}): MadePack {
  const { commit, tree } = commitWith(Buffer.from('# One\n'))
  const delta = Buffer.concat([sevenBits(10), sevenBits(10), Buffer.from([0x90, 10])])
  const onNothing = Buffer.concat([head('refDelta', delta.length), idOf('blob', Buffer.from('no')), deflateSync(delta)])
  return packOf(commit, [
    packed('commit', commit),
    ...(lacking === 'page' ? [packed('tree', tree)] : []),
    ...(other ? [onNothing] : []),
  ])
}

function commitWith(page: Buffer) {
  const tree = Buffer.concat([Buffer.from('100644 README.md\0'), idOf('blob', page)])
  const who = 'Jo <jo@example.com> 0 +0000'
  const treeId = idOf('tree', tree).toString('hex')
  const commit = Buffer.from(`tree ${treeId}\nauthor ${who}\ncommitter ${who}\n\nFirst\n`)
  return { commit, tree }
}

function packOf(commit: Buffer, objects: Buffer[]): MadePack {
  const pack = Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2, 0, 0, 0, objects.length]), ...objects])
  return {
    commit: idOf('commit', commit).toString('hex'),
    bytes: Buffer.concat([pack, createHash('sha1').update(pack).digest()]),
  }
}

/** Speaks as much of git's protocol as a client needs to fetch the newest commit of `main`. */
export function servePack({ commit, bytes }: MadePack, { says = '' } = {}) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const service = 'application/x-git-upload-pack'
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': `${service}-advertisement` })
      const refs = `${commit} refs/heads/main\0shallow agent=none ${says}\n`
      response.end(`${line('# service=git-upload-pack\n')}0000${line(refs)}0000`)
      return
    }
    const asked = await text(request)
    response.writeHead(200, { 'content-type': `${service}-result` })
    if (asked.includes('deepen')) response.write(`${line(`shallow ${commit}\n`)}0000`)
    response.end(asked.includes('done') ? Buffer.concat([Buffer.from(line('NAK\n')), bytes]) : undefined)
  }
}

const line = (said: string) => (said.length + 4).toString(16).padStart(4, '0') + said

const idOf = (type: string, bytes: Buffer) =>
  createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest()

const packed = (type: keyof typeof types, bytes: Buffer) =>
  Buffer.concat([head(type, bytes.length), deflateSync(bytes)])

/** The type and the length of an object: four bits of the length in the first byte, seven in each that follows. */
function head(type: keyof typeof types, size: number): Buffer {
  const first = (types[type] << 4) | (size & 15)
  const rest = size >> 4
  return rest === 0 ? Buffer.from([first]) : Buffer.concat([Buffer.from([first | 128]), sevenBits(rest)])
}

function sevenBits(size: number): Buffer {
  const bytes: number[] = []
  let left = size
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 128)
  return Buffer.from([...bytes, left])
}

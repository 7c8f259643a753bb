import type { TSchema } from 'typebox'
import { limits } from '../content/limits.ts'
import { isPosition } from '../content/positions.ts'
import { isSlug } from '../editing/slugs.ts'
import { invalid } from '../http/errors.ts'
import { AnId, Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { asBody } from '../http/validation.ts'
import { pageTypes } from '../pages/entry-data.ts'
import { file, page, reusable, top, variable } from '../revisions/entries.ts'
import { namingFile } from './archived.ts'
import type { Archive } from './open-archive.ts'
import type { EntryLine } from './tree.ts'

const maybeText = Type.Optional(Type.String())
const maybeFlag = Type.Optional(Type.Boolean())
const git = Type.Optional(Type.Object({ oid: Type.String(), path: Type.String() }))
const dates = { createdAt: Time, updatedAt: Time }

const Picture = Type.Object({ kind: OneOf(['file', 'url'] as const), file: maybeText, url: maybeText })

const PageData = Type.Object({
  type: OneOf(pageTypes),
  title: Type.String({ minLength: 1 }),
  emoji: maybeText,
  icon: maybeText,
  description: maybeText,
  condition: maybeText,
  source: maybeText,
  hidden: maybeFlag,
  noIndex: maybeFlag,
  noRobotsIndex: maybeFlag,
  layout: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()]))),
  cover: Type.Optional(
    Type.Object({ ref: Picture, refDark: Type.Optional(Picture), yPos: Type.Optional(Type.Number()) }),
  ),
  variables: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
  // The URL is checked elsewhere: an invalid one is reported with the title of its page.
  target: Type.Optional(
    Type.Object({ kind: Type.String(), page: maybeText, anchor: maybeText, file: maybeText, space: maybeText }),
  ),
  computed: Type.Optional(
    Type.Object({
      type: Type.String(),
      props: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      dependencies: Type.Optional(
        Type.Record(Type.String(), Type.Object({ ref: Type.Object({ kind: Type.String() }) })),
      ),
    }),
  ),
  translatedFrom: Type.Optional(Type.Object({ page: Type.String(), revision: Type.String() })),
  git,
  ...dates,
})

const FileData = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 256 }),
  contentType: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  width: Type.Optional(Type.Integer({ minimum: 0 })),
  height: Type.Optional(Type.Integer({ minimum: 0 })),
  blob: Type.String(),
  git,
})

const ReusableData = Type.Object({
  title: Type.String({ minLength: 1 }),
  createdAt: Type.Optional(Time),
  updatedAt: Type.Optional(Time),
  git,
  source: maybeText,
})

const inPlace = { entry: AnId(), parent: AnId() }
const nowhere = { slug: Type.Null(), position: Type.Null() }
const refs = Nullable(Type.Record(Type.String(), Type.String()))

/** By kind. A line may contain more than is checked here, such as fields of a newer version. */
const lines = {
  [page]: Type.Object({
    ...inPlace,
    slug: Type.String(),
    position: Type.String(),
    refs,
    data: PageData,
    body: Nullable(Type.String()),
  }),
  [file]: Type.Object({ ...inPlace, ...nowhere, data: FileData, body: Type.Null(), file: maybeText }),
  [reusable]: Type.Object({ ...inPlace, ...nowhere, refs, data: ReusableData, body: Type.String() }),
  [variable]: Type.Object({
    ...inPlace,
    slug: Type.String({ minLength: 1 }),
    data: Type.Object({ value: Type.String() }),
    body: Type.Null(),
  }),
}

const Kind = Type.Object({
  kind: Type.Unsafe<keyof typeof lines>({ type: 'integer', enum: [page, file, reusable, variable] }),
})

/** The entries of a space, each checked against the schema of its kind. */
export async function* readEntries(archive: Archive, path: string): AsyncGenerator<EntryLine> {
  const tree = new EntryTree()
  for await (const [said, where] of archive.numberedLines<unknown>(path)) {
    const line = namingFile(where, () => checked(said))
    namingFile(where, () => tree.add(line, where))
    yield line
  }
  tree.check()
}

function checked(said: unknown): EntryLine {
  const { kind } = asBody(Kind, said)
  const line = asBody<TSchema>(lines[kind], said) as EntryLine
  if (kind !== page) return line
  if (!isSlug(line.slug)) throw invalid('body.slug', 'slug', 'must be a part of an address')
  if (!isPosition(line.position!)) throw invalid('body.position', 'position', 'must be a position')
  return line
}

/** The database stores the parent of each entry, but does not check that it exists, or for cycles. */
class EntryTree {
  readonly #parents = new Map<string, { parent: string; where: string }>()
  readonly #pages = new Set<string>()

  add({ entry, kind, parent }: EntryLine, where: string): void {
    if (this.#parents.has(entry)) throw invalid('body.entry', 'archive', 'is there twice')
    if (kind === page) this.#pages.add(entry)
    else if (parent !== top) throw invalid('body.parent', 'archive', 'must be the top level, except for pages')
    this.#parents.set(entry, { parent, where })
  }

  check(): void {
    const levels = new Map([[top, 0]])
    for (const [entry, { where }] of this.#parents) {
      const path: string[] = []
      for (let at = entry; !levels.has(at); at = this.#parents.get(at)!.parent) {
        if (path.includes(at)) refuse(where, 'puts the page below itself')
        if (at !== entry && !this.#pages.has(at)) refuse(where, 'is not a page of the archive')
        if (path.push(at) > limits.pageLevels) refuse(where, tooDeep)
      }
      for (const each of path.toReversed()) levels.set(each, levels.get(this.#parents.get(each)!.parent)! + 1)
      if (levels.get(entry)! > limits.pageLevels) refuse(where, tooDeep)
    }
  }
}

const tooDeep = `is too deep: pages can be nested at most ${limits.pageLevels} levels deep`

function refuse(where: string, why: string): never {
  return namingFile(where, () => {
    throw invalid('body.parent', 'archive', why)
  })
}

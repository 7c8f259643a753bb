import { setImmediate as breathe } from 'node:timers/promises'
import { parse } from '../content/parse.ts'
import { outline } from '../content/sections.ts'
import { percentDecoded } from '../percent.ts'
import type { FoundPage } from './collected.ts'
import { type FoundLink, type PageTargets, anchorOf } from './links.ts'
import { pauses } from '../pauses.ts'

/** For pages of an archive, the names that the anchors leading to them have here. */
export type Anchors = ReadonlyMap<FoundPage, ReadonlyMap<string, string>>

/**
 * Each tool makes the anchors of headings in its own way: "Install & run" is `install-run` for one and `install--run`
 * here. An anchor that no heading has is taken for one that differs only in such characters.
 */
export async function anchorsOf(all: Iterable<readonly FoundLink[]>, targets: PageTargets): Promise<Anchors> {
  const wanted = new Map<FoundPage, Set<string>>()
  const pause = pauses()
  for (const links of all) {
    for (const { address } of links) {
      await pause()
      const anchor = anchorOf(address)
      const target = anchor === '' || !address.startsWith('archive:') ? undefined : targets.find(address)
      if (target) wanted.set(target, (wanted.get(target) ?? new Set()).add(anchor))
    }
  }
  const found = new Map<FoundPage, ReadonlyMap<string, string>>()
  for (const [page, anchors] of wanted) {
    // Long texts take a while, so other work gets its turn in between.
    await breathe()
    found.set(page, renamed(page, anchors))
  }
  return found
}

function renamed({ title, body }: FoundPage, anchors: ReadonlySet<string>): Map<string, string> {
  const known = new Set(outline(parse(body)).map(({ anchor }) => anchor))
  const byLook = new Map([...known].toReversed().map((anchor) => [look(anchor), anchor]))
  const byWords = new Map([...known].toReversed().map((anchor) => [lookOfWords(anchor), anchor]))
  return new Map(
    [...anchors].flatMap((anchor): (readonly [string, string])[] => {
      const name = percentDecoded(anchor.slice(1)) ?? anchor.slice(1)
      if (known.has(name)) return []
      const instead =
        byLook.get(look(name)) ?? byWords.get(lookOfWords(name)) ?? byLook.get(look(name.replace(/^h-/, '')))
      if (instead !== undefined) return [[anchor, `#${instead}`]]
      // The first heading of a file is the title of its page, so the anchor leads to where the page begins.
      return lookOfWords(name) === lookOfWords(title) ? [[anchor, '']] : []
    }),
  )
}

const look = (anchor: string) => anchor.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** GitBook writes symbols as words: "HTTP/3 & .NET" is `http-slash-3-and-dot-net`. */
const lookOfWords = (text: string) => {
  const anchor = text.toLowerCase().replace(/\s+/g, '-')
  return look(anchor.replace(/(?<![^-])(sect|slash|dot|less-than|greater-than|and|at|plus|percent)(?![^-])/g, ''))
}

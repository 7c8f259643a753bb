import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FontOfSite } from '../../audience/snapshots/snapshot.queries.ts'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { sendBlob } from '../../files/send.ts'
import type { Given } from '../../http/given.ts'
import type { App } from '../../http/routes.ts'
import { textWeight } from '../../sites/fonts/actions.ts'
import { keptForEver } from '../../sites/fonts/downloads.routes.ts'
import { fileOf, formatOf } from '../../sites/fonts/present.ts'

/** Below the address where assets lie. */
const folder = 'own'

/** A font of the organization, as a style sheet has it. */
export class OwnFont {
  readonly name: string
  readonly files: readonly { weight: number; path: string; format: string }[]

  /** Two of them may have the same name, or that of one that comes along: the id tells them apart. */
  constructor({ id, family, faces }: FontOfSite) {
    // Nothing is left of it that means something in a style sheet.
    this.name = `${family.replace(/[^A-Za-z0-9 -]/g, '')} ${id}`.trim()
    this.files = faces.map((face) => ({
      weight: face.weight,
      path: `${folder}/${fileOf(face)}`,
      format: formatOf(face),
    }))
  }

  /** A browser takes the nearest weight that there is. */
  get faces(): string {
    return this.files
      .map(
        ({ weight, path, format }) =>
          `@font-face { font-family: '${this.name}'; src: url(${path}) format('${format}'); font-weight: ${weight}; font-display: swap; }\n`,
      )
      .join('')
  }

  /** The one that a page of text surely needs. */
  get first(): string | undefined {
    return this.files.find(({ weight }) => weight === textWeight)?.path
  }
}

/** What a look says of a font: a word, or which font of the organization it is. One that is gone is as if none was chosen. */
export function chosenFont(fonts: SiteSnapshot['fonts'], chosen: unknown): unknown {
  if (typeof chosen !== 'object' || chosen === null || !('id' in chosen)) return chosen
  const font = typeof chosen.id === 'string' ? fonts.get(chosen.id) : undefined
  return font && new OwnFont(font)
}

/**
 * `~/assets/own/<hash>.woff2`: a file of a font that this site is set in, and of no other. Like the style sheet that names it,
 * it goes to whoever asks: nothing that is written on the site is in it.
 */
export async function sendOwnFont(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  [kind, file, ...more]: readonly string[],
  { fonts }: SiteSnapshot,
): Promise<Given | undefined> {
  if (kind !== folder || file === undefined || more.length > 0) return undefined
  const face = [...fonts.values()].flatMap(({ faces }) => faces).find((each) => fileOf(each) === file)
  if (!face) return undefined
  await sendBlob(app, request, reply, { blob: face.bytes, name: file, cacheControl: keptForEver })
  return { reply }
}

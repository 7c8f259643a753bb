import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FontOfSite } from '../../audience/snapshots/snapshot.queries.ts'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { sendBlob } from '../../files/send.ts'
import type { Given } from '../../http/given.ts'
import type { App } from '../../http/routes.ts'
import { textWeight } from '../../sites/fonts/actions.ts'
import { keptForEver } from '../../sites/fonts/downloads.routes.ts'
import { fileOf, formatOf } from '../../sites/fonts/present.ts'

/** The folder of these files, below the address of assets. */
const folder = 'own'

/** A font of the organization, as style sheets refer to it. */
export class OwnFont {
  readonly name: string
  readonly files: readonly { weight: number; path: string; format: string }[]

  /** Two fonts may have the same name, or the name of a font that comes with Lectern: the id distinguishes them. */
  constructor({ id, family, faces }: FontOfSite) {
    // Removes everything that has a meaning in a style sheet.
    this.name = `${family.replace(/[^A-Za-z0-9 -]/g, '')} ${id}`.trim()
    this.files = faces.map((face) => ({
      weight: face.weight,
      path: `${folder}/${fileOf(face)}`,
      format: formatOf(face),
    }))
  }

  /** A browser picks the nearest available weight. */
  get faces(): string {
    return this.files
      .map(
        ({ weight, path, format }) =>
          `@font-face { font-family: '${this.name}'; src: url(${path}) format('${format}'); font-weight: ${weight}; font-display: swap; }\n`,
      )
      .join('')
  }

  /** The file that a page of text certainly needs. */
  get first(): string | undefined {
    return this.files.find(({ weight }) => weight === textWeight)?.path
  }
}

/**
 * Resolves the font setting of a look: a keyword, or a reference to a font of the organization. A deleted font counts
 * as not chosen.
 */
export function chosenFont(fonts: SiteSnapshot['fonts'], chosen: unknown): unknown {
  if (typeof chosen !== 'object' || chosen === null || !('id' in chosen)) return chosen
  const font = typeof chosen.id === 'string' ? fonts.get(chosen.id) : undefined
  return font && new OwnFont(font)
}

/**
 * Sends `~/assets/own/<hash>.woff2`: a file of a font that this site uses, and of no other font. Like the style sheet
 * that names it, it is sent to everybody who asks, because it contains nothing that is written on the site.
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

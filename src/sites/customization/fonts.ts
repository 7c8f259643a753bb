import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import type { SiteRow } from '../../db/tables.ts'
import { invalid } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { presentDefinition } from '../fonts/present.ts'
import { fontPlaces, findFonts, holdFonts } from '../fonts/queries.ts'
import type { FontDefinition } from '../fonts/schema.ts'
import { defaults } from './defaults.ts'
import type { Writing } from './references.ts'
import type { Customization, Look, SomeCustomization } from './schema.ts'

type Named = Pick<SomeCustomization, 'styling'>

/** Lists the fonts of the organization that a look uses. */
function ownIn({ styling = {} }: Named): { place: (typeof fontPlaces)[number]; id: string }[] {
  return fontPlaces.flatMap((place) => {
    const font = styling[place]
    return typeof font === 'object' ? [{ place, id: font.id }] : []
  })
}

/**
 * Checks that the fonts of a look exist and protects them from being deleted meanwhile. A font that does not exist is
 * removed if the look already had it, since no reader saw it. Changes `look` in place.
 */
export async function bindFonts(
  { tx, site }: Writing,
  look: SomeCustomization,
  before: SomeCustomization,
): Promise<void> {
  const own = ownIn(look)
  const stood = new Set(ownIn(before).map(({ id }) => id))
  const ids = own.flatMap(({ id }) => (isId(id) ? id : []))
  const held = await holdFonts(tx, site.organization_id, ids)
  for (const { place, id } of own) {
    if (held.has(id)) continue
    if (!stood.has(id)) throw invalid(`body.styling.${place}.id`, 'exists', 'is not a font of this organization')
    delete look.styling![place]
  }
}

/** What looks of sites are read from. */
export interface FontsFrom extends Pick<App, 'url'> {
  db: Db
}

type ShownStyling = Omit<Customization['styling'], (typeof fontPlaces)[number]> & {
  font: Exclude<Customization['styling']['font'], object> | Static<typeof FontDefinition>
  headingFont?: Exclude<Customization['styling']['font'], object> | Static<typeof FontDefinition>
  monospaceFont: Exclude<Customization['styling']['monospaceFont'], object> | Static<typeof FontDefinition>
}

export type ShownLook = Omit<Look, 'styling'> & { styling: ShownStyling }

/** Returns looks with the full definitions of their fonts. A font that no longer exists is replaced by the default. */
export async function withFonts(
  { db, url }: FontsFrom,
  { organization_id }: Pick<SiteRow, 'organization_id'>,
  looks: readonly Look[],
): Promise<ShownLook[]> {
  const ids = looks.flatMap((look) => ownIn(look).flatMap(({ id }) => (isId(id) ? id : [])))
  const rows = await findFonts(db, organization_id, [...new Set(ids)])
  const known = new Map(rows.map((row) => [row.id, presentDefinition(row, { url })]))
  return looks.map((look) => {
    const { font, headingFont, monospaceFont, ...styling } = look.styling
    const heading = shown(headingFont, known)
    return {
      ...look,
      styling: {
        ...styling,
        font: shown(font, known) ?? (defaults.styling.font as 'Inter'),
        ...(heading && { headingFont: heading }),
        monospaceFont: shown(monospaceFont, known) ?? (defaults.styling.monospaceFont as 'JetBrainsMono'),
      },
    }
  })
}

function shown<Word extends string>(
  font: Word | { id: string } | undefined,
  known: ReadonlyMap<string, Static<typeof FontDefinition>>,
): Word | Static<typeof FontDefinition> | undefined {
  return typeof font === 'object' ? known.get(font.id) : font
}

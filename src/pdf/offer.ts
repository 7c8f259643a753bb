import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
import type { Place } from '../audience/snapshots/structure.ts'
import { lookOf } from '../sites/customization/customization.ts'

/**
 * Whether a PDF is offered. It can be turned off for a site and on again for one of its spaces, or the other way round.
 */
export function offersPdf({ site }: Pick<SiteSnapshot, 'site'>, { variant }: Place): boolean {
  return lookOf(site.customization, variant.customization).pdf.enabled
}

/** Returns the address of the PDF of a page, below its variant. */
export const pdfAddress = (variant: string, pageId: string) => `${variant}~/pdf?page=${pageId}&only=true`

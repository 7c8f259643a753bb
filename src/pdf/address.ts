import { slug } from '../content/sections.ts'
import type { App } from '../http/routes.ts'
import { firstCharacters } from '../shortened.ts'
import type { Selection } from './space-book.ts'

const hourSeconds = 3600

/** The pages of a revision, and until when the address is valid. */
export interface PdfAddress extends Selection {
  spaceId: string
  revisionId: string
  name: string
  /** Seconds since 1970. */
  expires: number
}

/**
 * Returns a signed address at which a PDF is made and fetched. It expires between one and two hours from now, at the
 * full hour, so requests within the same hour get the same address.
 */
export function pdfUrl(
  app: Pick<App, 'url' | 'secrets'>,
  address: Omit<PdfAddress, 'expires' | 'name'> & { title: string },
) {
  const { spaceId, revisionId, page, only, title } = address
  const expires = (Math.floor(Date.now() / 1000 / hourSeconds) + 2) * hourSeconds
  const name = fileName(title)
  const signature = app.secrets.sign('pdf', signedText({ spaceId, revisionId, page, only, name, expires }))
  const query = new URLSearchParams({
    ...(page !== undefined && { page }),
    ...(only && { only: 'true' }),
    expires: String(expires),
    signature,
  })
  return `${app.url}/pdf/${spaceId}/${revisionId}/${encodeURIComponent(name)}?${query.toString()}`
}

export function isSigned(app: Pick<App, 'secrets'>, address: PdfAddress, signature: string): boolean {
  return app.secrets.verify('pdf', signedText(address), signature) && address.expires * 1000 > Date.now()
}

const signedText = ({ spaceId, revisionId, page, only, name, expires }: PdfAddress) =>
  JSON.stringify([spaceId, revisionId, page ?? null, only, name, expires])

export const fileName = (title: string) => `${firstCharacters(slug(title), 80)}.pdf`

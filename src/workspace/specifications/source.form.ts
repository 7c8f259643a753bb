import { type Fields, withLineFeeds } from '../../account/forms.ts'
import { discard } from '../../files/blobs.ts'
import { type ApiError, conflict, inSentence } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { asBody } from '../../http/validation.ts'
import type { StoredSource } from '../../openapi/queries.ts'
import { OpenAPISpecSource } from '../../openapi/schema.ts'
import { bodyLimit, withReceived, withSource } from '../../openapi/source.ts'
import type { FormLimits, ReceivedForm } from '../form-files.ts'
import { naming } from '../refusal.ts'
import type { TypedSource } from './source.page.ts'

export const mostIn = (app: App): FormLimits => ({
  files: 1,
  bytes: app.config.limits.specificationBytes,
  typedBytes: bodyLimit(app),
})

export const typedIn = ({ name = '', address = '', text = '' }: Fields): TypedSource => ({
  name: name.trim(),
  address: address.trim(),
  text,
})

/** Stores what a form brought, which must be exactly one of an address, a file and a text, and passes it to `use`. */
export async function withBrought<Result>(
  app: App,
  organizationId: string,
  { fields, files }: ReceivedForm,
  use: (source: StoredSource) => Promise<Result>,
): Promise<Result> {
  const { address, text } = typedIn(fields)
  const [file] = files
  try {
    const given = [address !== '', text.trim() !== '', file !== undefined].filter(Boolean)
    if (given.length === 0) throw conflict('Enter an address or the text, or choose a file.')
    if (given.length > 1) throw conflict('Provide only one of the three: an address, a file or the text.')
    if (file?.incoming.blob.size === 0) throw conflict(`${file.name} is empty. Choose another file.`)
    if (file) return await withReceived(app, organizationId, file.incoming, use)
    const sent = address === '' ? { text: withLineFeeds(text) } : { url: address }
    return await withSource(app, organizationId, asBody(OpenAPISpecSource, { source: sent }).source, use)
  } finally {
    await discard(files.map(({ incoming }) => incoming))
  }
}

/** Puts an error into words. The page takes care of everything else that the API requires. */
export function inWords(error: ApiError): string {
  const isName = error.details?.some(({ path }) => path === 'body.slug') && error.type === 'invalid_request'
  if (isName) return 'A name has up to 100 lowercase letters, digits and hyphens, such as pet-shop.'
  return error.type === 'invalid_request'
    ? naming((path) => (path === 'body.source.url' ? 'The address' : undefined))(error)
    : inSentence(error)
}

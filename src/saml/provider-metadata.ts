import { invalid } from '../http/errors.ts'
import { type Element, elementsIn, spelledOut } from './xml/elements.ts'
import { declaration, isPlainXml } from './xml/plain-xml.ts'

/** The settings in a provider's metadata. */
export interface ReadMetadata {
  entityID: string
  ssoURL: string
  certificate: string
  /** Left out if the metadata does not ask for it: signing may have been requested in another way. */
  signRequests?: true
}

export const longestMetadata = 256 * 1024
/** Metadata by Microsoft lists every possible attribute. No parser gets to see it, so many are allowed. */
const most = { elements: 5_000, attributes: 10_000 }
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/**
 * Reads the metadata of an identity provider, as an administrator pastes it. Errors say what is missing, or what the
 * text is instead.
 */
export function readMetadata(text: string): ReadMetadata {
  const xml = withoutComments(text.trim().replace(declaration, ''))
  if (!isPlainXml(xml, most)) throw wrong('must be XML, all of it, as the provider offers it for download')
  const [entity, ...others] = elementsIn(xml, 'EntityDescriptor') ?? []
  if (others.length > 0) throw wrong('is that of several providers. Send the EntityDescriptor of yours alone')
  const entityID = entity && textOf(entity.attribute('entityID'))
  if (!entityID) throw wrong('is not the metadata of a provider: it has no EntityDescriptor with an entityID')
  const [provider] = elementsIn(xml, 'IDPSSODescriptor') ?? []
  if (!provider) throw wrong('is that of a service, such as Lectern. Send that of the identity provider')
  const ssoURL = addressIn(provider)
  if (!ssoURL) throw wrong('names no address for logins with the binding HTTP-Redirect')
  const certificate = certificatesIn(provider).join('\n\n')
  if (certificate === '') throw wrong('has no certificate for signing')
  const isAsked = /^(?:true|1)$/.test(provider.attribute('WantAuthnRequestsSigned') ?? '')
  return { entityID, ssoURL, certificate, ...(isAsked && { signRequests: true }) }
}

/** Removes comments in one pass, however many are opened. */
function withoutComments(text: string): string {
  const [before, ...comments] = text.split('<!--')
  const behind = comments.map((each) => (each.includes('-->') ? each.slice(each.indexOf('-->') + 3) : `<!--${each}`))
  return before! + behind.join('')
}

function addressIn({ inside }: Element): string | undefined {
  const services = elementsIn(inside, 'SingleSignOnService') ?? []
  return textOf(services.find((each) => each.attribute('Binding') === redirect)?.attribute('Location'))
}

/** Includes keys that state no use: those are for both. */
function certificatesIn({ inside }: Element): string[] {
  const keys = (elementsIn(inside, 'KeyDescriptor') ?? []).filter(
    (key) => (key.attribute('use') ?? 'signing') === 'signing',
  )
  const certificates = keys.flatMap((key) => elementsIn(key.inside, 'X509Certificate') ?? [])
  return [...new Set(certificates.map((each) => spelledOut(each.inside).replaceAll(/\s/g, '')))].filter(
    (each) => each !== '',
  )
}

const textOf = (attribute: string | undefined) => attribute && spelledOut(attribute).trim()

const wrong = (message: string) => invalid('body.metadata', 'metadata', message)

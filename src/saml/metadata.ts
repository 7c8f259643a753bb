import { type Html, html } from '../http/html.ts'
import { serviceOf } from './addresses.ts'
import { preferredAlgorithms } from './answers/decryption.ts'
import type { SamlKeyRow } from './keys/keys.queries.ts'
import type { SamlProviderRow } from './queries.ts'

/**
 * What the provider can read about us, instead of an administrator entering it by hand. The HTML template escapes for
 * XML as well.
 */
export function metadataOf(
  url: string,
  provider: Pick<SamlProviderRow, 'organization_id' | 'id' | 'sign_requests'>,
  keys: Pick<SamlKeyRow, 'certificate'>[],
): string {
  const { entityID, acsURL } = serviceOf(url, provider)
  return String(
    html`<?xml version="1.0" encoding="UTF-8"?>
      <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityID}">
        <SPSSODescriptor
          protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"
          AuthnRequestsSigned="${String(provider.sign_requests)}"
          WantAssertionsSigned="true"
        >
          ${keys.map((key) => html`<KeyDescriptor use="signing">${keyInfo(key)}</KeyDescriptor>`)}
          ${keys.toReversed().map(forEncryption)}
          <NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</NameIDFormat>
          <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>
          <AssertionConsumerService
            index="0"
            isDefault="true"
            Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
            Location="${acsURL}"
          />
        </SPSSODescriptor>
      </EntityDescriptor>`,
  )
}

/**
 * The newest comes first, since providers use the first one. What they encrypt can then be read after the old key is
 * removed.
 */
const forEncryption = (key: Pick<SamlKeyRow, 'certificate'>): Html =>
  html`<KeyDescriptor use="encryption">
    ${keyInfo(key)} ${preferredAlgorithms.map((each) => html`<EncryptionMethod Algorithm="${each}" />`)}
  </KeyDescriptor>`

const keyInfo = ({ certificate }: Pick<SamlKeyRow, 'certificate'>): Html =>
  html`<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
    <ds:X509Data><ds:X509Certificate>${base64Of(certificate)}</ds:X509Certificate></ds:X509Data>
  </ds:KeyInfo>`

const base64Of = (pem: string) => pem.replaceAll(/-----[^-]*-----|\s/g, '')

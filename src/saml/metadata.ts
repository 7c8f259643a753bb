import { html } from '../http/html.ts'
import { serviceOf } from './addresses.ts'

/** What the provider may read about us instead of being told by hand. The same template escapes for XML as well. */
export function metadataOf(url: string, provider: { organization_id: string; id: string }): string {
  const { entityID, acsURL } = serviceOf(url, provider)
  return String(
    html`<?xml version="1.0" encoding="UTF-8"?>
      <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityID}">
        <SPSSODescriptor
          protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"
          AuthnRequestsSigned="false"
          WantAssertionsSigned="true"
        >
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

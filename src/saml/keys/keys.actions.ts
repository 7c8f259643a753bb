import { recordChange } from '../../changes/record.ts'
import type { Db } from '../../db/connect.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../http/errors.ts'
import { newId } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import { type SamlKeyRow, deleteKey, insertKey, listKeys } from './keys.queries.ts'
import type { ProviderKey, SamlProviderRow } from '../queries.ts'
import { type KeyPair, makeKeyPair } from './self-signed.ts'

const purpose = 'saml key'
/** The key in use, and one to replace it. */
const mostKeys = 2

/** Creates a key pair, before the transaction that adds it. Refused if there is no room for another key. */
export async function newKeyPair(db: Db, url: string, provider: ProviderKey): Promise<KeyPair> {
  requireRoom(await listKeys(db, provider))
  return keyPairOf(url)
}

/** The certificate is named after the host of the server. */
const keyPairOf = (url: string) => makeKeyPair(new URL(url).hostname.slice(0, 64))

/** The same if requests are to be signed and there is no key for that yet. */
export async function keyPairToSign(
  db: Db,
  url: string,
  wanted: boolean | undefined,
  provider?: ProviderKey,
): Promise<KeyPair | undefined> {
  if (wanted !== true || (provider && (await listKeys(db, provider)).length > 0)) return undefined
  return keyPairOf(url)
}

/** Adds a key to a locked provider. The first key is used at once; a second one waits until the first is removed. */
export async function addKey(
  tx: Transaction,
  secrets: Secrets,
  provider: ProviderKey,
  { privateKey, certificate, expiresAt }: KeyPair,
): Promise<SamlKeyRow> {
  requireRoom(await listKeys(tx, provider))
  const { organization_id, id: provider_id } = provider
  const added = await insertKey(tx, {
    organization_id,
    provider_id,
    id: newId(),
    certificate,
    private_key_sealed: secrets.seal(purpose, privateKey),
    expires_at: expiresAt,
  })
  recordKey(tx, added, 'saml-provider.key-added')
  return added
}

function requireRoom({ length }: SamlKeyRow[]): void {
  if (length < mostKeys) return
  throw conflict(
    'There already is a new key. Remove the old one once the provider knows the new one, then create another.',
  )
}

/**
 * Removes a key of a locked provider. What was encrypted for it can no longer be read. If there is another key, it
 * signs from then on.
 */
export async function removeKey(tx: Transaction, provider: SamlProviderRow, keyId: string): Promise<void> {
  const keys = await listKeys(tx, provider)
  const key = keys.find(({ id }) => id === keyId)
  if (!key) throw notFound('key')
  if (provider.sign_requests && keys.length === 1) {
    throw conflict('Requests are signed with this key. Create another one first, or stop signing requests.')
  }
  await deleteKey(tx, key)
  recordKey(tx, key, 'saml-provider.key-removed')
}

const recordKey = (tx: Transaction, key: SamlKeyRow, action: 'saml-provider.key-added' | 'saml-provider.key-removed') =>
  recordChange(tx, {
    organizationId: key.organization_id,
    target: { type: 'saml-provider', id: key.provider_id },
    action,
    details: { key: key.id },
  })

/** Returns the private key as PEM. */
export const privateKeyOf = (secrets: Secrets, { private_key_sealed }: SamlKeyRow): string =>
  secrets.open(purpose, private_key_sealed)

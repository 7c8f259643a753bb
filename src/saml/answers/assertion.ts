import { nameFrom } from '../../account/name.ts'
import { isEmail } from '../../http/formats.ts'
import { LoginRefused } from '../login/refusal.ts'

/** The person who signed in, as asserted by the provider and by nobody else. */
export interface Asserted {
  nameId: string
  email: string
  displayName: string | undefined
}

/** What an assertion must match. */
export interface Expected {
  issuer: string
  audience: string
  recipient: string
  requestId: string
}

/** An element as the library reads it: its attributes, its text, and its children by name. */
interface Element {
  $?: Record<string, string | undefined>
  _?: string
  [child: string]: unknown
}

export const skewMs = 60_000
const longestName = 256
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/**
 * Reads the signed element, and nothing around it. The library has verified its signature. This checks that it is meant
 * for us, for this login and for the current time, even where the library checks that as well.
 */
export function readAssertion(
  document: unknown,
  expected: Expected,
): { asserted: Asserted; id: string; expiresAt: Date } {
  const now = Date.now()
  const assertion = (document as { Assertion?: Element } | undefined)?.Assertion
  const id = assertion?.$?.ID
  if (!assertion || !id) throw new LoginRefused('malformed')
  if (textOf(only(assertion, 'Issuer')) !== expected.issuer) throw new LoginRefused('issuer')
  checkConditions(only(assertion, 'Conditions'), expected, now)
  const subject = only(assertion, 'Subject')
  const expiresAt = checkConfirmation(subject, expected, now)
  return { asserted: { nameId: nameIn(subject), ...personIn(assertion, subject) }, id, expiresAt }
}

function checkConditions(conditions: Element | undefined, { audience }: Expected, now: number): void {
  if (!conditions) throw new LoginRefused('audience')
  checkTime(conditions.$, now)
  // Every restriction must hold. Of the audiences that a restriction names, one match is enough.
  const restrictions = childrenOf(conditions, 'AudienceRestriction')
  const holds = (restriction: Element) => childrenOf(restriction, 'Audience').some((each) => textOf(each) === audience)
  if (restrictions.length === 0 || !restrictions.every(holds)) throw new LoginRefused('audience')
}

/**
 * Whoever holds the assertion may use it, but only at this address, for this request and until the time that is
 * returned.
 */
function checkConfirmation(subject: Element | undefined, expected: Expected, now: number): Date {
  const confirmations = childrenOf(subject, 'SubjectConfirmation').filter((each) => each.$?.Method === bearer)
  if (confirmations.length !== 1) throw new LoginRefused('recipient')
  const data = only(confirmations[0], 'SubjectConfirmationData')?.$
  if (data?.Recipient !== expected.recipient) throw new LoginRefused('recipient')
  if (data.InResponseTo !== expected.requestId) throw new LoginRefused('request')
  if (data.NotOnOrAfter === undefined) throw new LoginRefused('time')
  checkTime(data, now)
  return new Date(Date.parse(data.NotOnOrAfter) + skewMs)
}

function checkTime(limits: Element['$'], now: number): void {
  const { NotBefore, NotOnOrAfter } = limits ?? {}
  if (NotBefore !== undefined && !(now + skewMs >= Date.parse(NotBefore))) throw new LoginRefused('time')
  if (NotOnOrAfter !== undefined && !(now - skewMs < Date.parse(NotOnOrAfter))) throw new LoginRefused('time')
}

function nameIn(subject: Element | undefined): string {
  const element = only(subject, 'NameID')
  const name = textOf(element)?.trim()
  // A name that differs at each login identifies nobody.
  if (!name || [...name].length > longestName || element?.$?.Format === transient) throw new LoginRefused('no-name')
  return name
}

const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const emailNames = ['email', 'mail', 'emailaddress', `${claims}/emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3']
const fullNames = [
  'displayname',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  `${claims}/name`,
  'name',
  'cn',
  'urn:oid:2.5.4.3',
]
const givenNames = ['givenname', 'firstname', `${claims}/givenname`, 'urn:oid:2.5.4.42']
const lastNames = ['surname', 'lastname', 'sn', `${claims}/surname`, 'urn:oid:2.5.4.4']

/** Finds the e-mail address and name, under the attribute names that providers use for them. */
function personIn(assertion: Element, subject: Element | undefined): Pick<Asserted, 'email' | 'displayName'> {
  const attributes = attributesOf(assertion)
  const find = (names: string[]) => names.map((name) => attributes.get(name)).find((value) => value !== undefined)
  const addresses = [find(emailNames), textOf(only(subject, 'NameID'))?.trim()]
  const email = addresses.find((address) => address !== undefined && isEmail(address) && address.length >= 3)
  if (email === undefined) throw new LoginRefused('no-address')
  const parts = [find(givenNames), find(lastNames)].filter((part) => part !== undefined).join(' ')
  return { email, displayName: nameFrom(find(fullNames) ?? parts) }
}

function attributesOf(assertion: Element): Map<string, string> {
  const found = new Map<string, string>()
  for (const attribute of childrenOf(assertion, 'AttributeStatement').flatMap((each) =>
    childrenOf(each, 'Attribute'),
  )) {
    const name = attribute.$?.Name?.toLowerCase()
    const value = textOf(childrenOf(attribute, 'AttributeValue')[0])?.trim()
    if (name && value && !found.has(name)) found.set(name, value)
  }
  return found
}

/** Returns a child element. More than one with this name is refused. */
function only(element: Element | undefined, name: string): Element | undefined {
  const children = childrenOf(element, name)
  if (children.length > 1) throw new LoginRefused('malformed')
  return children[0]
}

function childrenOf(element: Element | undefined, name: string): Element[] {
  const children = element && Object.hasOwn(element, name) ? element[name] : undefined
  return Array.isArray(children)
    ? children.map((each) => (typeof each === 'string' ? { _: each } : (each as Element)))
    : []
}

const textOf = (element: Element | undefined): string | undefined =>
  typeof element?._ === 'string' ? element._ : undefined

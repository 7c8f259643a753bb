/** Words that cannot be the hostname of an organization, because Lectern uses them or may use them later. */
const reserved = new Set(
  `about account admin api app apps assets auth billing blog cdn console dashboard dev docs download email files ftp git
  graphql health help host hosting http https imap internal lectern localhost login logout mail media metrics mx
  news null oauth org pop public root security self server signin signup site sites smtp sso staging static status
  store support system team test user users webhooks web www`.split(/\s+/),
)

export function isReserved(hostname: string): boolean {
  return reserved.has(hostname)
}

const plainLetters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/** Yields hostnames to try for a title, best first: the title itself, then with a number appended. */
export function* hostnamesFor(title: string): Generator<string> {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđı]/g, (letter) => plainLetters[letter]!)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 26)
    .replace(/-+$/, '')
  const stem = plain.length >= 3 ? plain : `org${plain && `-${plain}`}`
  if (stem.length >= 3 && !isReserved(stem)) yield stem
  for (let number = 2; ; number++) yield `${stem}-${number}`
}

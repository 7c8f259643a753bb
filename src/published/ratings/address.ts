/** Where readers say whether a page helped them. */
const ratingPath = /(?:^|\/)(?:~|%7e)\/helpful$/i

export const takesRatings = (path: string) => ratingPath.test(path)

/** Below the address of a site. */
export const ratingAddress = '~/helpful'

/** Fragments of a page: where a reader without script finds what comes next after answering. */
export const thanks = '~thanks'
export const sent = '~sent'

/** Where readers say whether a page helped them. */
const ratingPath = /(?:^|\/)(?:~|%7e)\/helpful$/i

export const takesRatings = (path: string) => ratingPath.test(path)

/** Below the address of a site. */
export const ratingAddress = '~/helpful'

/** Of a page: where whoever has answered, without a script, finds what comes next. */
export const thanks = '~thanks'
export const sent = '~sent'

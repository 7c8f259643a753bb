/** Where a comment stands on the page that shows it, with its replies below it. */
export const placeOnPage = (commentId: string) => `said-${commentId}`

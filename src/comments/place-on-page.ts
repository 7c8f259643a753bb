/** Returns the id of the element that shows a comment on a page, with its replies below it. */
export const placeOnPage = (commentId: string) => `said-${commentId}`

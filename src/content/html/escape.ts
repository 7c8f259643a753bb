const replacements: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const special = /[&<>"']/

/** Safe as text and inside a quoted attribute. Most texts are as they are, and are not copied. */
export function escapeHtml(text: string): string {
  if (!special.test(text)) return text
  return text.replace(/[&<>"']/g, (character) => replacements[character] ?? character)
}

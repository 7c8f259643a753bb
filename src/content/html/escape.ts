const replacements: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const special = /[&<>"']/

/** Escapes a text for use as content and inside a quoted attribute. Most texts need no escaping and are not copied. */
export function escapeHtml(text: string): string {
  if (!special.test(text)) return text
  return text.replace(/[&<>"']/g, (character) => replacements[character] ?? character)
}

import type { App } from '../http/routes.ts'
import { expandPages } from '../openapi/generate/expand.ts'
import type { Content } from './access.ts'

/** Returns the content with the pages generated from specifications, unless the caller does not want these. */
export async function withGenerated(
  app: App,
  content: Content,
  { computed = true }: { computed?: boolean },
): Promise<Content> {
  // The pages for a visitor of a site already include them.
  if (!computed || content.shown || !(await app.openapi.mayExpand(content.at))) return content
  const expanded = await expandPages(app, content.at, await app.content.tree(content.at))
  return expanded.stamp === '' ? content : { ...content, expanded }
}

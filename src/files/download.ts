import type { App } from '../http/routes.ts'
import type { Entry } from '../content/merge/entry.ts'
import { fileData } from '../pages/entry-data.ts'

const hourSeconds = 3600

/** Which bytes of which file may be downloaded, and until when. */
export interface Download {
  spaceId: string
  fileId: string
  name: string
  blob: string
  /** Seconds since 1970. */
  expires: number
}

/**
 * A signed URL for a file's bytes. It expires between one and two hours from now, at the full hour, so a file that is
 * read twice within an hour has the same URL, and the ETag of an answer that contains it stays the same.
 */
export function downloadUrl(
  app: Pick<App, 'url' | 'secrets'>,
  spaceId: string,
  file: Pick<Entry, 'entry' | 'data'>,
): string {
  const { name, blob } = fileData(file)
  const expires = (Math.floor(Date.now() / 1000 / hourSeconds) + 2) * hourSeconds
  const signature = app.secrets.sign('download', signedText({ spaceId, fileId: file.entry, name, blob, expires }))
  const query = `blob=${blob}&expires=${expires}&signature=${signature}`
  return `${app.url}/files/${spaceId}/${file.entry}/${encodeURIComponent(name)}?${query}`
}

export function isSigned(app: Pick<App, 'secrets'>, download: Download, signature: string): boolean {
  return app.secrets.verify('download', signedText(download), signature) && download.expires * 1000 > Date.now()
}

const signedText = ({ spaceId, fileId, name, blob, expires }: Download) =>
  JSON.stringify([spaceId, fileId, name, blob, expires])

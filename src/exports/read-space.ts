import { text as readText } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import { isSafeLink } from '../content/html/urls.ts'
import { Explained } from '../explained.ts'
import { type Incoming, discard, receiveBlob } from '../files/blobs.ts'
import { invalid } from '../http/errors.ts'
import { fileData, pageData } from '../pages/entry-data.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { type Row, file, page } from '../revisions/entries.ts'
import { readEntries } from './archived-entries.ts'
import { type ArchivedSettings, readComments, readPeople, readSettings } from './archived-space.ts'
import { namingFile } from './archived.ts'
import type { CommentLine } from './export.ts'
import type { Archive } from './open-archive.ts'
import type { ExportedPerson } from './queries.ts'
import type { EntryLine } from './tree.ts'

/** A space that was read from an archive, with its bytes on the disk and nothing in the database yet. */
export interface ReadSpace {
  folder: string
  settings: ArchivedSettings
  rows: Row[]
  bodies: Map<string, string>
  incoming: Incoming[]
  comments: CommentLine[]
  people: ExportedPerson[]
}

export async function readSpace(
  config: Config,
  archive: Archive,
  folder: string,
  problems: string[],
): Promise<ReadSpace> {
  const settings = await readSettings(archive, `${folder}space.json`)
  const space: ReadSpace = { folder, settings, rows: [], bodies: new Map(), incoming: [], comments: [], people: [] }
  try {
    for await (const line of readEntries(archive, `${folder}entries.jsonl`)) {
      const leads = namingFile(`${folder}entries.jsonl`, () => addressIn(line))
      if (!isSafeLink(leads)) {
        const title = JSON.stringify(pageData(line).title)
        problems.push(
          `${settings.title}: the page ${title} links to something that is not a web, mail or telephone address: the link is not shown.`,
        )
      }
      if (line.kind === file && !(await readFile(config, archive, line, space.incoming))) {
        problems.push(`${settings.title}: the bytes of the file ${fileData(line).name} are not in the archive.`)
        continue
      }
      space.rows.push(rowOf(line, space.bodies))
    }
    space.comments = await readComments(archive, `${folder}comments.jsonl`)
    space.people = await readPeople(archive, `${folder}people.json`)
    await checkTexts(archive, folder)
    return space
  } catch (error) {
    await discard(space.incoming)
    throw error
  }
}

/**
 * The URL of a page that is a link. URLs listed by a git repository are stored as they are, and checked when the page
 * is rendered.
 */
function addressIn(line: EntryLine): string {
  const { title, target } = line.kind === page ? pageData(line) : {}
  if (target?.kind !== 'url') return ''
  if (typeof target['url'] === 'string') return target['url']
  throw invalid('body.data.target.url', 'format', `of the page ${JSON.stringify(title)} must be an address`)
}

/** The Markdown files are for people, and are not restored. Reading them checks that they are intact. */
async function checkTexts(archive: Archive, folder: string): Promise<void> {
  for (const path of archive.paths()) {
    if (path.startsWith(`${folder}content/`) && path.endsWith('.md')) await readText(archive.read(path))
  }
}

async function readFile(config: Config, archive: Archive, line: EntryLine, incoming: Incoming[]): Promise<boolean> {
  if (line.file === undefined || !archive.has(line.file)) return false
  const { name, blob, contentType } = fileData(line)
  const maxBytes = archive.manifest.files[line.file]!.size
  const received = await receiveBlob(config, archive.read(line.file), { name, declared: contentType, maxBytes })
  incoming.push(received)
  if (received.file.hash !== blob) throw new Explained(`The archive is damaged: ${line.file} is not the file ${name}.`)
  return true
}

function rowOf({ entry, kind, parent, slug, position, refs, data, body }: EntryLine, bodies: Map<string, string>): Row {
  const doc = body === null ? null : bodyHash(body)
  if (body !== null) bodies.set(doc!, body)
  return { entry, kind, state: 0, parent, slug, position, doc, refs, data }
}

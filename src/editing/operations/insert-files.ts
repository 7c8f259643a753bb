import { newId } from '../../ids.ts'
import { type FileData, newFileEntry } from '../../pages/entry-data.ts'
import { type Step, nameNew } from '../batch.ts'
import type { ChangeOf } from '../schema.ts'

type NewFile = ChangeOf<'insert_files'>['files'][number]

export async function insertFiles({ files }: ChangeOf<'insert_files'>, step: Step): Promise<void> {
  files.forEach((sent, at) => {
    const entry = newFileEntry(newId(), { name: sent.name, ...bytesOf(step, sent, at) })
    step.batch.draft.put(entry)
    nameNew(step, entry, sent.ref, `files.${at}.ref`)
  })
}

function bytesOf({ batch, path, index }: Step, { key }: NewFile, at: number): Omit<FileData, 'name'> {
  if (key === undefined) {
    const { hash: blob, ...known } = batch.files.get(`${index}.${at}`)!.blob
    return { blob, ...known }
  }
  const upload = batch.uploads.get(key)
  const bytes = upload?.bytes
  const field = `files.${at}.key`
  if (!upload || !bytes) throw path.invalid(field, 'exists', 'is not a file that was uploaded in the last day')
  if (upload.kind !== 'organization_file') throw path.invalid(field, 'kind', 'was uploaded for something else')
  if (upload.used_at !== null) throw path.conflict(field, 'used', 'was used already: upload it again')
  const { hash: blob, size, content_type: contentType, width, height } = bytes
  return { blob, size, contentType, ...(width !== null && height !== null && { width, height }) }
}

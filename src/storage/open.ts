import { join } from 'node:path'
import type { Config } from '../config.ts'
import { DiskStore } from './disk.ts'
import { S3Store } from './s3.ts'
import type { BlobStore } from './store.ts'

/** Opens the store that the operator chose: S3 if it is configured, else the data folder. */
export function openStore(config: Config): BlobStore {
  return config.s3 ? new S3Store(config.s3) : new DiskStore(filesFolder(config))
}

export const filesFolder = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'files')

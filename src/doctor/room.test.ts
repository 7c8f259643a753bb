import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { examine } from '../commands/doctor.ts'
import { openStore } from '../storage/open.ts'

const app = await startApp()

test('a node without a data folder passes the checks', async () => {
  const { config, db } = app
  const dataFolder = join(config.dataFolder, 'none')
  const findings = await examine({ config: { ...config, dataFolder }, db, store: openStore(config) })
  assert.deepEqual(
    findings.filter(({ ok }) => !ok),
    [],
  )
  assert.match(findings.find(({ check }) => check.includes('has free space'))!.detail, /^there is none/)
})

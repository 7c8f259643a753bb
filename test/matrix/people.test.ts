import { test } from 'node:test'
import { startApp } from '../app.ts'
import { askAll } from './ask.ts'
import { ofPeople } from './rules-people.ts'
import { makeWorld, patient } from './world.ts'

const app = await startApp(patient)

test(
  'accounts, organizations and their people: every caller gets what they have access to, and nothing else',
  { timeout: 300_000 },
  async (t) => {
    await askAll(t, await makeWorld(app), ofPeople)
  },
)

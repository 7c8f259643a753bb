// Archives as Notion exports them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { projectImporter } from './testing/project.ts'
import { pixel } from './testing/site.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const importProject = projectImporter(app)

test('a Notion database becomes a table whose rows link to their pages', async () => {
  const id = 'd'.repeat(32)
  const { told, links, outline, markdown } = await importProject({
    [`Home ${id}.md`]: `# Home\n\n[Tasks](Home%20${id}/Tasks%20${id}.csv) [Raw](Home%20${id}/raw.csv)\n`,
    [`Home ${id}/Tasks ${id}.csv`]: '\uFEFFName,Note\r\nFix: it,"a | b, ""so""\nmore"\r\nNo page,*x*\r\n',
    [`Home ${id}/Tasks ${id}_all.csv`]: 'Name,Note,More\n',
    [`Home ${id}/Tasks ${id}/Fix it ${id}.md`]: '# Fix: it\n',
    [`Home ${id}/raw.csv`]: 'a,b\n',
  })
  assert.equal(outline, 'Home (Tasks (Fix: it))')
  assert.deepEqual([told, await links()], [[], ['ok', 'ok', 'ok']])
  assert.match(
    await markdown('home/tasks'),
    /^# Tasks\n\n\| Name \| Note \|\n\| --- \| --- \|\n\| \[Fix: it\]\(<?\/pages\/[\w-]+>?\) \| a \\\| b, "so"<br>more \|\n\| No page \| \\\*x\\\* \|\n$/,
  )
})

test('a Notion database is imported with all rows, even if the exported view hides some', async () => {
  const id = 'd'.repeat(32)
  const { markdown } = await importProject({
    'Home.md': '# Home\n',
    [`Tasks ${id}.csv`]: 'Name\nOpen\n',
    [`Tasks ${id}_all.csv`]: 'Name,State\nOpen,no\nDone,yes\n',
    [`Tasks ${id}/Done ${id}.md`]: '# Done\n',
  })
  assert.match(
    await markdown('tasks'),
    /^# Tasks\n\n\| Name \| State \|\n.*\n\| Open \| no \|\n\| \[Done\]\(.*\) \| yes \|\n$/,
  )
})

test('a Notion export whose folders lack the id suffix keeps its tree, even if names are the same', async () => {
  const [a, b] = ['a', 'b'].map((sign) => sign.repeat(32))
  const { told, links, outline, markdown } = await importProject({
    [`Shared/Home ${a}.md`]: `# Home\n\n[Sub](Home/Sub%20${b}.md) [Tasks](Home/Tasks%20${a}.csv) ![](Home/a.png)\n`,
    [`Shared/Home/Sub ${b}.md`]: `# Sub\n\n[Up](../Home%20${a}.md)\n`,
    'Shared/Home/a.png': pixel,
    [`Shared/Home/Tasks ${a}.csv`]: 'Name\nFix it\n',
    [`Shared/Home/Tasks/Fix it ${b}.md`]: '# Fix it\n',
    [`Shared/Home/Tasks ${b}.csv`]: 'Name\nOther\n',
    [`Shared/Home ${b}.md`]: '# Home\n\nAnother\n',
  })
  assert.equal(outline, 'Home (Sub Tasks (Fix it) Tasks) Home')
  assert.deepEqual([told, await links()], [[], ['ok', 'ok', 'ok', 'ok', 'ok']])
  assert.match(await markdown('home/tasks'), /\[Fix it\]\(/)
})

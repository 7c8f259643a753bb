import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'
import { search, titles, written } from './testing/asking.ts'

const app = await startApp()
const org = await anOrganization(app)

async function aSpaceIn(language: string | undefined, ...pages: [title: string, body: string][]) {
  const who = org.admin.client
  const { id } = await aSpace(who, org.id, { language, editMode: 'live', empty: true })
  const path = `/v1/spaces/${id}`
  const changes = pages.map(([title, body]) => written(title, body))
  assert.equal((await who.post(`${path}/content`, { changes })).status, 200)
  return { id, path, who }
}

type Questions = [query: string, ...found: string[]][]

async function finds(space: Awaited<ReturnType<typeof aSpaceIn>>, questions: Questions) {
  for (const [query, ...found] of questions) {
    assert.deepEqual((await titles(space, query)).toSorted(), found.toSorted(), query)
  }
}

test('German: plurals are found by their singular, and umlauts with dots, without, and spelled out', async () => {
  const space = await aSpaceIn(
    'de',
    ['Häuser', 'Die Straße führt zu den Häusern.'],
    ['Müller', 'Er prüft die Einstellungen.'],
  )
  await finds(space, [
    ['haus', 'Häuser'],
    ['hauser', 'Häuser'],
    ['haeuser', 'Häuser'],
    ['strasse', 'Häuser'],
    ['Straßen', 'Häuser'],
    ['muller', 'Müller'],
    ['Mueller', 'Müller'],
    ['MÜLLER', 'Müller'],
    ['einstellung', 'Müller'],
    ['einstelung', 'Müller'],
  ])
})

test('German: a word being typed is found however its umlauts are spelled, in the query and in the text', async () => {
  const space = await aSpaceIn(
    'de',
    ['Mühlen', 'Der Mühlenweg wird geräumt.'],
    ['Rueckgabe', 'Die Rueckgabefrist beginnt.'],
    ['Aktuelles', 'Was neu ist.'],
  )
  await finds(space, [
    ['muehlenw', 'Mühlen'],
    ['mühlenw', 'Mühlen'],
    ['weg muehl', 'Mühlen'],
    ['geraeu', 'Mühlen'],
    ['rückg', 'Rueckgabe'],
    ['rueckg', 'Rueckgabe'],
    ['aktuel', 'Aktuelles'],
  ])
})

test('French: words are found with and without their accents, and behind an apostrophe', async () => {
  const space = await aSpaceIn(
    'fr',
    ['Généraux', "L'installation déjà terminée."],
    ['Élèves', 'Les élèves écrivaient à l’école.'],
  )
  await finds(space, [
    ['général', 'Généraux'],
    ['generaux', 'Généraux'],
    ['installations', 'Généraux'],
    ['termine', 'Généraux'],
    ['eleve', 'Élèves'],
    ['ecole', 'Élèves'],
    ['ÉCOLE', 'Élèves'],
  ])
})

test('Russian: words are found in any case and number, with ё as е, and English words by their stems', async () => {
  const space = await aSpaceIn('ru', ['Настройка сервера', 'Все ещё зелёные файлы: installing packages.'])
  await finds(space, [
    ['настройки серверов', 'Настройка сервера'],
    ['зеленый файл', 'Настройка сервера'],
    ['install', 'Настройка сервера'],
    ['настр', 'Настройка сервера'],
    ['настройка клиента'],
  ])
})

test('Japanese, Chinese, Korean and Thai: any part of a text is found, in a space of any language', async () => {
  const pages: [string, string][] = [
    ['検索機能', '全文検索はデータベースで動きます。ＡＰＩもあります。'],
    ['安装指南', '如何安装插件：请先下载安装包。'],
    ['검색 기능', '문서에서 검색을 할 수 있습니다.'],
    ['การค้นหา', 'ค้นหาเอกสารได้ทุกหน้า'],
  ]
  for (const language of [undefined, 'ja', 'de']) {
    const space = await aSpaceIn(language, ...pages)
    await finds(space, [
      ['検索', '検索機能'],
      ['「検索」', '検索機能'],
      ['索', '検索機能'],
      ['データ', '検索機能'],
      ['ベース', '検索機能'],
      ['検索 データベース', '検索機能'],
      ['API', '検索機能'],
      ['索検'],
      ['插件', '安装指南'],
      ['安装包', '安装指南'],
      ['安装插件下载', '安装指南'],
      ['검색', '검색 기능'],
      ['검색을', '검색 기능'],
      ['있습니다', '검색 기능'],
      ['ค้นหา', 'การค้นหา'],
      ['เอกสาร', 'การค้นหา'],
    ])
  }
  const space = await aSpaceIn('en', ['Mixed', `${'padding 文字 '.repeat(60)}ここで検索します。${' more'.repeat(80)}`])
  const { items } = await search(space, '検索')
  assert.match(items[0].sections[0].body, /^….*ここで検索します。.*…$/)
})

test('Korean particles, Japanese endings and filler words of a Chinese question do not prevent a match', async () => {
  const space = await aSpaceIn(
    undefined,
    ['설치 안내', '서버를 설치하려면 먼저 데이터베이스가 필요합니다.'],
    ['사용자 관리', '관리자는 사용자에게 역할을 부여할 수 있습니다.'],
    ['ユーザー管理', '管理者はユーザーを追加したり、削除したりできます。'],
    ['安装指南', '请先下载安装包，然后运行安装程序。数据库配置在第二步。'],
  )
  await finds(space, [
    ['서버가', '설치 안내'],
    ['데이터베이스는', '설치 안내'],
    ['사용자가 역할은', '사용자 관리'],
    ['관리자에서', '사용자 관리'],
    ['서버가 역할은'],
    ['"서버가"'],
    ['削除する', 'ユーザー管理'],
    ['ユーザーの削除', 'ユーザー管理'],
    ['怎么安装数据库', '安装指南'],
  ])
})

test('Hebrew and Arabic: short words are found behind the prefixes written together with them', async () => {
  const space = await aSpaceIn(
    undefined,
    ['מדריך', 'הורידו את הקובץ מהשרת.'],
    ['Latin', 'A concatenation.'],
    ['دليل', 'وبالحقل'],
  )
  await finds(space, [['שרת', 'מדריך'], ['حقل', 'دليل'], ['cat']])
})

test('words written as one are found when they are queried apart, and the other way round', async () => {
  const space = await aSpaceIn(
    'de',
    ['Grenzen', 'Die Größe der Dateien ist begrenzt. There is a rate limit.'],
    ['Haken', 'Ein Webhook wird gesendet.'],
  )
  await finds(space, [
    ['Dateigröße', 'Grenzen'],
    ['ratelimit', 'Grenzen'],
    ['web hook', 'Haken'],
    ['web hook gesendet', 'Haken'],
    ['rathook'],
  ])
})

test('other languages and scripts: whole words, beginnings and parts are found, whatever the accents', async () => {
  const polish = await aSpaceIn('pl', ['Serwery', 'Zażółć gęślą jaźń na serwerze.'])
  await finds(polish, [
    ['zazolc gesla', 'Serwery'],
    ['serwerz', 'Serwery'],
    ['JAŹŃ', 'Serwery'],
  ])
  const turkish = await aSpaceIn('tr', ['İstanbul', 'IŞIKLAR ve kitaplar.'])
  await finds(turkish, [
    ['istanbul', 'İstanbul'],
    ['ISTANBUL', 'İstanbul'],
    ['ışık', 'İstanbul'],
    ['kitap', 'İstanbul'],
  ])
  const many = await aSpaceIn(
    undefined,
    ['Ελληνικά', 'Η αναζήτηση των εγγράφων.'],
    ['العربية', 'البحث في المُسْتَنَدات'],
    ['हिन्दी', 'दस्तावेज़ों में खोज'],
    ['Українська', 'Пошук у документах'],
    ['עברית', 'חיפוש במסמכים'],
  )
  await finds(many, [
    ['αναζητηση', 'Ελληνικά'],
    ['ΑΝΑΖΉΤΗΣΗ', 'Ελληνικά'],
    ['المستندات', 'العربية'],
    ['खोज', 'हिन्दी'],
    ['пошук', 'Українська'],
    ['חיפוש', 'עברית'],
  ])
})

test('an organization is searched in all its languages at once', async () => {
  const { body } = await org.admin.client.get(`/v1/orgs/${org.id}/search?query=${encodeURIComponent('Einstellung')}`)
  assert.deepEqual(
    body.items.map((space: any) => space.pages.map((page: any) => page.title)),
    [['Müller']],
  )
  const { body: other } = await org.admin.client.get(`/v1/orgs/${org.id}/search?query=${encodeURIComponent('école')}`)
  assert.equal(other.items[0].pages[0].title, 'Élèves')
})

test('an excerpt shows the match, even if its letters were typed without diacritics', async () => {
  const padding = 'xx '.repeat(200)
  for (const [query, found] of [
    ['duong dan', 'đường dẫn'],
    ['lodka', 'łódka'],
    ['zeleny', 'zelený'],
    ['зеленый', 'зелёный'],
    ['isik', 'ışık'],
  ] as const) {
    const space = await aSpaceIn(undefined, ['Long', `${padding}${found} ${padding}`])
    const { items } = await search(space, query)
    assert.ok(items[0].sections[0].body.includes(found), query)
  }
})

test('an excerpt is cut between characters as readers see them, never within one', async () => {
  const families = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'
  for (const signs of ['เซิร์ฟเวอร์ที่น้ำ', 'क्षत्रियज्ञानश्री', '한국어문서검색'.normalize('NFD'), families, '🇯🇵🇩🇪']) {
    const text = signs.repeat(40)
    const space = await aSpaceIn(undefined, ['Long', `${text} needle ${text}`])
    const { items } = await search(space, 'needle')
    const [, before, after] = /^…(\S*) needle (\S*)…$/.exec(items[0].sections[0].body) ?? []
    const whole = new Set(Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment))
    for (const piece of [before!, after!]) {
      assert.ok(piece.length > 20, piece)
      for (const { segment } of new Intl.Segmenter().segment(piece))
        assert.ok(whole.has(segment), `${segment} of ${piece}`)
    }
  }
})
